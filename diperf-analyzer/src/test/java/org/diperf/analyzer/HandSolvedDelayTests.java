package org.diperf.analyzer;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.diperf.analyzer.monitors.AddedDelay;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.run.AnnexJson;
import org.diperf.analyzer.run.RunJson;
import org.diperf.analyzer.stats.Range;
import org.diperf.analyzer.stats.Statistic;
import org.diperf.analyzer.stats.Statistics;
import org.diperf.analyzer.stats.Uncertainty;
import org.diperf.core.spi.Annex;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A client whose 100 calls take 100 ms each, over a testbed whose packets were late in known slices of time. */
@Timeout(60)
class HandSolvedDelayTests {

    private static final long MILLI = 1_000_000L;
    private static final long OUT = 1 << 20;
    private static final long IN = 1 << 20;

    @TempDir
    Path folder;

    private static Annex delay(long stepNanos) {
        return new Annex(
                "network",
                "The network",
                List.of(),
                List.of(),
                List.of(),
                null,
                "",
                List.of(),
                new Annex.Delay("network", "late", "late.most", stepNanos));
    }

    private static RunFixture run(long shortestWayMillis) {
        RunFixture run = new RunFixture()
                .tester(1, 0, 0)
                .closed(1, 0, 10_000)
                .exchanges(11_000)
                .bounded(OUT, IN)
                .annex("network", delay(shortestWayMillis * MILLI))
                .monitor("network", "network", true);
        for (int i = 0; i < 100; i++) {
            run.call(1, 0, 100 * i, 100 * i, 100 * (i + 1) - 1e-3, "ok");
        }
        return run.watched("rate late [percent]", 0, Double.NaN).watched("gauge late.most [ms]", 0, Double.NaN);
    }

    /** Packets were overdue for some time of the 10 ms before an instant. */
    private static void late(RunFixture run, long end, double millis, double most) {
        run.watched("rate late [percent]", end - 10, 0);
        run.watched("rate late [percent]", end, 10 * millis);
        run.watched("gauge late.most [ms]", end, most);
    }

    private AddedDelay lateness(RunFixture run) throws IOException {
        Path made = Files.createTempDirectory(folder, "run");
        run.analyze(made);
        return AddedDelay.read(
                made,
                RunJson.read(made.resolve("run.json")),
                AnnexJson.read(made).records());
    }

    @Test
    void packetsOfAChainAreNotLateAtTheSameTime() throws IOException {
        RunFixture run = run(0);
        late(run, 310, 4, 3);
        late(run, 350, 2, 2);
        AddedDelay lateness = lateness(run);
        assertThat(lateness.atMost(200 * MILLI, 300 * MILLI)).isZero();
        assertThat(lateness.atMost(250 * MILLI, 400 * MILLI)).isCloseTo(6 * MILLI, within(10L));
        assertThat(lateness.atMost(320 * MILLI, 400 * MILLI)).isCloseTo(2 * MILLI, within(10L));
        // Of 4 ms in a slice all may lie in its first 5 ms, and in its last 3 ms no more than these.
        assertThat(lateness.atMost(290 * MILLI, 305 * MILLI)).isCloseTo(4 * MILLI, within(10L));
        assertThat(lateness.atMost(307 * MILLI, 320 * MILLI)).isCloseTo(3 * MILLI, within(10L));
        assertThat(lateness.atMost(301 * MILLI, 302 * MILLI))
                .as("no more than it took")
                .isEqualTo(MILLI);
    }

    @Test
    void soManyPacketsFitOneAfterAnother() throws IOException {
        RunFixture run = run(30);
        late(run, 310, 9, 2);
        late(run, 320, 9, 0.5);
        AddedDelay lateness = lateness(run);
        assertThat(lateness.atMost(300 * MILLI, 400 * MILLI))
                .as("three, each at most 2 ms late")
                .isCloseTo(6 * MILLI, within(10L));
        assertThat(lateness.atMost(310 * MILLI, 380 * MILLI)).isCloseTo(MILLI, within(10L));
        assertThat(lateness.atMost(300 * MILLI, 329 * MILLI)).as("none").isZero();
    }

    @Test
    void callsReachDownByWhatPacketsWereLate() throws IOException {
        RunFixture run = run(30);
        for (int i = 0; i < 100; i++) {
            late(run, 100 * i + 50, 5, 4);
        }
        Summary summary = run.analyze(Files.createTempDirectory(folder, "run")).summary();
        Statistics times = requireNonNull(requireNonNull(summary.measured()).responseTime());
        for (Statistic statistic : List.of(Statistic.P50, Statistic.P95, Statistic.MEAN)) {
            Range instrument = requireNonNull(
                    requireNonNull(times.range(statistic)).parts().get(Uncertainty.INSTRUMENT));
            assertThat(instrument.low()).as(statistic.key()).isCloseTo(100 - 5 - (OUT + IN) / 1e6, within(0.01));
            assertThat(instrument.high()).as(statistic.key()).isCloseTo(100, within(0.01));
        }
    }

    @Test
    void anotherMonitorOfThatMetricSaysNothing() throws IOException {
        RunFixture run = new RunFixture()
                .tester(1, 0, 0)
                .closed(1, 0, 1_000)
                .exchanges(2_000)
                .annex("network", delay(0))
                .monitor("network-2", "host");
        run.call(1, 0, 0, 0, 100, "ok");
        run.watched("rate late [percent]", 0, Double.NaN);
        late(run, 50, 5, 5);
        assertThat(lateness(run).isNothing()).isTrue();
    }
}
