package org.diperf.analyzer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.diperf.analyzer.MetricRow.Statistics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What plugins measure beside times and bytes. */
@Timeout(60)
class MetricsTests {

    @TempDir
    private Path folder;

    /** Two clients for four seconds; the measured part is all of it. */
    private static RunFixture run() {
        RunFixture run = new RunFixture().tester(1, 3_600_000_000_000L, 20).exchanges(4_000);
        run.closed(2, 0, 4_000);
        for (int client = 0; client < 2; client++) {
            for (int i = 0; i < 4; i++) {
                run.call(1, client, i * 1_000, i * 1_000, i * 1_000 + 500, "ok");
            }
        }
        return run;
    }

    @Test
    void observationsAreInTheSummaryAndOverTime() throws IOException {
        Analysis analysis = run().observation(1, "tcp.cwnd", 500, 10)
                .observation(1, "tcp.cwnd", 700, 30)
                .observation(1, "tcp.cwnd", 2_500, -4)
                .observation(1, "tester.cpu", 2_500, 1)
                .observation(1, "tcp.cwnd", -1_000, 1e9)
                .analyze(folder);
        Statistics window = analysis.summary().metrics().get("tcp.cwnd");
        assertThat(window.count()).isEqualTo(3);
        assertThat(window.mean()).isCloseTo(12, within(1e-9));
        assertThat(window.min()).isEqualTo(-4);
        assertThat(window.max()).isEqualTo(30);
        assertThat(window.p50()).isEqualTo(10, within(0.05));
        assertThat(window.stddev()).isCloseTo(Math.sqrt((4 + 324 + 256) / 3.0), within(1e-6));
        assertThat(analysis.summary().metrics()).containsOnlyKeys("tcp.cwnd");
        double[] values = SeriesNames.find(analysis, "metric.tcp.cwnd").orElseThrow().values();
        assertThat(values).containsExactly(20, Double.NaN, -4, Double.NaN);
        assertThat(SeriesNames.find(analysis, "metric.other")).isEmpty();
        assertThat(SeriesNames.problem("metric.tcp.cwnd")).isEmpty();
        assertThat(new SummaryLookup(analysis).value("metric.tcp.cwnd.max")).isEqualTo(30.0);
        assertThat(SummaryPaths.known("metric.tcp.cwnd.p99")).isTrue();
        assertThat(SummaryPaths.known("metric.tcp.cwnd.often")).isFalse();
        Path out = folder.resolve("out");
        Analyzer.write(analysis, out);
        assertThat(Files.readAllLines(out.resolve("series.csv")).get(0)).endsWith(",metric.tcp.cwnd");
        assertThat(Files.readString(out.resolve("summary.json"))).contains("\"tcp.cwnd\" : {");
    }

    @Test
    void metricsOfOkCallsAreCountedWithTheirUnit() throws IOException {
        Analysis analysis = new RunFixture()
                .metric("login", "ms")
                .tester(1, 0, 0)
                .exchanges(4_000)
                .closed(1, 0, 4_000)
                .call(1, 0, 0, 0, 500, "ok")
                .measured(1, 0, 12.5)
                .call(1, 0, 1_000, 1_000, 1_500, "http 500")
                .measured(1, 0, 99)
                .call(1, 0, 2_000, 2_000, 2_500, "ok")
                .analyze(folder);
        Statistics login = analysis.summary().metrics().get("login");
        assertThat(login.unit()).isEqualTo("ms");
        assertThat(login.count()).isEqualTo(1);
        assertThat(login.mean()).isEqualTo(12.5);
        assertThat(SeriesNames.find(analysis, "metric.login").orElseThrow().unit())
                .isEqualTo("ms");
    }

    @Test
    void statisticsAreThoseOfAllValuesHoweverTheyWereShared() {
        long seed = 5_150;
        Random random = new Random(seed);
        double[] values = random.doubles(20_000)
                .map(value -> Math.exp(8 * value) - 20)
                .toArray();
        MetricTally one = new MetricTally();
        MetricTally first = new MetricTally();
        MetricTally second = new MetricTally();
        for (int i = 0; i < values.length; i++) {
            one.add(values[i], i % 100, true);
            (i % 3 == 0 ? first : second).add(values[i], i % 100, true);
        }
        first.addAll(second);
        assertThat(first.statistics("")).as("seed " + seed).isEqualTo(one.statistics(""));
        assertThat(first.means(100)).containsExactly(one.means(100));
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        Statistics found = one.statistics("");
        assertThat(found.min()).isCloseTo(sorted[0], within(1e-6));
        assertThat(found.max()).isCloseTo(sorted[sorted.length - 1], within(1e-6));
        assertThat(found.p99()).isCloseTo(sorted[19_799], within(sorted[19_799] * 0.004));
        assertThat(found.mean()).isCloseTo(Arrays.stream(values).average().orElseThrow(), within(1e-5));
    }

    @Test
    void foldedQuantaHaveTheMeanOfBoth() {
        MetricTally tally = new MetricTally();
        tally.add(1, 0, true);
        tally.add(2, 1, true);
        tally.add(6, 1, true);
        tally.add(5, 2, true);
        tally.fold();
        assertThat(tally.means(3)).containsExactly(3, 5, Double.NaN);
    }
}
