package org.diperf.analyzer.table;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.diperf.analyzer.Analyzer;
import org.diperf.analyzer.RunFixture;
import org.diperf.analyzer.compare.Metric;
import org.diperf.analyzer.measure.MeasureSource;
import org.diperf.analyzer.measure.Measures;
import org.diperf.analyzer.report.Report;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.stats.Statistic;
import org.diperf.analyzer.stats.Statistics;
import org.diperf.analyzer.text.TerminalFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A statistic that is listed stands everywhere. */
@Timeout(60)
final class ListedStatisticsTests {

    @TempDir
    private Path folder = Path.of("");

    /** A hundred calls of 1 ms to 100 ms. */
    private Analysis analysis() throws IOException {
        RunFixture run = new RunFixture().tester(1, 0, 0).closed(1, 0, 20_000).exchanges(21_000);
        for (int i = 1; i <= 100; i++) {
            run.call(1, 0, 150.0 * i, 150.0 * i, 150.0 * i + i, "ok");
        }
        return run.analyze(folder);
    }

    @Test
    void everyListedStatisticStandsInFilesTablesComparisonsAndNames() throws IOException {
        Analysis analysis = analysis();
        Path out = folder.resolve("out");
        Analyzer.write(analysis, out);
        Report.write(analysis, out);
        String summary = Files.readString(out.resolve("summary.json"));
        String page = Files.readString(out.resolve("report.html"));
        String terminal = SummaryTable.render(analysis, TerminalFormat.PLAIN, "r", "a", false);
        for (Statistic statistic : Statistic.listed()) {
            assertThat(summary).contains("\"" + statistic.key() + "\" :");
            for (String file : List.of("series.csv", "clients.csv", "requests.csv")) {
                assertThat(List.of(Files.readAllLines(out.resolve(file)).get(0).split(",")))
                        .as(file)
                        .contains("response_" + statistic.key() + "_ms");
            }
            assertThat(Measures.names(MeasureSource.SUMMARY)).contains("response." + statistic.path());
            assertThat(Measures.names(MeasureSource.STAGE_UNDER_WAY)).contains("lag." + statistic.path());
            if (statistic.isQuantile()) {
                assertThat(Metric.paths()).contains("response." + statistic.path());
            }
        }
        for (Statistic statistic : Statistic.shown()) {
            assertThat(page).contains(">" + statistic.path() + "<");
            assertThat(terminal).containsPattern(" " + statistic.path().replace(".", "\\.") + "[ \n]");
        }
    }

    @Test
    void quantilesAreTheValuesOfTheirRanks() throws IOException {
        Statistics times = requireNonNull(analysis().summary().responseTime());
        for (Statistic statistic : Statistic.listed()) {
            if (statistic.isQuantile()) {
                assertThat(times.of(statistic))
                        .as("%s", statistic)
                        .isCloseTo(Math.ceil(100 * statistic.fraction() - 1e-9), within(1e-5));
            }
        }
        assertThat(times.of(Statistic.named("p97.5").orElseThrow())).isCloseTo(98, within(1e-5));
        assertThat(times.alone().of(Statistic.named("p97.5").orElseThrow())).isNaN();
    }

    @Test
    void p75IsListedAndShown() throws IOException {
        Statistic p75 = Statistic.named("p75").orElseThrow();
        assertThat(Statistic.listed()).contains(p75);
        assertThat(Statistic.shown()).contains(p75);
        assertThat(requireNonNull(analysis().summary().responseTime()).of(p75)).isCloseTo(75, within(1e-5));
    }

    @Test
    void p9999IsListedAndTooRareForTables() throws IOException {
        Statistic p9999 = Statistic.named("p99.99").orElseThrow();
        assertThat(p9999.key()).isEqualTo("p9999");
        assertThat(Statistic.listed()).contains(p9999);
        assertThat(Statistic.shown()).doesNotContain(p9999);
        assertThat(requireNonNull(analysis().summary().responseTime()).of(p9999))
                .isCloseTo(100, within(1e-5));
    }
}
