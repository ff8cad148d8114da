package org.diperf.analyzer;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.CallStatistics;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.result.Summary.ThresholdResult;
import org.diperf.analyzer.text.Finding;
import org.diperf.core.run.Warning;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Calls that were due in the measured part and ended after it: a service that hangs does not pass. */
@Timeout(60)
class LateCallsTests {

    private static final long MILLI = 1_000_000;

    @TempDir
    private Path folder;

    /** What becomes of a call that is due at an instant. */
    @FunctionalInterface
    private interface Service {
        /** Returns how long it takes, ms; negative: so long, and then it has timed out. */
        long millis(long dueMillis);
    }

    /** Calls at 50/s for six seconds. */
    private Analysis open(Service service, String... thresholds) throws IOException {
        RunFixture run = new RunFixture()
                .tester(1, 0, 0)
                .exchanges(40_000)
                .open(50, "constant", 0, 6_000)
                .thresholds(thresholds);
        for (int i = 0; i < 300; i++) {
            long due = 20L * i;
            long took = service.millis(due);
            long at = due * MILLI;
            run.nanos(1, 0, i % 8, 0, at, at, at + Math.abs(took) * MILLI, took < 0 ? "timeout" : "ok", 0);
        }
        return run.analyze(folder);
    }

    private static CallStatistics late(Summary summary) {
        return requireNonNull(requireNonNull(summary.measured()).withLate());
    }

    private static String warned(Summary summary) {
        return String.join("; ", summary.warnings().stream().map(Warning::text).toList());
    }

    @Test
    void aServiceThatFreezesUntilTheLoadIsOverFails() throws IOException {
        Summary summary = open(
                        due -> due < 3_000 ? 10 : 10_000 - due,
                        "response.p95 < 100ms",
                        "failed < 1%",
                        "response.p50 < 5ms",
                        "peak.response.p95 < 100ms",
                        "whole.response.p50 < 5s")
                .summary();
        assertThat(requireNonNull(summary.measured()).calls().total()).isEqualTo(150);
        assertThat(late(summary).calls().total()).isEqualTo(300);
        assertThat(summary.thresholds())
                .extracting(ThresholdResult::holds)
                .containsExactly(false, true, false, false, true);
        assertThat(summary.thresholds())
                .extracting(ThresholdResult::breaksLater)
                .containsExactly(true, false, false, true, false);
        assertThat(summary.thresholds().get(0).observed())
                .isEqualTo("6700 ms including the calls that were due in the measured part but ended after it");
        assertThat(summary.verdict()).isEqualTo("suspect");
        assertThat(warned(summary))
                .contains("150 calls were due in the measured part but ended after it: including them, 95 % took up to "
                        + "6700 ms instead of 10 ms");
    }

    @Test
    void callsThatTimeOutAfterItFail() throws IOException {
        Analysis analysis = open(due -> due % 100 == 0 ? -30_000 : 10, "failed < 1%");
        Summary summary = analysis.summary();
        assertThat(requireNonNull(summary.measured()).calls().failed()).isZero();
        assertThat(late(summary).calls().failed()).isEqualTo(60);
        assertThat(summary.thresholds()).extracting(ThresholdResult::fails).containsExactly(true);
        assertThat(summary.thresholds().get(0).observed()).startsWith("20%");
        assertThat(Finding.sentence(analysis))
                .contains("no failures, but 60 calls due in the measured part failed after it");
        assertThat(warned(summary)).contains("60 calls were due", "including them, 20.0 % failed instead of 0.0 %");
    }

    /** Throughput is of what ended in time. */
    @Test
    void aSteadyServiceIsJudgedAsBefore() throws IOException {
        Analysis analysis = open(due -> 30, "response.p95 < 31ms", "throughput > 49/s", "failed < 1%");
        Summary summary = analysis.summary();
        assertThat(late(summary).calls().total()).isEqualTo(300);
        assertThat(requireNonNull(summary.measured()).calls().total()).isEqualTo(299);
        assertThat(requireNonNull(late(summary).throughput()).mean())
                .isEqualTo(requireNonNull(requireNonNull(summary.measured()).throughput())
                        .mean());
        assertThat(summary.thresholds()).extracting(ThresholdResult::fails).containsOnly(false);
        assertThat(warned(summary)).doesNotContain("ended after it");
        assertThat(Finding.sentence(analysis)).doesNotContain("more failed that were due");
    }

    @Test
    void whereAllEndedInTimeNothingIsSaid() throws IOException {
        Summary summary = open(due -> 10).summary();
        assertThat(requireNonNull(summary.measured()).withLate()).isNull();
    }

    @Test
    void aCallThatWasDueBeforeThePartIsNotOneOfIt() throws IOException {
        RunFixture run = new RunFixture()
                .tester(1, 0, 0)
                .exchanges(40_000)
                .open(50, "constant", 0, 6_000)
                .measure("range", 2_000, 4_000, 0);
        for (int i = 0; i < 300; i++) {
            long at = 20L * i * MILLI;
            // Of all that are due before 2 s none ends before 5 s.
            run.nanos(1, 0, i % 8, 0, at, at, at < 2_000 * MILLI ? 5_000 * MILLI : at + 10 * MILLI, "ok", 0);
        }
        Summary summary = run.analyze(folder).summary();
        assertThat(requireNonNull(summary.measured()).calls().total()).isEqualTo(100);
        assertThat(requireNonNull(summary.measured()).withLate()).isNull();
    }
}
