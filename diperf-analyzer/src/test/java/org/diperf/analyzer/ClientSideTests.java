package org.diperf.analyzer;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.diperf.analyzer.measure.Measures;
import org.diperf.analyzer.report.Report;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.ClientSide;
import org.diperf.analyzer.result.ClientSide.MetricSummary;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.stats.Range;
import org.diperf.analyzer.stats.Statistic;
import org.diperf.analyzer.stats.Statistics;
import org.diperf.analyzer.stats.Uncertainty;
import org.diperf.analyzer.table.SummaryTable;
import org.diperf.analyzer.text.TerminalFormat;
import org.diperf.core.expression.Expression.Ranged;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One client for 2 s, whose first call on a connection takes 90 ms and others 10 ms; half a megabyte a call. */
@Timeout(60)
final class ClientSideTests {

    @TempDir
    private Path folder;

    private static RunFixture run() {
        return new RunFixture()
                .metric("first-byte", "ms")
                .metric("never", "ms")
                .tester(1, 0, 0)
                .closed(1, 0, 2000)
                .exchanges(3000);
    }

    private static RunFixture calls(RunFixture run, int count) {
        for (int i = 0; i < count; i++) {
            boolean first = i % 10 == 0;
            double at = 10 + Math.rint(i * 1_900_000.0 / count) / 1000;
            run.carrying(first, 2.0 + i % 10).call(1, 0, 0, at, at, at + (first ? 90 : 10), "ok", 500_000);
        }
        return run;
    }

    private ClientSide of(RunFixture run) throws IOException {
        return requireNonNull(run.analyze(folder).summary().clientSide());
    }

    @Test
    void firstCallsOfConnectionsStandApart() throws IOException {
        RunFixture run = calls(run(), 20);
        run.carrying(true, 1000).call(1, 0, 1905, 1905, 1950, "http 500");
        ClientSide side = of(run);
        Statistics first = requireNonNull(side.firstCalls());
        assertThat(first.count()).isEqualTo(2);
        assertThat(first.mean()).isEqualTo(90);
        Statistics later = requireNonNull(side.laterCalls());
        assertThat(later.count()).isEqualTo(18);
        assertThat(later.mean()).isEqualTo(10);
        assertThat(later.stddev()).isZero();
        assertThat(later.max()).isEqualTo(10);
    }

    @Test
    void eachHasWhatTheGeneratorMayHaveAdded() throws IOException {
        long added = 1L << 21;
        ClientSide side = of(calls(run().bounded(added, added), 20));
        for (Statistics of : List.of(requireNonNull(side.firstCalls()), requireNonNull(side.laterCalls()))) {
            Range range = requireNonNull(
                    requireNonNull(of.range(Statistic.P50)).parts().get(Uncertainty.INSTRUMENT));
            assertThat(range.low()).isCloseTo(of.p50() - 2 * added / 1e6, within(0.001));
            assertThat(range.high()).isEqualTo(of.p50());
        }
    }

    /** Beyond 10,000 calls response times are a histogram, from which those of the first calls are taken away. */
    @Test
    void theyStandApartAmongManyCallsToo() throws IOException {
        ClientSide side = of(calls(run(), 30_000));
        Statistics later = requireNonNull(side.laterCalls());
        assertThat(later.count()).isEqualTo(27_000);
        assertThat(later.mean()).isEqualTo(10);
        assertThat(later.stddev()).isZero();
        assertThat(later.p99()).isCloseTo(10, within(0.005));
        assertThat(later.max()).isCloseTo(10, within(0.005));
        assertThat(requireNonNull(side.firstCalls()).p50()).isEqualTo(90);
    }

    @Test
    void callsThatAreAllFirstOnesAreNotToldApart() throws IOException {
        RunFixture run = run();
        run.carrying(true, 1).call(1, 0, 100, 100, 200, "ok");
        ClientSide side = of(run);
        assertThat(side.firstCalls()).isNull();
        assertThat(side.laterCalls()).isNull();
    }

    @Test
    void metricsOfOkCallsHaveTheirUnit() throws IOException {
        RunFixture run = calls(run(), 20);
        run.carrying(false, 1000).call(1, 0, 1905, 1905, 1950, "http 500");
        var metrics = requireNonNull(of(run).metrics());
        assertThat(metrics).containsOnlyKeys("first-byte");
        MetricSummary firstByte = requireNonNull(metrics.get("first-byte"));
        assertThat(firstByte.unit()).isEqualTo("ms");
        assertThat(firstByte.values().count()).isEqualTo(20);
        assertThat(firstByte.values().min()).isEqualTo(2);
        assertThat(firstByte.values().mean()).isEqualTo(6.5);
        assertThat(firstByte.values().p50()).isEqualTo(6);
        assertThat(firstByte.values().max()).isEqualTo(11);
    }

    @Test
    void whatClientsObserveIsAMetricToo() throws IOException {
        RunFixture run = calls(run(), 20)
                .observation(1, "queue", 500, 3)
                .observation(1, "queue", 900, 5)
                .observation(1, "queue", 5000, 100)
                .observation(1, "tester.cpu", 900, 0.5);
        var metrics = requireNonNull(of(run).metrics());
        assertThat(metrics).containsOnlyKeys("first-byte", "queue");
        MetricSummary queue = requireNonNull(metrics.get("queue"));
        assertThat(queue.values().count())
                .as("what was seen behind the measured part is left out")
                .isEqualTo(2);
        assertThat(queue.values().mean()).isEqualTo(4);
        assertThat(queue.unit()).isEmpty();
    }

    @Test
    void payloadIsInBytesAndInBits() throws IOException {
        ClientSide.Bandwidth moved = requireNonNull(of(calls(run(), 20)).bandwidth());
        assertThat(moved.bytesPerSecond()).isEqualTo(20 * 500_000 / 2.0);
        assertThat(moved.megabitsPerSecond()).isCloseTo(40, within(1e-9));
    }

    @Test
    void thresholdsFindIt() throws IOException {
        Summary summary = calls(run(), 20).analyze(folder).summary();
        assertThat(Measures.raw(summary, "metrics.first-byte.p50")).isEqualTo(new Ranged(6.0, 4.0, 9.0));
        assertThat(Measures.raw(summary, "metrics.nobody.p50")).isNull();
        assertThat(Measures.raw(summary, "firstCalls.max")).isEqualTo(90.0);
        assertThat(Measures.raw(summary, "laterCalls.mean")).isEqualTo(10.0);
        assertThat(Measures.raw(summary, "bandwidth.megabitsPerSecond")).isEqualTo(40.0);
        assertThat(Measures.find("metrics.first-byte.p50")).isPresent();
        assertThat(Measures.find("firstCalls.p99")).isPresent();
        assertThat(Measures.raw(summary, "metrics.first-byte.p77")).isNotNull();
        assertThat(Measures.find("metrics.first-byte.q77")).isEmpty();
    }

    @Test
    void summaryTerminalAndReportShowIt() throws IOException {
        Analysis analysis = calls(run(), 20).analyze(folder);
        Report.write(analysis, folder);
        String page = Files.readString(folder.resolve("report.html"));
        assertThat(page)
                .contains("first-byte")
                .contains("first calls of connections")
                .contains("40.0 Mbit/s of payload");
        assertThat(Analyzer.summaryJson(analysis))
                .contains("\"firstCalls\"", "\"laterCalls\"", "\"first-byte\"", "\"megabitsPerSecond\" : 40.0");
        assertThat(SummaryTable.render(analysis, TerminalFormat.PLAIN, "report.html", "diperf run", false))
                .contains("40.0 Mbit/s of payload (5.00 MB/s)")
                .contains("first calls of connections: 2, p50 90.0 ms, longest 90.0 ms; later ones: p50 10.0 ms");
    }
}
