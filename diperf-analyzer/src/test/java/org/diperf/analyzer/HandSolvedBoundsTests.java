package org.diperf.analyzer;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Analysis.MarkedInterval;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.result.Summary.AskedNumber;
import org.diperf.analyzer.result.Summary.ThresholdResult;
import org.diperf.analyzer.result.Summary.Window;
import org.diperf.analyzer.stats.FairnessStatistics;
import org.diperf.analyzer.stats.Range;
import org.diperf.analyzer.stats.Statistic;
import org.diperf.analyzer.stats.Uncertainty;
import org.diperf.analyzer.text.Finding;
import org.diperf.analyzer.text.Verdict;
import org.diperf.core.run.Warning;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A client whose 100 calls take 100 ms each, of which its tester may have added about 10. */
@Timeout(60)
class HandSolvedBoundsTests {

    /** Powers of two are recorded as they are. */
    private static final long OUT = 1 << 21;

    private static final long IN = 1 << 23;

    /** Of the 100 ms. */
    private static final double LEAST = 100 - (OUT + IN) / 1e6;

    @TempDir
    Path folder;

    private static RunFixture run(long out, long in) {
        RunFixture run = new RunFixture()
                .tester(1, 0, 0)
                .closed(1, 0, 10_000)
                .exchanges(11_000)
                .bounded(out, in);
        for (int i = 0; i < 100; i++) {
            run.call(1, 0, 100 * i, 100 * i, 100 * (i + 1) - 1e-3, "ok");
        }
        return run;
    }

    private Analysis analyze(RunFixture run) throws IOException {
        return run.analyze(Files.createTempDirectory(folder, "run"));
    }

    private static Window measured(Summary summary) {
        return requireNonNull(summary.measured());
    }

    private static Range instrument(Uncertainty range) {
        return requireNonNull(range.parts().get(Uncertainty.INSTRUMENT));
    }

    @Test
    void aPercentileAndTheMeanReachDownByWhatMayHaveBeenAdded() throws IOException {
        Summary summary = analyze(run(OUT, IN)).summary();
        for (Statistic statistic : List.of(Statistic.P50, Statistic.P95, Statistic.MEAN, Statistic.MAX)) {
            Uncertainty range = requireNonNull(
                    requireNonNull(measured(summary).responseTime()).range(statistic));
            assertThat(instrument(range).low()).as(statistic.key()).isCloseTo(LEAST, within(0.01));
            assertThat(instrument(range).high()).as(statistic.key()).isCloseTo(100, within(0.01));
        }
    }

    @Test
    void aClientWouldHaveMadeItsNextCallSoMuchSooner() throws IOException {
        Window measured = measured(analyze(run(OUT, IN)).summary());
        Range rate =
                instrument(requireNonNull(requireNonNull(measured.throughput()).range()));
        double mean = requireNonNull(measured.throughput()).mean();
        assertThat(rate.low()).isEqualTo(mean);
        assertThat(rate.high()).isCloseTo(mean * 100 / LEAST, within(0.01));
    }

    /**
     * 50 calls of 100 ms, behind each a failure at once: so a cycle is 50 ms on average, and 67 ms may have been added to an ok
     * call.
     */
    @Test
    void aThroughputThatNothingBoundsIsOfNoUse() throws IOException {
        Summary summary =
                analyze(failingHalf(1 << 25).thresholds("throughput < 500/s")).summary();
        assertThat(throughput(summary).high()).isGreaterThan(500);
        assertThat(summary.thresholds())
                .singleElement()
                .extracting(ThresholdResult::open)
                .isEqualTo(true);
    }

    private static RunFixture failingHalf(long each) {
        RunFixture run = new RunFixture()
                .tester(1, 0, 0)
                .closed(1, 0, 5_000)
                .exchanges(6_000)
                .bounded(each, each);
        for (int i = 0; i < 50; i++) {
            double end = 100 * (i + 1) - 1e-3;
            run.call(1, 0, 100 * i, 100 * i, end, "ok").call(1, 0, end, end, end, "refused");
        }
        return run;
    }

    private static Range throughput(Summary summary) {
        return instrument(
                requireNonNull(requireNonNull(measured(summary).throughput()).range()));
    }

    /** 100 calls and 50 in the same time: 2/3 and 1/3 of all. Their loads may have been held up for 105 ms of 1 s and 5.2 ms. */
    @Test
    void clientsMayHaveBeenServedMoreEvenlyOrLessByWhatHeldThemUp() throws IOException {
        RunFixture run = new RunFixture()
                .tester(1, 0, 0)
                .closed(2, 0, 10_000)
                .exchanges(11_000)
                .bounded(OUT, IN);
        for (int i = 0; i < 100; i++) {
            run.call(1, 0, 100 * i, 100 * i, 100 * (i + 1) - 1e-3, "ok");
        }
        for (int i = 0; i < 50; i++) {
            run.call(1, 1, 200 * i, 200 * i, 200 * (i + 1) - 1e-3, "ok");
        }
        Summary.Fairness fairness = requireNonNull(analyze(run).summary().fairness());
        assertThat(fairness.coefficientOfVariation()).isCloseTo(1.0 / 3, within(1e-9));
        double added = (OUT + IN) / 1e6;
        Range variation = requireNonNull(FairnessStatistics.variation(
                new double[] {100, 50}, new double[] {100 / (1 - added / 100), 50 / (1 - added / 200)}));
        Range found = instrument(requireNonNull(fairness.range("coefficientOfVariation")));
        assertThat(found.low()).isCloseTo(variation.low(), within(1e-6));
        assertThat(found.high()).isCloseTo(variation.high(), within(1e-6));
        assertThat(instrument(requireNonNull(fairness.range("jain"))).low())
                .isCloseTo(1 / (1 + variation.high() * variation.high()), within(1e-6));
        assertThat(instrument(requireNonNull(fairness.range("utilisationStddev")))
                        .high())
                .isCloseTo(variation.high() / 2, within(1e-6));
        Summary asked = analyze(run.thresholds("fairness.jain > 0.9")).summary();
        assertThat(asked.thresholds())
                .singleElement()
                .extracting(ThresholdResult::open)
                .isEqualTo(true);
    }

    @Test
    void aThresholdWithinTheRangeIsUndecidedAndItsNumberUnusable() throws IOException {
        Summary summary = analyze(
                        run(OUT, IN).thresholds("response.p50 < 95ms", "response.p50 < 150ms", "response.p50 < 80ms"))
                .summary();
        assertThat(summary.thresholds()).extracting(ThresholdResult::holds).containsExactly(false, true, false);
        assertThat(summary.thresholds()).extracting(ThresholdResult::open).containsExactly(true, false, false);
        assertThat(summary.thresholds().get(0).settle()).contains("more testers");
        assertThat(requireNonNull(summary.asked())).singleElement().satisfies(asked -> {
            assertThat(asked.number()).isEqualTo("response.p50");
            assertThat(asked.state()).isEqualTo(AskedNumber.UNUSABLE);
            assertThat(asked.low()).isCloseTo(LEAST, within(0.01));
        });
        assertThat(summary.verdict()).isEqualTo("suspect");
        assertThat(summary.warnings())
                .filteredOn(Warning::isSuspect)
                .singleElement()
                .extracting(Warning::text)
                .asString()
                .contains(
                        "response.p50 is unusable: measured as 100 ms, but its true value could be anywhere from 89.5 "
                                + "to 100, because");
    }

    @Test
    void whatIsDecidedIsValidHoweverWideItIs() throws IOException {
        Summary summary = analyze(run(1 << 25, 1 << 25).thresholds("response.p50 < 150ms"))
                .summary();
        assertThat(summary.thresholds()).extracting(ThresholdResult::holds).containsExactly(true);
        assertThat(summary.verdict()).isEqualTo("valid");
    }

    @Test
    void withoutAQuestionANumberIsUnusableWhenHalfOfItMayHaveBeenAdded() throws IOException {
        assertThat(states(run(OUT, IN))).containsExactly(AskedNumber.LIMITED, AskedNumber.LIMITED);
        assertThat(states(run(1 << 20, 1 << 20))).containsExactly(AskedNumber.VALID, AskedNumber.VALID);
        Analysis wide = analyze(run(1 << 25, 1 << 25));
        assertThat(requireNonNull(wide.summary().asked()))
                .extracting(AskedNumber::state)
                .containsExactly(AskedNumber.UNUSABLE, AskedNumber.UNUSABLE);
        assertThat(wide.summary().verdict()).isEqualTo("suspect");
        assertThat(analyze(run(1 << 25, 1 << 25).maxAdded(100_000_000))
                        .summary()
                        .verdict())
                .isEqualTo("valid");
    }

    private List<String> states(RunFixture run) throws IOException {
        return requireNonNull(analyze(run).summary().asked()).stream()
                .map(AskedNumber::state)
                .toList();
    }

    @Test
    void quantaAreShadedByWhatMayHaveBeenAdded() throws IOException {
        assertThat(analyze(run(OUT, IN)).intervals())
                .extracting(MarkedInterval::kind)
                .containsOnly(MarkedInterval.Kind.LIMITED);
        assertThat(analyze(run(1 << 25, 1 << 25)).intervals())
                .extracting(MarkedInterval::kind)
                .containsOnly(MarkedInterval.Kind.GENERATOR_LIMITED);
        assertThat(analyze(run(1 << 20, 1 << 20)).intervals()).isEmpty();
    }

    @Test
    void aTesterThatStandsStillMakesNumbersWiderAndNotTheRunSuspect() throws IOException {
        RunFixture bounded = run(OUT, IN).observation(1, "tester.hiccup", 3000, 700.0);
        bounded.thresholds("response.p50 < 150ms");
        assertThat(analyze(bounded).summary().verdict()).isEqualTo("valid");
        RunFixture unbounded = run(-1, -1).observation(1, "tester.hiccup", 3000, 700.0);
        unbounded.thresholds("response.p50 < 150ms");
        assertThat(analyze(unbounded).summary().verdict()).isEqualTo("suspect");
    }

    @Test
    void callsOfUnknownBoundsMayHaveTakenNothingAndMustBeFew() throws IOException {
        RunFixture few = run(OUT, IN);
        few.bounded(Long.MAX_VALUE, Long.MAX_VALUE).call(1, 0, 9999, 9999, 9999.5, "ok");
        Uncertainty range = requireNonNull(
                requireNonNull(measured(analyze(few).summary()).responseTime()).range(Statistic.MIN));
        assertThat(instrument(range).low()).isZero();
        RunFixture many = run(OUT, IN);
        for (int i = 0; i < 5; i++) {
            many.bounded(Long.MAX_VALUE, Long.MAX_VALUE).call(1, 0, 9990 + i, 9990 + i, 9990.5 + i, "ok");
        }
        assertThat(Verdict.of(analyze(many)).facts()).contains("no bound for the generator");
    }

    /** Calls of 100 ms, to which 10.5 ms may have been added: more than a tenth. 1 ms does not show. */
    @Test
    void theHeadlineGivesUpperBoundsOfTimesOfWhichMuchMayHaveBeenAdded() throws IOException {
        Analysis much = analyze(run(OUT, IN));
        assertThat(Finding.sentence(much)).contains(", median ≤ 100.0 ms, p99 ≤ 100.0 ms, ");
        assertThat(Verdict.trusted(much)).isEqualTo("numbers VALID, those with ≤ or ≥ as bounds");
        assertThat(Verdict.of(much).notes())
                .anyMatch(
                        note -> note.matches("up to 10.5 of the 100 ms of p50 and 10.5 of the 100 ms of p99 may be the "
                                + "load generator's, and without the load generator's delays throughput could be up to 1[12][.0-9]* calls/s; "
                                + "use more testers or less load"));
        Analysis little = analyze(run(OUT / 10, IN / 10));
        assertThat(Finding.sentence(little)).contains(", median 100.0 ms, p99 100.0 ms, ");
        assertThat(Verdict.trusted(little))
                .isEqualTo("numbers VALID: the load generator added at most 1.05 ms to the median, 1.05 ms to p99");
        assertThat(Verdict.of(little).notes()).noneMatch(note -> note.contains("load generator"));
    }

    @Test
    void aRunWithoutBoundsSaysSo() throws IOException {
        Analysis analysis = analyze(run(-1, -1));
        Uncertainty range =
                requireNonNull(measured(analysis.summary()).responseTime()).range(Statistic.P50);
        assertThat(range == null || !range.parts().containsKey(Uncertainty.INSTRUMENT))
                .isTrue();
        assertThat(Verdict.of(analysis).facts()).contains("no bound for the generator");
        assertThat(Verdict.of(analyze(run(OUT, IN))).facts()).contains("generator ≤ 10.5 ms of p50");
    }
}
