package org.diperf.analyzer;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Confidence;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.result.Summary.ThresholdResult;
import org.diperf.analyzer.table.SummaryTable;
import org.diperf.analyzer.text.TerminalFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What thresholds say where the data do not tell how sure a number is. */
@Timeout(60)
class ThresholdsTests {

    private static final long MILLI = 1_000_000;
    private static final int CALLS = 12_000;

    @TempDir
    private Path folder;

    /** Calls of 1 ms, 200 a second for a minute; 300 of them, one after another, take 20 ms. */
    private Analysis burst(String... thresholds) throws IOException {
        RunFixture run = new RunFixture()
                .tester(1, 0, 0)
                .exchanges(61_000)
                .open(200, "constant", 0, 60_000)
                .thresholds(thresholds);
        for (int i = 0; i < CALLS; i++) {
            long at = i * 5 * MILLI;
            run.nanos(1, 0, i % 8, 0, at, at, at + (i >= 7_200 && i < 7_500 ? 20 : 1) * MILLI, "ok", 10);
        }
        return run.analyze(folder);
    }

    @Test
    void aLimitWithinWhatOneBurstLeavesOpenIsUndecided() throws IOException {
        Analysis analysis = burst("response.p99 < 15ms", "response.p99 < 30ms", "response.p99 < 0.5ms");
        Summary summary = analysis.summary();
        assertThat(summary.thresholds()).extracting(ThresholdResult::open).containsExactly(true, false, false);
        assertThat(summary.thresholds()).extracting(ThresholdResult::holds).containsExactly(false, true, false);
        // 5 of the 19 ms to the lower bound are wanted: 15 times as many calls, of a minute each.
        assertThat(summary.thresholds().get(0).settle()).isEqualTo("a run about 15 times as long (15:00)");
        assertThat(SummaryTable.render(analysis, TerminalFormat.PLAIN, "report", "again", false))
                .containsPattern(
                        "\\? response\\.p99 < 15ms +undecided: 20\\.0 ms \\([0-9.]+ ms to [0-9.]+ ms\\); what would "
                                + "settle it: a run");
    }

    @Test
    void aPercentileThatFilesDoNotHoldIsNoMoreCertain() throws IOException {
        Summary summary = burst("response.p98.5 < 15ms", "peak.response.p98.5 < 15ms", "response.p98.5 < 30ms")
                .summary();
        assertThat(summary.thresholds()).extracting(ThresholdResult::open).containsExactly(true, true, false);
        assertThat(summary.thresholds().get(2).holds()).isTrue();
    }

    @Test
    void theSummarySaysWhyAndWithinWhichBoundsItWasDecided() throws IOException {
        Confidence confidence =
                requireNonNull(requireNonNull(burst().summary().measured()).confidence());
        assertThat(confidence.responseTime()).doesNotContainKey("p99");
        assertThat(requireNonNull(confidence.missing()).get("responseTime.p99")).contains("too few bursts");
        Confidence.Bounds p99 =
                requireNonNull(requireNonNull(confidence.coarse()).get("responseTime.p99"));
        assertThat(p99.low()).isBetween(0.9, 1.1);
        assertThat(p99.high()).isBetween(19.9, 20.1);
        assertThat(p99.batches()).isZero();
    }

    /** A service is not to be blamed for calls that its load generator could not make; nor does that speak for it. */
    @Test
    void whatTheLoadGeneratorFailedLeavesFailuresAndRatesOpen() throws IOException {
        RunFixture run = new RunFixture()
                .tester(1, 0, 0)
                .exchanges(61_000)
                .open(200, "constant", 0, 60_000)
                .thresholds(
                        "failed < 1%", "failed < 5%", "failed > 200", "ok > 11700", "throughput > 195/s", "ok > 12000");
        for (int i = 0; i < CALLS; i++) {
            long at = i * 5 * MILLI;
            String outcome = i % 40 > 0 ? "ok" : i % 80 == 0 ? "too many open files" : "status 500";
            run.nanos(1, 0, i % 8, 0, at, at, at + MILLI, outcome, 10);
        }
        Summary summary = run.analyze(folder).summary();
        assertThat(summary.calls().refused()).isEqualTo(150);
        // 300 of 12,000 failed, half of them by the load generator.
        assertThat(summary.thresholds())
                .extracting(ThresholdResult::open)
                .containsExactly(false, false, true, true, true, false);
        assertThat(summary.thresholds())
                .extracting(ThresholdResult::holds)
                .containsExactly(false, true, false, false, false, false);
        assertThat(summary.verdict()).isEqualTo("suspect");
    }
}
