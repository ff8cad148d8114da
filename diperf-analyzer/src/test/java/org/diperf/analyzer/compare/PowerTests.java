package org.diperf.analyzer.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.diperf.analyzer.compare.Comparison.Verdict;
import org.diperf.analyzer.compare.MetricResult.Finding;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** How often a comparison finds what is there, and how often what is not. */
@Timeout(300)
class PowerTests {

    /** Another one is as good: {@code -Ddiperf.power.seed=N}. */
    private static final long SEED = Long.getLong("diperf.power.seed", 20_261_121);

    /** Of so many pairs: those called worse, those called different, and those whose interval of the mean holds the truth. */
    private record Counts(int worse, int different, int covered) {}

    @Test
    void aRegressionOfFivePerCentIsFoundInNearlyAllOfFewPairs() {
        assertThat(pairs(Simulated.DEFAULT, 1.05, 5, 8, SEED).worse()).isGreaterThanOrEqualTo(6);
    }

    @Test
    void equalRunsAreRarelyCalledDifferentInFewPairs() {
        assertThat(pairs(Simulated.DEFAULT, 1, 5, 8, SEED + 1).different()).isLessThanOrEqualTo(1);
    }

    @Test
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    void aRegressionOfFivePerCentIsFoundIn95Of100Pairs() {
        Counts counts = pairs(Simulated.DEFAULT, 1.05, 5, 100, SEED);
        assertThat(counts.worse()).isGreaterThanOrEqualTo(95);
        assertThat(counts.covered()).isGreaterThanOrEqualTo(88);
    }

    @Test
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    void atMostFiveOf100EqualPairsAreCalledDifferent() {
        Counts counts = pairs(Simulated.DEFAULT, 1, 5, 100, SEED + 1);
        assertThat(counts.different()).isLessThanOrEqualTo(5);
        assertThat(counts.covered()).isGreaterThanOrEqualTo(88);
    }

    @Test
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    void threeRunsASideAreEnoughForTenPerCent() {
        assertThat(pairs(Simulated.DEFAULT, 1.1, 3, 100, SEED + 2).worse()).isGreaterThanOrEqualTo(90);
        assertThat(pairs(Simulated.DEFAULT, 1, 3, 100, SEED + 3).different()).isLessThanOrEqualTo(5);
    }

    @Test
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    void oneRunASideFindsTenPerCentWhereRunsDoNotVary() {
        Simulated steady = Simulated.DEFAULT.betweenRuns(0);
        Counts slower = pairs(steady, 1.1, 1, 100, SEED + 4);
        assertThat(slower.worse()).isGreaterThanOrEqualTo(95);
        assertThat(slower.covered()).isGreaterThanOrEqualTo(88);
        Counts equal = pairs(steady, 1, 1, 100, SEED + 5);
        assertThat(equal.different()).isLessThanOrEqualTo(5);
        assertThat(equal.covered()).isGreaterThanOrEqualTo(88);
    }

    @Test
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    void fewerCallsFindLessButCryWolfNoMore() {
        int found = 0;
        for (int perSecond : new int[] {250, 500, 2000}) {
            int worse = pairs(Simulated.DEFAULT.perSecond(perSecond), 1.05, 5, 100, SEED + 6)
                    .worse();
            assertThat(worse).isGreaterThan(found);
            found = worse;
            assertThat(pairs(Simulated.DEFAULT.perSecond(perSecond), 1, 5, 100, SEED + 7)
                            .different())
                    .isLessThanOrEqualTo(5);
        }
    }

    private static Counts pairs(Simulated service, double slower, int runs, int pairs, long seed) {
        int worse = 0;
        int different = 0;
        int covered = 0;
        SplittableRandom random = new SplittableRandom(seed);
        for (int pair = 0; pair < pairs; pair++) {
            Side a = service.side("a", runs, random);
            Side b = service.slower(slower).side("b", runs, random);
            Comparison comparison = ComparisonBuilder.compare(List.of(a, b), Settings.DEFAULT, List.of(), List.of());
            Contrast contrast = comparison.contrasts().get(0);
            worse += comparison.verdict() == Verdict.WORSE ? 1 : 0;
            different += contrast.found(Finding.WORSE).size()
                                    + contrast.found(Finding.BETTER).size()
                            > 0
                    ? 1
                    : 0;
            MetricResult mean = contrast.result(Metric.RESPONSE_MEAN);
            covered += mean.low() <= slower - 1 && slower - 1 <= mean.high() ? 1 : 0;
        }
        System.err.printf(
                Locale.ROOT,
                "seed %d: %d calls/s, x %.2f, %d runs a side: of %d pairs %d worse, %d different, %d intervals of the mean"
                        + " hold the truth%n",
                seed,
                service.perSecond(),
                slower,
                runs,
                pairs,
                worse,
                different,
                covered);
        return new Counts(worse, different, covered);
    }
}
