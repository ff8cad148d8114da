package org.diperf.analyzer.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FairnessStatisticsTests {

    @Test
    void theNumbersAreThoseSolvedByHand() {
        // Mean 2.5; deviations squared 2.25 0.25 0.25 2.25, their mean 1.25; Jain 100 / (4 * 30).
        FairnessStatistics of = FairnessStatistics.of(new double[] {3, 1, 4, 2}, 1);
        assertThat(of.deviation()).isEqualTo(Math.sqrt(1.25));
        assertThat(of.jain()).isEqualTo(100.0 / 120);
        assertThat(of.variation()).isEqualTo(Math.sqrt(1.25) / 2.5);
        assertThat(of.jain()).isCloseTo(1 / (1 + of.variation() * of.variation()), within(1e-12));
        assertThat(of.maxToMin()).isEqualTo(4);
        assertThat(of.p99ToP50()).isEqualTo(2);
        assertThat(of.jainInterval().reason()).isEqualTo("only 4 clients, but at least 10 are required");
    }

    @Test
    void theSameSeedGivesTheSameIntervals() {
        double[] shares = new SplittableRandom(5).doubles(100).toArray();
        assertThat(FairnessStatistics.of(shares, 42)).isEqualTo(FairnessStatistics.of(shares, 42));
        assertThat(FairnessStatistics.of(shares, 42).jainInterval())
                .isNotEqualTo(FairnessStatistics.of(shares, 43).jainInterval());
    }

    @Test
    void whatIsSharedOutEvenlyIsOneWithoutDoubt() {
        double[] shares = new double[20];
        Arrays.fill(shares, 0.05);
        FairnessStatistics of = FairnessStatistics.of(shares, 1);
        assertThat(of.jain()).isCloseTo(1, within(1e-12));
        assertThat(of.jainInterval().low()).isCloseTo(1, within(1e-12));
        assertThat(of.deviation()).isCloseTo(0, within(1e-12));
    }

    @Test
    void aClientThatHadNothingLeavesNoRatioOfExtremes() {
        double[] shares = new double[20];
        Arrays.fill(shares, 5, 20, 1);
        FairnessStatistics of = FairnessStatistics.of(shares, 1);
        assertThat(of.maxToMin()).isInfinite();
        assertThat(of.p99ToP50()).isEqualTo(1);
    }

    @Test
    void theVariationOfSharesWithinLimitsIsThatOfTheirMiddlesMovedByHalfTheLimits() {
        // Middles 1.5 and 3.5 (mean 2.5, deviation 1), each moved by up to 0.5: (1 - 0.5) / 3 to (1 + 0.5) / 2.
        Range range = Objects.requireNonNull(FairnessStatistics.variation(new double[] {1, 3}, new double[] {2, 4}));
        assertThat(range.low()).isCloseTo(0.5 / 3, within(1e-12));
        assertThat(range.high()).isCloseTo(0.75, within(1e-12));
        assertThat(FairnessStatistics.variation(new double[] {0, 0}, new double[] {1, 1}))
                .isNull();
        assertThat(FairnessStatistics.variation(new double[] {1, 3}, new double[] {2, Double.POSITIVE_INFINITY}))
                .isNull();
    }

    @Test
    void noSharesWithinLimitsVaryByMoreOrLess() {
        SplittableRandom random = new SplittableRandom(17);
        for (int round = 0; round < 2_000; round++) {
            int n = random.nextInt(1, 12);
            double[] least = random.doubles(n, 0.1, 1).toArray();
            double[] most = Arrays.stream(least)
                    .map(from -> from * (1 + random.nextDouble()))
                    .toArray();
            double[] within = new double[n];
            for (int i = 0; i < n; i++) {
                // Corners are where the extremes are.
                double place = random.nextInt(3) / 2.0;
                within[i] = least[i] + place * (most[i] - least[i]);
            }
            Range range = Objects.requireNonNull(FairnessStatistics.variation(least, most));
            assertThat(FairnessStatistics.of(within, 1).variation())
                    .as("round %d", round)
                    .isBetween(range.low() - 1e-12, range.high() + 1e-12);
        }
    }

    /** Clients whose shares are 1 to 2, evenly spread: variation sqrt(1/12) / 1.5. Percentiles of 60 resampled shares cover a little less than they say. */
    @Test
    void intervalsContainTheTruthAboutAsOftenAsTheySay() {
        double truth = Math.sqrt(1 / 12.0) / 1.5;
        SplittableRandom random = new SplittableRandom(99);
        int contained = 0;
        for (int run = 0; run < 200; run++) {
            double[] shares = random.doubles(60).map(x -> 1 + x).toArray();
            contained += FairnessStatistics.of(shares, run).variationInterval().contains(truth) ? 1 : 0;
        }
        assertThat(contained).isBetween(178, 198);
    }
}
