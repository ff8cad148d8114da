package org.diperf.analyzer;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.result.Summary.AskedNumber;
import org.diperf.analyzer.result.Summary.ThresholdResult;
import org.diperf.analyzer.stats.Range;
import org.diperf.analyzer.stats.Uncertainty;
import org.diperf.analyzer.text.Finding;
import org.diperf.analyzer.text.Verdict;
import org.diperf.core.run.Warning;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One of two testers stands still for a while: what its clients missed is in the range of every number that covers it. */
@Timeout(60)
class StalledTesterTests {

    /** The service takes so long, and so does a call that is known but for 0.1 ms. */
    private static final int TAKES = 20;

    private static final int CLIENTS = 5;
    private static final int RUN_FOR = 10_000;
    private static final long MICRO = 1_000;

    @TempDir
    private Path folder;

    /** Ten clients that call for ten seconds, 500 times a second together, on two testers, of which the second stands still for a while. */
    private RunFixture closed(int stallsFrom, int stallsTo) {
        RunFixture run = new RunFixture()
                .tester(1, 0, 0)
                .tester(2, 0, 0)
                .exchanges(RUN_FOR + 5_000)
                .closed(2 * CLIENTS, 0, RUN_FOR)
                .bounded(50 * MICRO, 50 * MICRO)
                .observation(2, "tester.hiccup", stallsTo, stallsTo - stallsFrom);
        for (int client = 0; client < 2 * CLIENTS; client++) {
            int tester = 1 + client % 2;
            double sent;
            for (double due = 0; due < RUN_FOR; due = sent + TAKES) {
                sent = tester == 2 && due >= stallsFrom && due < stallsTo ? stallsTo : due;
                run.call(tester, client, due, sent, sent + TAKES, "ok");
            }
        }
        return run;
    }

    private static Range generator(Summary.Throughput throughput) {
        return requireNonNull(requireNonNull(throughput.range()).parts().get(Uncertainty.INSTRUMENT));
    }

    private static Summary.Throughput throughput(Summary summary) {
        return requireNonNull(requireNonNull(summary.measured()).throughput());
    }

    @Test
    void whatItsClientsMissedAcrossTheEndIsInTheRangeOfTheThroughput() throws IOException {
        Analysis analysis = closed(8_000, 12_000)
                .thresholds(
                        "throughput > 480/s",
                        "throughput > 200/s",
                        "whole.throughput > 480/s",
                        "peak.throughput > 480/s")
                .analyze(folder);
        Summary summary = analysis.summary();
        // Five of ten clients made no call for two of ten seconds.
        assertThat(throughput(summary).mean()).isBetween(449.0, 451.0);
        assertThat(generator(throughput(summary)).high()).isBetween(500.0, 510.0);
        assertThat(summary.thresholds()).extracting(ThresholdResult::open).containsExactly(true, false, true, true);
        assertThat(summary.verdict()).isEqualTo("suspect");
        assertThat(requireNonNull(summary.asked()).get(0).state()).isEqualTo(AskedNumber.UNUSABLE);
        assertThat(String.join(
                        "; ", summary.warnings().stream().map(Warning::text).toList()))
                .contains("throughput is unusable: measured as 450 calls/s")
                .contains("tester 2 paused for 4000 ms in total, up to 4000 ms at a time");
    }

    @Test
    void whatItsClientsMissedInBetweenIsInTheRangeToo() throws IOException {
        Analysis analysis = closed(2_000, 6_000).analyze(folder);
        assertThat(throughput(analysis.summary()).mean()).isBetween(399.0, 401.0);
        assertThat(generator(throughput(analysis.summary())).high()).isBetween(500.0, 520.0);
    }

    @Test
    void aRateOfWhichMuchIsMissingIsSaidToBeOneAtLeast() throws IOException {
        Analysis analysis = closed(8_000, 12_000).analyze(folder);
        assertThat(Finding.sentence(analysis)).startsWith("≥ 450 calls/s with 10 clients, median 20.0 ms");
        assertThat(Verdict.trusted(analysis)).isEqualTo("numbers VALID, throughput as a lower bound");
        assertThat(Verdict.of(analysis).notes())
                .anyMatch(note -> note.startsWith("without the load generator's delays throughput could be up to 50"));
        Analysis whole = closed(20_000, 20_001).analyze(folder.resolve("whole"));
        assertThat(Finding.sentence(whole)).startsWith("499 calls/s with 10 clients");
    }

    /** The plan's arrivals are sent late, and their answers come when the part is over. */
    @Test
    void arrivalsThatItMadeLateAreInTheRangeOfAnOpenLoadsThroughput() throws IOException {
        RunFixture run = new RunFixture()
                .tester(1, 0, 0)
                .tester(2, 0, 0)
                .exchanges(RUN_FOR + 5_000)
                .open(200, "constant", 0, RUN_FOR)
                .bounded(50 * MICRO, 50 * MICRO)
                .thresholds("throughput > 190/s", "failed < 1%", "response.p95 < 30ms");
        for (int i = 0; i < 2_000; i++) {
            double due = 5.0 * i;
            double sent = i % 2 == 1 && due >= 8_000 ? 12_000 : due;
            run.call(1 + i % 2, i % 40, due, sent, sent + TAKES, "ok");
        }
        Summary summary = run.analyze(folder).summary();
        assertThat(throughput(summary).mean()).isBetween(179.0, 181.0);
        assertThat(generator(throughput(summary)).high()).isBetween(199.0, 201.0);
        // The calls that were due have waited for the load generator alone.
        assertThat(summary.thresholds()).extracting(ThresholdResult::open).containsExactly(true, false, true);
        assertThat(summary.thresholds())
                .extracting(ThresholdResult::breaksLater)
                .containsExactly(false, false, true);
        assertThat(summary.verdict()).isEqualTo("suspect");
    }

    /** What was held up before the part began does not count towards it for sure. */
    @Test
    void callsThatItBroughtIntoThePartAreInTheRangeOfItsThroughput() throws IOException {
        RunFixture run = new RunFixture()
                .tester(1, 0, 0)
                .exchanges(RUN_FOR + 5_000)
                .open(200, "constant", 0, RUN_FOR)
                .measure("range", 4_000, 8_000, 0)
                .bounded(50 * MICRO, 50 * MICRO)
                .thresholds("throughput > 210/s");
        for (int i = 0; i < 2_000; i++) {
            double due = 5.0 * i;
            double sent = due >= 3_000 && due < 4_500 ? 4_500 : due;
            run.call(1, i % 400, due, sent, sent + TAKES, "ok");
        }
        Summary summary = run.analyze(folder).summary();
        assertThat(throughput(summary).mean()).isBetween(249.0, 252.0);
        assertThat(generator(throughput(summary)).low()).isBetween(199.0, 201.0);
        assertThat(summary.thresholds()).extracting(ThresholdResult::open).containsExactly(true);
    }
}
