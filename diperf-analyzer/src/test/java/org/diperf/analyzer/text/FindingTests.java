package org.diperf.analyzer.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.diperf.analyzer.ExampleRuns;
import org.diperf.analyzer.RunFixture;
import org.diperf.analyzer.StageRecords;
import org.diperf.core.run.ProbeRecord;
import org.diperf.core.run.SearchRecord;
import org.diperf.core.sample.Outcome;
import org.diperf.core.spi.Failure;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class FindingTests {

    @TempDir
    private Path folder;

    @Test
    void ofClosedLoadNamesClientsAndTheKnee() {
        assertThat(Finding.sentence(ExampleRuns.named("saturation")))
                .startsWith("402 calls/s with 64 clients, median 157.1 ms, p99 216.3 ms, ")
                .endsWith(" failed, throughput stopped growing at about 24 clients");
    }

    @Test
    void ofOpenLoadSaysWhatWasOfferedAndWhatWasNeverSent() {
        assertThat(Finding.sentence(ExampleRuns.named("open")))
                .startsWith("142 calls/s of 200/s offered, median 12.1 ms, p99 34 ms (up to 12,000), ")
                .endsWith(", 0.012 % of 8,549 calls failed, 4.58 % were never sent");
    }

    @Test
    void aServiceThatAnswersAllThatIsOfferedButSomeOfItWronglyIsNotSaidToFallBehind() throws IOException {
        RunFixture run = new RunFixture().tester(1, 0, 0).exchanges(12_000).open(60, "constant", 0, 10_000);
        for (int i = 0; i < 600; i++) {
            long at = i * 1_000_000_000L / 60;
            run.nanos(1, 0, i % 60, 0, at, at, at + 5_000_000, i % 50 < 11 ? "status 201" : "ok", 10);
        }
        assertThat(Finding.sentence(run.analyze(folder)))
                .startsWith("46.8 ok of 60.0 calls/s, median ")
                .endsWith(", 22.0 % of 600 calls failed");
    }

    @Test
    void ofOneCallIsInTheSingular() {
        assertThat(Finding.sentence(ExampleRuns.named("one-call")))
                .isEqualTo("1.00 calls/s with 1 client, median 3.50 ms, longest 3.50 ms, no failures");
    }

    @Test
    void withoutAnOkCallClaimsNoNumbers() {
        assertThat(Finding.sentence(ExampleRuns.named("empty"))).isEqualTo("no call was made");
        assertThat(Finding.sentence(ExampleRuns.named("all-failed")))
                .isEqualTo("no call succeeded: all 50 failed, with connection refused");
    }

    @Test
    void whatCanBeDoneIsSaidWhereNoCallSucceeded() throws IOException {
        RunFixture run = new RunFixture().tester(1, 0, 0).exchanges(2_000).closed(1, 0, 1_000);
        String refused =
                Outcome.ofFailure(Failure.ofService("connection refused").remedied("start the service"));
        for (int i = 0; i < 10; i++) {
            run.nanos(1, 0, 0, 0, i * 100_000_000L, i * 100_000_000L, i * 100_000_000L + 1_000_000, refused, 0);
        }
        assertThat(Finding.sentence(run.analyze(folder)))
                .isEqualTo("no call succeeded: all 10 failed, with connection refused; start the service");
    }

    @Test
    void ofASearchSaysUpToWhatItHoldsAndWhereItBreaks() {
        assertThat(Finding.sentence(ExampleRuns.named("search")))
                .startsWith(
                        "fixture meets response.p99 < 111ms and failed < 1% up to 350 calls/s (344–377). At that point, the median response time was ");
    }

    @Test
    void ofASearchThatSawHigherValuesHoldThanBreakSpansAllThatContradicts() throws IOException {
        RunFixture run = new RunFixture().tester(1, 0, 0).exchanges(9000);
        double[] values = {400, 341, 345, 345, 338, 332};
        for (int stage = 0; stage < values.length; stage++) {
            run.stage(
                    StageRecords.level(stage, 1000L * stage, 1000L * stage + 1000, values[stage], 1000L * stage + 10));
            for (int i = 1; i < 300; i++) {
                long at = 1_000_000_000L * stage + i * 1_000_000_000L / 300;
                run.nanos(1, stage, i, 0, at, at, at + 10_000_000, "ok", 10);
            }
        }
        SearchRecord search = new SearchRecord(
                "rate",
                1,
                1000,
                List.of("response.p99 < 50ms"),
                List.of(
                        new ProbeRecord(0, 400, "step up", false, "", "response.p99 100 ms"),
                        new ProbeRecord(1, 341, "bisect", true, "", ""),
                        new ProbeRecord(2, 345, "bisect", true, "", ""),
                        new ProbeRecord(3, 345, "recheck", false, "", "response.p99 100 ms"),
                        new ProbeRecord(4, 338, "recheck", false, "", "response.p99 100 ms"),
                        new ProbeRecord(5, 332, "recheck", true, "", "")),
                332.0,
                330.0,
                347.0,
                338.0,
                "");

        assertThat(Finding.sentence(run.search(search).analyze(folder)))
                .startsWith("fixture meets response.p99 < 50ms up to 332 calls/s (330–347). At that point, the median")
                .endsWith(" Probes in that interval passed and failed by chance: a longer hold narrows it.");
    }

    @Test
    void ofLevelsNamesTheBestOneAndLeavesOutThoseOfTheGenerator() {
        assertThat(Finding.sentence(ExampleRuns.named("levels")))
                .startsWith(
                        "fixture answered at most 413 calls/s, with 32 clients (8 levels from 1 to 128); median response")
                .endsWith(
                        " Left out: 1 level at which the load generator was the limit or a tester was lost. The knee is at"
                                + " 8.13 clients (95 %: 7.68 to 8.58), with 397 calls/s.");
    }

    /** Levels of 10/s and 20/s with calls of 10 ms; those at 20/s are sent late. */
    private static RunFixture tenAndTwenty(long lagNanos) {
        RunFixture run = new RunFixture().tester(1, 0, 0).exchanges(9000);
        for (int stage = 0; stage < 2; stage++) {
            run.stage(StageRecords.level(
                    stage, 4000L * stage, 4000L * stage + 4000, 10.0 * (stage + 1), 4000L * stage + 10));
            for (int i = 1; i < 40 * (stage + 1); i++) {
                long at = 4_000_000_000L * stage + i * 100_000_000L / (stage + 1);
                long sent = at + stage * lagNanos;
                run.nanos(1, stage, i, 0, at, sent, sent + 10_000_000, "ok", 10);
            }
        }
        return run;
    }

    /** A search in which 10/s held, and which then tried another rate. */
    private static SearchRecord tenHolds(@Nullable Double failedAt, ProbeRecord then) {
        return new SearchRecord(
                "rate",
                1,
                1000,
                List.of("response.p99 < 50ms"),
                List.of(new ProbeRecord(0, 10, "recheck", true, "response.p99 10 ms", ""), then),
                10.0,
                10.0,
                failedAt,
                failedAt,
                "10/s holds");
    }

    @Test
    void ofASearchInWhichTheGeneratorWasTheLimitSaysSo() throws IOException {
        RunFixture run = tenAndTwenty(90_000_000L);
        SearchRecord search =
                tenHolds(20.0, new ProbeRecord(1, 20, "step up", false, "response.p99 100 ms", "response.p99 100 ms"));

        assertThat(Finding.sentence(run.search(search).analyze(folder)))
                .isEqualTo(
                        "fixture meets response.p99 < 50ms up to 10 calls/s; no failure was seen. At that point, the "
                                + "median response time was 10.0 ms, 99 % within 10.0 ms. At 20 calls/s the load generator was "
                                + "the limit.");
    }

    @Test
    void ofASearchThatEndedAtAValueWhichCouldNotBeToldNamesIt() throws IOException {
        RunFixture run = tenAndTwenty(0);
        SearchRecord search = tenHolds(
                null, new ProbeRecord(1, 20, "step up", null, "response.p99 10 to 60 ms", "response.p99 10 to 60 ms"));

        assertThat(Finding.sentence(run.search(search).analyze(folder)))
                .startsWith(
                        "fixture meets response.p99 < 50ms up to 10 calls/s; undecided at 20, and no failure was seen. At that point, the median");
    }
}
