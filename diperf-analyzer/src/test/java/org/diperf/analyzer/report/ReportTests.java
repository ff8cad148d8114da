package org.diperf.analyzer.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.diperf.analyzer.ExampleRuns;
import org.diperf.analyzer.RunFixture;
import org.diperf.analyzer.figure.Figures;
import org.diperf.analyzer.result.Analysis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(120)
class ReportTests {

    private static final Pattern LOADS = Pattern.compile("(?i)(?:src|href|action|data|poster)\\s*=\\s*\"([^\"]*)\"");

    private static final Pattern POLICY = Pattern.compile("Content-Security-Policy\" content=\"([^\"]*)\"");
    private static final Pattern SCRIPT = Pattern.compile("<script([^>]*)>(.*?)</script>", Pattern.DOTALL);

    @ParameterizedTest
    @MethodSource("org.diperf.analyzer.ExampleRuns#names")
    void standsAloneInAtMostFiveMegabytesWhateverTheRun(String name) throws IOException {
        Path folder = ExampleRuns.folder(name);
        Files.writeString(folder.resolve("series.csv"), "");
        Analysis run = ExampleRuns.named(name);

        String html = Report.html(run, folder, ExampleRuns.drawn(name), "diperf run experiment.yml");

        Files.writeString(folder.resolve("report.html"), html);
        assertThat(html.getBytes(StandardCharsets.UTF_8).length).isLessThanOrEqualTo((int) Report.MAX_BYTES);
        Matcher loads = LOADS.matcher(html);
        while (loads.find()) {
            String target = loads.group(1);
            assertThat(target.substring(0, Math.min(60, target.length())))
                    .matches(
                            "(#[a-z]+|data:image/(png|svg\\+xml);base64,.*|figures(/[a-z0-9-]+\\.(png|svg))?|[a-z]+\\.csv)");
        }
        for (String never : List.of("<script src", "@import", "url(", "<link", "<iframe", "<img src=http", "\u001b")) {
            assertThat(html.contains(never)).as(never).isFalse();
        }
        onlyOurScriptsMayRun(html);
        assertThat(html).contains("id=\"figures\"", "id=\"requests\"", "id=\"testers\"", "id=\"measured\"");
        assertThat(html.contains("id=\"stages\"")).isEqualTo(run.summary().stages() != null);
        assertThat(html.contains("id=\"capacity\""))
                .isEqualTo(!run.capacity().points().isEmpty());
        assertThat(html.contains("id=\"groups\"")).isEqualTo(run.breakdown() != null);
        assertThat(html.endsWith("</html>\n")).isTrue();
    }

    /** Every script that is no data has its hash in the page's policy, which allows no other and no address to load from. */
    private static void onlyOurScriptsMayRun(String html) {
        Matcher policy = POLICY.matcher(html);
        assertThat(policy.find()).isTrue();
        assertThat(policy.group(1))
                .matches("default-src 'none'; img-src data:; style-src 'unsafe-inline';"
                        + " script-src( 'sha256-[A-Za-z0-9+/]{43}=')+");
        Matcher scripts = SCRIPT.matcher(html);
        while (scripts.find()) {
            if (scripts.group(1).isEmpty()) {
                assertThat(policy.group(1)).contains("'sha256-" + sha256(scripts.group(2)) + "'");
            } else {
                assertThat(scripts.group(1)).isEqualTo(" type=\"application/json\" id=\"chart-data\"");
                assertThat(scripts.group(2)).as("numbers and words of ours").doesNotContain("<", "&", "\\");
            }
        }
    }

    private static String sha256(String text) {
        try {
            return Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    /** First what the screen says and the table, then what the service did; the instrument's own is behind "more", and nothing is lost. */
    @ParameterizedTest
    @MethodSource("org.diperf.analyzer.ExampleRuns#names")
    void atMostEightFiguresOfTheServiceComeBeforeMore(String name) {
        String html = Report.html(ExampleRuns.named(name), Path.of("target"), ExampleRuns.drawn(name), "again");
        int more = html.indexOf("<details class=\"more\">");
        assertThat(html.indexOf("class=\"finding\"")).isPositive().isLessThan(html.indexOf("class=\"first\""));
        assertThat(html.indexOf("id=\"requests\"")).isLessThan(Math.min(more, html.indexOf("<figure")));
        List<String> first = figures(html.substring(0, more));
        assertThat(first)
                .hasSizeLessThanOrEqualTo(8)
                .noneMatch(figure ->
                        figure.matches("clock.*|generator|send-lag|error-bounds|network.*|testers|clients.*"));
        assertThat(Stream.concat(first.stream(), figures(html.substring(more)).stream()))
                .containsExactlyInAnyOrderElementsOf(ExampleRuns.drawn(name).figures().stream()
                        .map(Figures.Drawn::name)
                        .toList());
    }

    private static List<String> figures(String html) {
        return Pattern.compile("<figure id=\"figure-([^\"]*)\"")
                .matcher(html)
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    @Test
    void whatIsBehindMoreIsOnPaper() {
        assertThat(Style.SHEET).contains(".more::details-content { display:block; content-visibility:visible; }");
    }

    @Test
    void howTheModelIsAskedStandsBesideIt() {
        Figures.Result none = new Figures.Result(List.of(), null);
        assertThat(Report.html(ExampleRuns.named("levels"), Path.of("target"), none, "again"))
                .contains("predict from the last run: diperf predict --clients N");
    }

    @Test
    void theMainChartHasItsValuesAPictureAndATableInThePage() throws IOException {
        Path folder = Files.createDirectories(Path.of("target", "reports", "live"));

        Report.write(ExampleRuns.named("saturation"), folder);

        String html = Files.readString(folder.resolve("report.html"));
        int chart = html.indexOf("id=\"chart\"");
        assertThat(chart).isPositive();
        assertThat(html.indexOf("<img src=\"data:image/svg+xml", chart)).isPositive();
        assertThat(html).contains("The same data as a table", "\"label\":\"active clients\"", "aria-label=\"zoom in\"");
        assertThat(html)
                .as("the licence's notice")
                .contains("https://github.com/leeoniya/uPlot (v1.6.32)", "Leon Sorokin", "The MIT License");
    }

    @Test
    void aReportThatIsBegunAsksForItselfUntilItIsComplete(@TempDir Path folder) throws IOException {
        Analysis run = ExampleRuns.named("saturation");

        Report.begin(run, folder, "p99 < 1 ms", "diperf report runs/a");

        assertThat(report(folder))
                .contains("http-equiv=\"refresh\"", "<pre>p99 &lt; 1 ms</pre>", "diperf report runs/a")
                .endsWith("</html>\n");
        assertThat(folder.resolve("figures")).doesNotExist();

        Report.complete(run, folder, "diperf run a.yml");

        assertThat(report(folder))
                .contains("id=\"figures\"", "diperf run a.yml")
                .doesNotContain("http-equiv=\"refresh\"");
        assertThat(folder.resolve("figures")).isNotEmptyDirectory();
    }

    @Test
    void whoeverCompletesAReportLeavesThatOfSomebodyElse(@TempDir Path folder) throws IOException {
        Analysis run = ExampleRuns.named("saturation");
        Report.complete(run, folder, "after the run was removed");
        assertThat(folder).isEmptyDirectory();

        Report.begin(run, folder, "", "");
        Report.write(run, folder, "of somebody else");
        Report.complete(run, folder, "of whoever is too late");

        assertThat(report(folder)).contains("of somebody else").doesNotContain("of whoever is too late");
    }

    private static String report(Path folder) throws IOException {
        return Files.readString(folder.resolve("report.html"));
    }

    @Test
    void theChartHasNoPointOfALastQuantumThatTheEndOfTheRunCutsOff(@TempDir Path folder) throws IOException {
        RunFixture run = new RunFixture().tester(1, 0, 0).closed(1, 0, 2000).exchanges(3000);
        run.call(1, 0, 100, 100, 200, "ok").call(1, 0, 1900, 1900, 2003, "ok");

        Report.write(run.analyze(Files.createDirectories(folder.resolve("run"))), folder);

        assertThat(Files.readString(folder.resolve("report.html"))).contains("\"time\":[0.500000,1.50000],");
    }

    @Test
    void everythingFromOutsideIsEscaped() throws IOException {
        Path folder = Files.createDirectories(Path.of("target", "reports", "escaped"));

        Report.write(ExampleRuns.named("hostile"), folder);

        String html = Files.readString(folder.resolve("report.html"));
        assertThat(html.contains("&lt;script&gt;alert(1)")).isTrue();
        try (Stream<Path> svgs = Files.list(folder.resolve("figures"))) {
            for (Path svg : svgs.filter(f -> f.toString().endsWith(".svg")).toList()) {
                assertThat(Files.readString(svg)).doesNotContain("<script");
            }
        }
    }

    /** What an undecided threshold saw is a long sentence: next to its condition it left that one letter a line. */
    @Test
    void whatAThresholdSawWrapsAndTakesNoRoomFromItsCondition() {
        String sheet = Style.SHEET;
        assertThat(sheet).containsPattern("\\.threshold \\{[^}]*flex-wrap:wrap");
        assertThat(sheet).doesNotContainPattern("\\.seen \\{[^}]*nowrap");
    }

    @Test
    void withoutFiguresTheReportSaysWhyAndIsOtherwiseComplete() {
        Figures.Result none = new Figures.Result(List.of(), "figures need fontconfig");

        String html =
                Report.html(ExampleRuns.named("saturation"), Path.of("target"), none, "diperf run x/experiment.yml");

        assertThat(html)
                .contains(
                        "No figures: figures need fontconfig", "diperf run x/experiment.yml", "response.p95 &lt; 100ms")
                .doesNotContain("<img");
    }

    @Test
    void onlyTheFirstTwoHundredClientsAreListed() {
        Figures.Result none = new Figures.Result(List.of(), "left out");

        String html = Report.html(ExampleRuns.named("huge"), Path.of("target"), none, "again");

        assertThat(html).contains("The first 200 of 10,000; all are in").contains("The first 200 of 300");
    }
}
