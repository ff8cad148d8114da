package org.diperf.analyzer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.diperf.analyzer.count.MetricTally;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.text.SeriesNames;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What clients measure themselves, over time. */
@Timeout(60)
class MetricsTests {

    @TempDir
    private Path folder;

    @Test
    void observationsAreASeriesAndAColumn() throws IOException {
        RunFixture run = new RunFixture().tester(1, 3_600_000_000_000L, 20).exchanges(4_000);
        run.closed(1, 0, 4_000);
        for (int i = 0; i < 4; i++) {
            run.call(1, 0, i * 1_000, i * 1_000, i * 1_000 + 500, "ok");
        }
        Analysis analysis = run.observation(1, "tcp.cwnd", 500, 10)
                .observation(1, "tcp.cwnd", 700, 30)
                .observation(1, "tcp.cwnd", 2_500, -4)
                .observation(1, "tester.cpu", 2_500, 1)
                .observation(1, "tcp.cwnd", -1_000, 1e9)
                .analyze(folder);
        double[] values =
                SeriesNames.find(analysis, "metrics.tcp.cwnd").orElseThrow().values();
        assertThat(values).containsExactly(20, Double.NaN, -4, Double.NaN);
        assertThat(SeriesNames.find(analysis, "metrics.other")).isEmpty();
        assertThat(SeriesNames.find(analysis, "metrics.tester.cpu")).isEmpty();
        assertThat(SeriesNames.problem("metrics.tcp.cwnd")).isEmpty();
        Path out = folder.resolve("out");
        Analyzer.write(analysis, out);
        assertThat(Files.readAllLines(out.resolve("series.csv")).get(0).split(","))
                .contains("metrics.tcp.cwnd");
    }

    @Test
    void metricsOfOkCallsStandWhereTheyEnded() throws IOException {
        Analysis analysis = new RunFixture()
                .metric("login", "ms")
                .tester(1, 0, 0)
                .exchanges(4_000)
                .closed(1, 0, 4_000)
                .carrying(true, 12.5)
                .call(1, 0, 0, 0, 500, "ok")
                .carrying(true, 99)
                .call(1, 0, 1_000, 1_000, 1_500, "http 500")
                .carrying(false, Double.NaN)
                .call(1, 0, 2_000, 2_000, 2_500, "ok")
                .analyze(folder);
        SeriesNames.Named login = SeriesNames.find(analysis, "metrics.login").orElseThrow();
        assertThat(login.unit()).isEqualTo("ms");
        assertThat(login.values()[0]).isCloseTo(12.5, within(1e-9));
        assertThat(login.values()[1]).isNaN();
        assertThat(login.values()[2]).isNaN();
    }

    @Test
    void seriesAreTheSameHoweverValuesWereShared() {
        long seed = 5_150;
        double[] values = new Random(seed).doubles(20_000, -1e6, 1e9).toArray();
        MetricTally one = new MetricTally();
        MetricTally first = new MetricTally();
        MetricTally second = new MetricTally();
        for (int i = 0; i < values.length; i++) {
            one.add(values[i], i % 100);
            (i % 3 == 0 ? first : second).add(values[i], i % 100);
        }
        first.addAll(second);
        assertThat(first.means(100)).as("seed " + seed).containsExactly(one.means(100));
    }

    @Test
    void foldedQuantaHaveTheMeanOfBoth() {
        MetricTally tally = new MetricTally();
        tally.add(1, 0);
        tally.add(2, 1);
        tally.add(6, 1);
        tally.add(5, 2);
        tally.fold();
        assertThat(tally.means(3)).containsExactly(3, 5, Double.NaN);
    }
}
