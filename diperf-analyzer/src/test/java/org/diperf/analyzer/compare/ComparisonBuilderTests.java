package org.diperf.analyzer.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.diperf.analyzer.compare.Comparison.Verdict;
import org.diperf.analyzer.compare.MetricResult.Finding;
import org.diperf.analyzer.stats.Range;
import org.diperf.analyzer.text.TerminalFormat;
import org.diperf.core.run.Warning;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ComparisonBuilderTests {

    private static final Simulated SERVICE = new Simulated(10, 0.3, 0.5, 0.005, 20, 500, 0);
    private static final long SEED = 7;

    @Test
    void aRegressionIsWorseAndTheOtherWayRoundBetter() {
        Side slow = side(SERVICE.slower(1.2), "slow", 5, 1);
        Side fast = side(SERVICE, "fast", 5, 2);
        Comparison worse = compare(fast, slow);
        Comparison better = compare(slow, fast);
        assertThat(worse.verdict()).isEqualTo(Verdict.WORSE);
        assertThat(better.verdict()).isEqualTo(Verdict.NOT_WORSE);
        MetricResult mean = mean(worse);
        assertThat(mean.finding()).isEqualTo(Finding.WORSE);
        assertThat(mean.change()).isCloseTo(0.2, within(0.02));
        assertThat(mean.low()).isLessThan(0.2).isGreaterThan(0.15);
        assertThat(mean.high()).isGreaterThan(0.2).isLessThan(0.25);
        assertThat(mean.cliffsDelta()).isEqualTo(1);
        assertThat(mean.units()).isEqualTo("runs");
        assertThat(mean(better).finding()).isEqualTo(Finding.BETTER);
        assertThat(1 + mean(better).change()).isCloseTo(1 / (1 + mean.change()), within(1e-9));
    }

    @Test
    void theSameComparisonTwiceGivesTheSameNumbers() throws Exception {
        for (int runs : new int[] {1, 3}) {
            Side a = side(SERVICE, "a", runs, 3);
            Side b = side(SERVICE.slower(1.01), "b", runs, 4);
            assertThat(ComparisonFile.json(compare(a, b))).isEqualTo(ComparisonFile.json(compare(a, b)));
        }
    }

    @Test
    void aDifferenceTooSmallToMatterDoesNotCountHoweverSureItIs() {
        Simulated steady = SERVICE.betweenRuns(0).perSecond(5000);
        Comparison comparison = compare(side(steady, "a", 5, 5), side(steady.slower(1.01), "b", 5, 6));
        assertThat(mean(comparison).p()).isLessThan(0.01);
        assertThat(mean(comparison).finding()).isEqualTo(Finding.NO_DIFFERENCE);
        assertThat(comparison.verdict()).isEqualTo(Verdict.NOT_WORSE);
    }

    @Test
    void anIntervalBeyondWhatMattersIsNoProofThatNothingChanged() throws Exception {
        Simulated noisy = new Simulated(10, 0.5, 0.9, 0, 20, 200, 0);
        Comparison comparison = null;
        for (int seed = 100; comparison == null || Math.abs(mean(comparison).change()) > 0.01; seed += 2) {
            comparison = compare(side(noisy, "a", 1, seed), side(noisy, "b", 1, seed + 1));
        }
        MetricResult mean = mean(comparison);
        assertThat(mean.high()).isGreaterThan(0.02);
        assertThat(mean.finding()).isEqualTo(Finding.COULD_NOT_TELL);
        assertThat(ComparisonText.finding(comparison)).doesNotContain("No difference that matters");
        assertThat(ComparisonTable.render(comparison, TerminalFormat.PLAIN)).contains("could not tell");
        assertThat(ComparisonFile.json(comparison)).contains("\"finding\" : \"could-not-tell\"");
    }

    @Test
    void anIntervalThatHidesWhatAnybodyWouldCallWorseDecidesNothing() {
        Simulated noisy = new Simulated(10, 1, 0.9, 0, 20, 200, 0);
        Comparison comparison = compare(side(noisy, "a", 1, 100), side(noisy, "b", 1, 101));
        assertThat(mean(comparison).halfWidth()).isGreaterThan(0.1);
        assertThat(comparison.verdict()).isEqualTo(Verdict.UNDECIDABLE);
        assertThat(comparison.reasons())
                .anyMatch(why -> why.matches("response mean [-+].* %\\): undecided whether b is worse than a; .*"));
        // The widest interval is what takes most to settle, so it comes first; and no reason is said twice.
        assertThat(ComparisonText.finding(comparison))
                .isEqualTo(comparison.reasons().get(0) + ".");
        assertThat(ComparisonText.reasonsBesides(comparison))
                .isEqualTo(comparison.reasons().subList(1, comparison.reasons().size()));
    }

    /**
     * From -20 to +20 % by four runs a side: half the width, 0.2027, is 1.99 times the 0.1019 that 10 % are on the logarithmic scale. With
     * Student's t of 6 degrees of freedom 2.4469, of 20 2.0860 and of 22 2.0739, 11 runs leave 1.023 of what is wanted, and 12 leave 0.974.
     */
    @Test
    void whatWouldSettleItIsSaidInRuns() {
        Side side = new Side("a", List.of(), List.of(), Optional.empty());
        MetricResult open = new MetricResult(
                Metric.RESPONSE_MEAN,
                10,
                9.8,
                -0.02,
                -0.2,
                0.2,
                0.5,
                0.5,
                0,
                0,
                "runs",
                4,
                4,
                new Range(0, 0),
                Finding.NOT_SURE);
        Contrast contrast = new Contrast(side, side, true, List.of(open), List.of(), List.of());
        assertThat(contrast.runsToTell(open, 0.1)).hasValue(12);
        assertThat(contrast.runsToTell(open, 0.01)).isEmpty();
        assertThat(ComparisonText.undecided(contrast, open, Settings.DEFAULT))
                .isEqualTo(
                        "response mean -2.0 % (95 % interval -20.0 to +20.0 %): undecided whether a is worse than a; about 12 "
                                + "runs per side would tell to within 10 %");
    }

    @Test
    void whatCanOnlyBeBetterIsNotWorse() {
        MetricResult better = new MetricResult(
                Metric.RESPONSE_MEAN,
                10,
                9.9,
                -0.01,
                -0.28,
                0.01,
                0.5,
                0.5,
                0,
                0,
                "runs",
                3,
                3,
                new Range(-0.01, -0.01),
                Finding.COULD_NOT_TELL);
        assertThat(better.isOpen(Settings.DEFAULT)).isFalse();
        MetricResult throughput = new MetricResult(
                Metric.THROUGHPUT,
                10,
                9.9,
                -0.01,
                -0.28,
                0.01,
                0.5,
                0.5,
                0,
                0,
                "runs",
                3,
                3,
                new Range(0, 0),
                Finding.COULD_NOT_TELL);
        assertThat(throughput.isOpen(Settings.DEFAULT)).isTrue();
        assertThat(throughput.isOpen(Settings.DEFAULT.with(List.of(), 0.2))).isFalse();
    }

    @Test
    void whatIsToldToWithinTenPerCentIsDecided() {
        MetricResult told = new MetricResult(
                Metric.RESPONSE_P99,
                10,
                10.1,
                0.01,
                -0.08,
                0.1,
                0.5,
                0.5,
                0,
                0,
                "runs",
                3,
                3,
                new Range(0, 0),
                Finding.COULD_NOT_TELL);
        assertThat(told.isOpen(Settings.DEFAULT)).isFalse();
    }

    @Test
    void oneRunASideSaysThatItCannotSeeWhatVariesFromRunToRun() {
        Comparison comparison = compare(side(SERVICE, "a", 1, 7), side(SERVICE.slower(1.2), "b", 1, 8));
        assertThat(comparison.verdict()).isEqualTo(Verdict.WORSE);
        assertThat(mean(comparison).units()).isEqualTo("batches");
        assertThat(comparison.allNotes())
                .anyMatch(note -> note.contains("there are too few runs to show how results vary from run to run"));
    }

    @Test
    void failuresAreJudgedInPercentagePoints() {
        Comparison comparison = compare(side(SERVICE, "a", 3, 9), side(SERVICE.failing(0.02), "b", 3, 10));
        MetricResult failed = comparison.contrasts().get(0).result(Metric.FAILED);
        assertThat(failed.finding()).isEqualTo(Finding.WORSE);
        assertThat(failed.valueA()).isZero();
        assertThat(failed.change()).isCloseTo(0.02, within(0.005));
        assertThat(ComparisonText.change(Metric.FAILED, 0.02)).isEqualTo("+2.00 points");
    }

    @Test
    void aRuleIsBrokenOnlyWhenTheIntervalLiesBeyondIt() {
        Side a = side(SERVICE, "a", 5, 11);
        Side b = side(SERVICE.slower(1.2), "b", 5, 12);
        assertThat(ruled(a, b, "response.mean +10%").verdict()).isEqualTo(Verdict.WORSE);
        assertThat(ruled(a, b, "response.mean +19.9%").verdict()).isEqualTo(Verdict.NOT_WORSE);
        assertThat(ruled(a, b, "response.mean +30%").verdict()).isEqualTo(Verdict.NOT_WORSE);
        assertThat(ruled(a, b, "throughput -1%").verdict()).isEqualTo(Verdict.NOT_WORSE);
        assertThat(ruled(a, b, "failed +1%").verdict()).isEqualTo(Verdict.NOT_WORSE);
    }

    @Test
    void aRuleThatTheDataCannotTellIsUndecidable() {
        Side a = side(SERVICE, "a", 1, 13);
        Comparison comparison = ruled(a, side(SERVICE, "b", 1, 14), "response.p99.9 +5%");
        assertThat(comparison.verdict()).isEqualTo(Verdict.UNDECIDABLE);
        assertThat(comparison.reasons()).singleElement().asString().contains("too few calls");
    }

    @Test
    void aPercentileWantsItsCallsInEveryRunSoThatMoreRunsDoNotHelp() {
        Simulated few = new Simulated(10, 0.3, 0.5, 0.005, 18, 50, 0);
        Comparison comparison = ruled(side(few, "a", 5, 13), side(few, "b", 5, 14), "response.p99 +50%");
        assertThat(comparison.verdict()).isEqualTo(Verdict.UNDECIDABLE);
        assertThat(comparison.reasons())
                .containsExactly(
                        "'response.p99 +50%' for b: response p99 needs 1,000 ok calls in every run (the smallest has "
                                + "900): make the runs longer; additional runs would not help");

        Simulated longer = new Simulated(10, 0.3, 0.5, 0.005, 23, 50, 0);
        assertThat(ruled(side(longer, "a", 3, 13), side(longer, "b", 3, 14), "response.p99 +50%")
                        .verdict())
                .isEqualTo(Verdict.NOT_WORSE);
    }

    @Test
    void aBrokenRuleIsNotExcusedByOneThatCannotBeTold() {
        Comparison comparison = ruled(
                side(SERVICE, "a", 1, 15),
                side(SERVICE.slower(1.5), "b", 1, 16),
                "response.p99.9 +5%",
                "response.mean +5%");
        assertThat(comparison.verdict()).isEqualTo(Verdict.WORSE);
    }

    @Test
    void theHeadlineOfWhatPassesSaysThatItIsNotWorse() {
        Comparison passed = null;
        for (int seed = 100; passed == null; seed += 2) {
            Comparison comparison = compare(side(SERVICE, "a", 1, seed), side(SERVICE, "b", 1, seed + 1));
            Contrast contrast = comparison.contrasts().get(0);
            boolean isOpen = !contrast.found(Finding.COULD_NOT_TELL).isEmpty()
                    && Stream.of(Finding.NOT_SURE, Finding.BETTER, Finding.WORSE)
                            .allMatch(finding -> contrast.found(finding).isEmpty());
            passed = isOpen && comparison.verdict() == Verdict.NOT_WORSE ? comparison : null;
        }
        assertThat(ComparisonText.finding(passed))
                .matches(
                        "response mean [-+].* %\\): b was not shown to be worse than a; these runs cannot show a change in "
                                + "response [a-z0-9.]+ below about [0-9.]+ %\\.");
    }

    @Test
    void theHeadlineOfRulesThatAreKeptNamesThem() {
        Comparison comparison = ruled(
                side(SERVICE, "a", 1, 100), side(SERVICE, "b", 1, 101), "response.p50 +50%", "response.mean +50%");
        assertThat(comparison.verdict()).isEqualTo(Verdict.NOT_WORSE);
        assertThat(ComparisonText.finding(comparison))
                .startsWith("response p50 ")
                .contains(" against a limit of 'response.p50 +50%', response mean ")
                .endsWith(" against a limit of 'response.mean +50%': b is not worse than a by more than allowed.");
    }

    @Test
    void whatSpoilsTheNumbersMakesItUndecidable() {
        Side a = side(SERVICE, "a", 3, 17);
        Side b = side(SERVICE.slower(1.5), "b", 3, 18);
        Comparison comparison =
                ComparisonBuilder.compare(List.of(a, b), Settings.DEFAULT, List.of("different experiments"), List.of());
        assertThat(comparison.verdict()).isEqualTo(Verdict.UNDECIDABLE);
        assertThat(ComparisonText.finding(comparison))
                .startsWith("response mean +")
                .endsWith(" Nothing is decided: different experiments.")
                .doesNotContain("worse");
    }

    @Test
    void suspectRunsAreLeftOutWhereOthersRemain() {
        MeasuredRun good = side(SERVICE, "a", 1, 19).runs().get(0);
        MeasuredRun suspect = new MeasuredRun(
                "a/2",
                good.batches(),
                null,
                "suspect",
                List.of(
                        Warning.note(Warning.Subject.RUN, "the run was cut short"),
                        Warning.suspect(Warning.Subject.GENERATOR, "the load generator was the limit")),
                null);
        Side some = Side.of("a", List.of(good, suspect), false);
        assertThat(some.runs()).containsExactly(good);
        assertThat(some.leftOut()).containsExactly("a/2 is suspect (the load generator was the limit)");
        assertThat(some.obstacle()).isEmpty();
        assertThat(Side.of("a", List.of(suspect), false).obstacle()).isPresent();
        assertThat(Side.of("a", List.of(suspect), true).obstacle()).isEmpty();
    }

    @Test
    void nothingMeasuredIsUndecidable() {
        CallBatches empty = new CallBatches(0, 1_000_000_000, 0, 0, MeasuredRun.BATCHES);
        Side none = Side.of("none", List.of(MeasuredRun.of("none", empty)), false);
        Comparison comparison = compare(side(SERVICE, "a", 1, 20), none);
        assertThat(comparison.verdict()).isEqualTo(Verdict.UNDECIDABLE);
        assertThat(ComparisonTable.render(comparison, TerminalFormat.PLAIN)).contains("0 ok calls");
    }

    @Test
    void manySidesAreComparedWithTheFirst() {
        Comparison comparison = ComparisonBuilder.compare(
                List.of(
                        side(SERVICE, "base", 3, 21),
                        side(SERVICE, "same", 3, 22),
                        side(SERVICE.slower(1.3), "slow", 3, 23)),
                Settings.DEFAULT,
                List.of(),
                List.of());
        assertThat(comparison.verdict()).isEqualTo(Verdict.WORSE);
        assertThat(comparison.contrasts().get(0).found(Finding.WORSE)).isEmpty();
        assertThat(comparison.contrasts().get(1).found(Finding.WORSE)).isNotEmpty();
        assertThat(ComparisonTable.render(comparison, TerminalFormat.PLAIN))
                .contains(" slow ")
                .contains("+29.7 % *");
    }

    @Test
    void aDriftOverTheWholeRunIsSaid() {
        CallBatches drifting = new CallBatches(0, 20_000_000_000L, 0, 0, MeasuredRun.BATCHES);
        for (int call = 0; call < 20_000; call++) {
            drifting.ok(0, call * 1_000_000L, 10_000_000 + call * 500L, 0);
        }
        Comparison comparison =
                compare(Side.of("a", List.of(MeasuredRun.of("a", drifting)), false), side(SERVICE, "b", 1, 24));
        assertThat(comparison.allNotes()).anyMatch(note -> note.contains("a drifts throughout the run"));
    }

    @Test
    void rulesAreReadAndMisreadOnesExplained() {
        assertThat(FailRule.parse("response.p99 +5%").change()).isEqualTo(0.05);
        assertThat(FailRule.parse("responseTime.p999+7.5 %").metric().path()).isEqualTo("response.p99.9");
        assertThat(FailRule.parse("throughput 3%").change()).isEqualTo(-0.03);
        assertThatThrownBy(() -> FailRule.parse("throughput +3%")).hasMessageContaining("gets worse when it falls");
        assertThatThrownBy(() -> FailRule.parse("respons.p99 +3%")).hasMessageContaining("response.p99");
        assertThatThrownBy(() -> FailRule.parse("response.p99 < 5ms")).hasMessageContaining("response.p99 +5%");
    }

    @Test
    void jainIsOneForEqualSharesAndOneOfNForOneClientAlone() {
        assertThat(JainIndex.index(new long[] {5, 5, 5, 5})).isEqualTo(1);
        assertThat(JainIndex.index(new long[] {8, 0, 0, 0})).isEqualTo(0.25);
        assertThat(JainIndex.index(new long[] {3})).isNaN();
    }

    private static MetricResult mean(Comparison comparison) {
        return comparison.contrasts().get(0).result(Metric.RESPONSE_MEAN);
    }

    /** A call of 10 ms every 10 ms for 10 s, each sent late. */
    private static MeasuredRun late(String name, long lagNanos) {
        long length = 10_000_000_000L;
        CallBatches batches = new CallBatches(0, length, length, length, MeasuredRun.BATCHES);
        for (long end = 0; end < length; end += 10_000_000) {
            batches.ok(0, end, 10_000_000, lagNanos);
        }
        return MeasuredRun.of(name, batches);
    }

    @Test
    void whichPartOfAResponseWasLagIsSaidOfTheRunThatHadMost() {
        Side several = Side.of("a", List.of(late("a/1", 0), late("a/2", 4_000_000)), false);
        Side one = Side.of("b", List.of(late("b/1", 3_000_000)), false);

        assertThat(compare(several, one).allNotes())
                .anyMatch(note -> note.startsWith("calls of one run of a spent 40 % of their response time waiting"))
                .anyMatch(note -> note.startsWith("calls of b spent 30 % of their response time waiting"));
    }

    private static Side side(Simulated service, String name, int runs, long seed) {
        return service.side(name, runs, new SplittableRandom(SEED + seed));
    }

    private static Comparison compare(Side a, Side b) {
        return ComparisonBuilder.compare(List.of(a, b), Settings.DEFAULT, List.of(), List.of());
    }

    private static Comparison ruled(Side a, Side b, String... rules) {
        List<FailRule> read = List.of(rules).stream().map(FailRule::parse).toList();
        return ComparisonBuilder.compare(List.of(a, b), Settings.DEFAULT.with(read, 0.02), List.of(), List.of());
    }
}
