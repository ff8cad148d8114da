package org.diperf.analyzer;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.diperf.analyzer.files.SummaryFile;
import org.diperf.analyzer.report.Report;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.AnnexSummary;
import org.diperf.analyzer.run.AnnexJson;
import org.diperf.analyzer.table.SummaryTable;
import org.diperf.analyzer.text.TerminalFormat;
import org.diperf.core.run.MonitorRecord;
import org.diperf.core.run.Warning;
import org.diperf.core.spi.Annex;
import org.diperf.core.spi.Annex.Amount;
import org.diperf.core.spi.Annex.Cell;
import org.diperf.core.spi.Annex.Column;
import org.diperf.core.spi.Annex.Fact;
import org.diperf.core.spi.Annex.Line;
import org.diperf.core.spi.Annex.Panel;
import org.diperf.core.spi.Annex.Point;
import org.diperf.core.spi.Annex.Remark;
import org.diperf.core.spi.Annex.Table;
import org.diperf.core.spi.Annex.What;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A run of four seconds that comes with an annex: where it is shown, and what the analysis finds for it. */
@Timeout(120)
final class AnnexTests {

    private static final long MILLI = 1_000_000L;

    @TempDir
    private Path folder;

    private static RunFixture run() {
        RunFixture run = new RunFixture()
                .tester(1, 0, 0)
                .closed(1, 0, 4000)
                .measure("range", 0, 4000, 0)
                .exchanges(5000);
        for (int i = 0; i < 40; i++) {
            run.call(1, 0, 100 * i, 100 * i, 100 * i + 20, "ok");
        }
        return run;
    }

    private static Annex annex(List<Fact> facts, List<Amount> numbers, List<Table> tables, Remark... warnings) {
        return new Annex("cache", "The cache", facts, numbers, tables, null, "", List.of(warnings), null);
    }

    /** Of two shards one is 80 and 40 % full in two of four seconds, the other never. */
    private static RunFixture watched(Annex annex) {
        RunFixture run = run().annex("cache", annex).monitor("server", "process");
        run.watched("gauge cpu [cores]", 0, 1).watched("gauge cpu [cores]", 4000, 1);
        run.monitor("cache", "cache", true);
        double[] use = {80, 40, 0, 0};
        run.watched("rate a.full [percent]", 0, Double.NaN);
        for (int i = 0; i < use.length; i++) {
            run.watched("rate a.full [percent]", 1000 * (i + 1), use[i]);
        }
        return run;
    }

    private static Annex shards() {
        List<String> metrics = List.of("a.full", "b.full");
        return new Annex(
                "cache",
                "The cache",
                List.of(new Fact("cache", "${shards.1.mean} full, ${hits.p50} a hit, ${missing} missing")),
                List.of(new Amount("hits.p50", "ms", Cell.of(0.02)), new Amount("missing", "", Cell.NONE)),
                List.of(new Table(
                        "shards",
                        "One kind of shard a row",
                        List.of(
                                new Column("kind", "kind", ""),
                                new Column("mean", "full", "percent"),
                                new Column("sum", "in all", "percent"),
                                new Column("max", "at most", "percent"),
                                new Column("size", "size", "bytes")),
                        List.of(List.of(
                                Cell.of("fast <1>"),
                                Cell.of(What.MEAN, metrics),
                                Cell.of(What.SUM, metrics),
                                Cell.of(What.MAX, metrics),
                                Cell.of(4096))))),
                new Annex.Chart(
                        "How full it was",
                        "The fuller, the slower.",
                        List.of(
                                new Panel("full (%)", 1, List.of(new Line("a", "a.full", List.of()))),
                                new Panel("own points", 1, List.of(new Line("a", "", List.of(new Point(1, 2))))))),
                "<svg width='10' height='10'><path d='M0 0H9' data-load='shards.1.max'/><text class='name'>${shards.1.max}</text></svg>",
                List.of(),
                null);
    }

    @Test
    void whatAMonitorSawOfTheMeasuredPartIsFilledIn() throws IOException {
        Analysis analysis = watched(shards()).analyze(folder);
        AnnexSummary cache =
                requireNonNull(requireNonNull(analysis.summary().annexes()).get("cache"));
        Map<String, Object> row = requireNonNull(cache.tables().get("shards")).get(0);
        assertThat(row)
                .containsEntry("kind", "fast <1>")
                .containsEntry("max", 80.0)
                .containsEntry("size", 4096.0);
        assertThat((Double) row.get("mean")).isCloseTo(15, within(1e-9));
        assertThat((Double) row.get("sum")).isCloseTo(30, within(1e-9));
        assertThat(cache.facts()).containsExactly(new Fact("cache", "15 % full, 20.0 µs a hit, – missing"));
        assertThat(cache.numbers()).containsOnlyKeys("hits.p50");
        Analyzer.write(analysis, folder);
        assertThat(SummaryFile.read(folder.resolve(SummaryFile.NAME)).annexes())
                .isEqualTo(analysis.summary().annexes());
        assertThat(Files.readString(folder.resolve("annex-cache-shards.csv")))
                .isEqualTo("kind,mean_percent,sum_percent,max_percent,size_bytes\nfast <1>,15,30,80,4096\n");
    }

    @Test
    void terminalAndReportShowIt() throws IOException {
        Analysis analysis = watched(shards()).analyze(folder);
        assertThat(SummaryTable.render(analysis, TerminalFormat.PLAIN, "report.html", "again", false))
                .contains(" cache   15 % full, 20.0 µs a hit, – missing");
        Report.write(analysis, folder, "again");
        String report = Files.readString(folder.resolve("report.html"));
        assertThat(report)
                .contains("<h2 id=\"annex-cache\">The cache</h2>", "href=\"#annex-cache\"", "fast &lt;1&gt;")
                .contains("<path d=\"M0 0H9\" class=\"much\" stroke-width=\"4.3\">", "class=\"name\">80 %<");
        String server = report.substring(report.indexOf("id=\"server\""), report.indexOf("id=\"annex-cache\""));
        assertThat(server).as("what the testbed watches is not the service").doesNotContain("a.full");
        assertThat(Files.readString(folder.resolve("figures/annex-cache.svg"))).contains("svg");
    }

    @Test
    void thresholdsNameItsNumbers() throws IOException {
        Analysis analysis = watched(shards())
                .thresholds("annexes.cache.hits.p50 < 10us", "annexes.cache.hits.p50 < 30us")
                .analyze(folder);
        assertThat(analysis.summary().thresholds())
                .extracting(result -> result.holds())
                .containsExactly(false, true);
    }

    @Test
    void ofMoreMetricsThanAreKeptWhatIsMissingIsUnknownAndNotZero() throws IOException {
        RunFixture run = watched(shards());
        for (int i = 1; i < MonitorRecord.maxMetrics(true); i++) {
            run.watched("gauge other-" + i + " [packets]", 0, 1);
        }
        AnnexSummary cache = requireNonNull(
                requireNonNull(run.analyze(folder).summary().annexes()).get("cache"));
        assertThat(requireNonNull(cache.tables().get("shards")).get(0)).containsOnlyKeys("kind", "size");
    }

    @Test
    void withoutItsMonitorNothingIsKnownOfItsMetrics() throws IOException {
        AnnexSummary cache = requireNonNull(requireNonNull(
                        run().annex("cache", shards()).analyze(folder).summary().annexes())
                .get("cache"));
        assertThat(requireNonNull(cache.tables().get("shards")).get(0)).containsOnlyKeys("kind", "size");
    }

    @Test
    void timesWithoutAnAnswerAreFoundInTheCalls() throws IOException {
        Annex annex = annex(
                List.of(),
                List.of(
                        new Amount("outage", "ms", Cell.of(What.OUTAGE, 1050 * MILLI, 2500 * MILLI)),
                        new Amount("before", "ms", Cell.of(What.PAUSE, 0, 1050 * MILLI)),
                        new Amount("last", "ms", Cell.of(What.OUTAGE, 2500 * MILLI, Long.MAX_VALUE)),
                        new Amount("behind", "ms", Cell.of(What.OUTAGE, 9_000 * MILLI, Long.MAX_VALUE))),
                List.of());
        RunFixture run = new RunFixture()
                .tester(1, 0, 0)
                .tester(2, 0, 0)
                .closed(2, 0, 4000)
                .measure("range", 0, 4000, 0)
                .exchanges(5000)
                .annex("", annex);
        for (int i = 0; i < 40; i++) {
            boolean isOut = i >= 10 && i < 17;
            run.call(1, 0, 100 * i, 100 * i, 100 * i + 20, isOut ? "timeout" : "ok");
            run.call(2, 0, 100 * i, 100 * i, 100 * i + 20, "ok");
        }
        // The last answer came at 920 ms, the next at 1720.
        AnnexSummary cache = requireNonNull(
                requireNonNull(run.analyze(folder).summary().annexes()).get("cache"));
        assertThat(cache.numbers()).containsOnlyKeys("outage", "before", "last");
        assertThat(requireNonNull(cache.numbers().get("outage")).value()).isEqualTo(670);
        assertThat(requireNonNull(cache.numbers().get("before")).value()).isEqualTo(100);
        assertThat(requireNonNull(cache.numbers().get("last")).value()).isEqualTo(100);
    }

    @Test
    void itsWarningsCountForTheVerdict() throws IOException {
        Annex noted = annex(List.of(), List.of(), List.of(), new Remark(false, "it was cold"));
        assertThat(run().annex("", noted)
                        .analyze(folder.resolve("note"))
                        .summary()
                        .verdict())
                .isEqualTo("valid");
        Annex suspect = annex(List.of(), List.of(), List.of(), new Remark(true, "it lost shards"));
        Analysis analysis = run().annex("", suspect).analyze(folder.resolve("suspect"));
        assertThat(analysis.summary().verdict()).isEqualTo("suspect");
        assertThat(analysis.summary().warnings()).contains(Warning.suspect(Warning.Subject.TESTBED, "it lost shards"));
    }

    @Test
    void theFileSaysAllOfIt() throws IOException {
        watched(shards()).write(folder);
        assertThat(AnnexJson.read(folder).records()).singleElement().satisfies(record -> {
            assertThat(record.annex()).isEqualTo(shards());
            assertThat(record.monitor()).isEqualTo("cache");
        });
    }

    @Test
    void whatCannotBeReadIsLeftOutAndNamed() throws IOException {
        run().annex("", annex(List.of(), List.of(), List.of())).write(folder);
        Path file = folder.resolve("annexes/cache.json");
        String good = Files.readString(file);
        Files.writeString(folder.resolve("annexes/other.json"), good);
        Files.writeString(folder.resolve("annexes/none.json"), "{");
        Files.writeString(folder.resolve("annexes/name.json"), good.replace("\"cache\"", "\"../cache\""));
        Files.writeString(folder.resolve("annexes/long.json"), good.replace("The cache", "x".repeat(1_000)));
        Files.writeString(folder.resolve("annexes/lacks.json"), good.replace("\"drawing\"", "\"painting\""));
        Files.writeString(folder.resolve("annexes/large.json"), " ".repeat(9_000_000));
        AnnexJson.Found found = AnnexJson.read(folder);
        assertThat(found.records()).hasSize(1);
        assertThat(found.problems())
                .hasSize(6)
                .allMatch(problem -> problem.text().contains("cannot be read and is omitted"));
    }

    @Test
    void aHostileOneIsShownHarmlessly() throws IOException {
        String evil = "<script>alert(1)</script>\u001b[2J\nforged ${x}$1\\";
        Annex hostile = new Annex(
                "evil",
                evil,
                List.of(new Fact(evil, evil)),
                List.of(new Amount("x", evil, Cell.of(1))),
                List.of(new Table(
                        "t",
                        evil,
                        List.of(new Column("c", evil, ""), new Column("d", evil, evil)),
                        IntStream.range(0, Annex.MAX_ROWS)
                                .mapToObj(i -> List.of(Cell.of(evil), Cell.of(i)))
                                .toList())),
                new Annex.Chart(
                        evil, evil, List.of(new Panel(evil, 0, List.of(new Line(evil, "", List.of(new Point(1, 1))))))),
                "<svg onload='alert(2)'><script>alert(3)</script><image href='http://x/'/><text>&lt;script>alert(4)</text>"
                        + "<g>".repeat(40)
                        + "<rect class='badge' fill='url(http://x)'/>",
                List.of(new Remark(false, evil)),
                null);
        Analysis analysis = run().annex("", hostile).analyze(folder);
        String terminal = SummaryTable.render(analysis, TerminalFormat.PLAIN, "report.html", "again", false);
        assertThat(terminal.lines()).noneMatch(line -> line.startsWith("forged"));
        assertThat(terminal).doesNotContain("\u001b");
        Report.write(analysis, folder, "again");
        Analyzer.write(analysis, folder);
        String report = Files.readString(folder.resolve("report.html"));
        assertThat(report)
                .doesNotContain("<script>alert", "onload", "<image", "http://x", "url(", "\u001b")
                .contains("&lt;script&gt;alert(1)", "The rest of the drawing is unreadable.");
        assertThat(report.length()).isLessThan(5_000_000);
        assertThat(report.split("<h2", -1).length)
                .as("what comes after it is there")
                .isGreaterThan(5);
    }

    @Test
    void runsWithoutOneSayNothingOfIt() throws IOException {
        Analysis analysis = run().analyze(folder);
        assertThat(analysis.summary().annexes()).isNull();
        Report.write(analysis, folder, "again");
        assertThat(Files.readString(folder.resolve("report.html"))).doesNotContain("annex", "<svg role");
    }
}
