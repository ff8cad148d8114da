package org.diperf.analyzer.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.diperf.analyzer.Analysis;
import org.diperf.analyzer.figure.Figures;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(120)
class ReportTests {

    private static final Pattern LOADS = Pattern.compile("(?i)(?:src|href|action|data|poster)\\s*=\\s*\"([^\"]*)\"");

    static Stream<String> runs() {
        return SyntheticRuns.all().keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("runs")
    void standsAloneInAtMostFiveMegabytesWhateverTheRun(String name) throws IOException {
        // Kept, so that it can be looked at.
        Path folder = Files.createDirectories(Path.of("target", "reports", name));
        Files.writeString(folder.resolve("series.csv"), "");

        Report.write(SyntheticRuns.named(name), folder);

        Path report = folder.resolve("report.html");
        assertThat(Files.size(report)).isLessThanOrEqualTo(Report.MAX_BYTES);
        String html = Files.readString(report);
        Matcher loads = LOADS.matcher(html);
        while (loads.find()) {
            String target = loads.group(1);
            assertThat(target.substring(0, Math.min(60, target.length())))
                    .matches(
                            "(#[a-z]+|data:image/(png|svg\\+xml);base64,.*|figures(/[a-z0-9-]+\\.(png|svg))?|[a-z]+\\.csv)");
        }
        for (String never : List.of("<script", "@import", "url(", "<link", "<iframe", "<img src=http", "\u001b")) {
            assertThat(html.contains(never)).as(never).isFalse();
        }
        Analysis run = SyntheticRuns.named(name);
        int sections = run.summary().stages() != null ? 8 : 7;
        boolean levels = !run.capacity().points().isEmpty();
        assertThat(html.split("<h2", -1)).hasSize(levels ? sections + 1 : sections);
        assertThat(html.endsWith("</html>\n")).isTrue();
    }

    @Test
    void everythingFromOutsideIsEscaped() throws IOException {
        Path folder = Files.createDirectories(Path.of("target", "reports", "escaped"));

        Report.write(SyntheticRuns.hostile(), folder);

        String html = Files.readString(folder.resolve("report.html"));
        assertThat(html.contains("&lt;script&gt;alert(1)")).isTrue();
        try (Stream<Path> svgs = Files.list(folder.resolve("figures"))) {
            for (Path svg : svgs.filter(f -> f.toString().endsWith(".svg")).toList()) {
                assertThat(Files.readString(svg)).doesNotContain("<script");
            }
        }
    }

    @Test
    void withoutFiguresTheReportSaysWhyAndIsOtherwiseComplete() {
        Figures.Result none = new Figures.Result(List.of(), "figures need fontconfig");

        String html = Report.html(SyntheticRuns.saturation(), Path.of("target"), none, "diperf run x/experiment.yml");

        assertThat(html)
                .contains(
                        "No figures: figures need fontconfig", "diperf run x/experiment.yml", "response.p95 &lt; 200ms")
                .doesNotContain("<img");
    }

    @Test
    void onlyTheFirstTwoHundredClientsAreListed() {
        Figures.Result none = new Figures.Result(List.of(), "left out");

        String html = Report.html(SyntheticRuns.huge(), Path.of("target"), none, "again");

        assertThat(html).contains("The first 200 of 10,000; all are in").contains("The first 200 of 300");
    }
}
