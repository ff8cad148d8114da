package org.diperf.analyzer.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.IntStream;
import org.diperf.analyzer.stats.HolmCorrection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class RankStatisticsTests {

    @Test
    void twoSidesThatDoNotOverlapHaveTheSmallestPThereIs() {
        // 2 of the 20 orders of three and three values, 2 of the 252 of five and five.
        assertThat(RankStatistics.mannWhitney(values(1, 2, 3), values(4, 5, 6))).isCloseTo(0.1, within(1e-12));
        assertThat(RankStatistics.mannWhitney(values(9, 8, 7, 6, 5.5), values(1, 2, 3, 4, 5)))
                .isCloseTo(2.0 / 252, within(1e-12));
    }

    @Test
    void theExactPCountsTheOrdersThatAreAsExtreme() {
        // One pair of 20 is the wrong way round: 2 of the 126 orders are as extreme, on either side.
        assertThat(RankStatistics.mannWhitney(values(1, 2, 3, 5), values(4, 6, 7, 8, 9)))
                .isCloseTo(2 * 2.0 / 126, within(1e-12));
        assertThat(RankStatistics.mannWhitney(values(1, 4, 6, 9), values(2, 3, 5, 7, 8)))
                .isEqualTo(RankStatistics.mannWhitney(values(2, 3, 5, 7, 8), values(1, 4, 6, 9)));
    }

    @Test
    void theApproximationJoinsTheExactPWhereTheyMeet() {
        double[] a = IntStream.range(0, 30).mapToDouble(i -> 2 * i).toArray();
        double[] b = IntStream.range(0, 30).mapToDouble(i -> 2 * i + 13.0).toArray();
        double exact = RankStatistics.mannWhitney(a, b);
        double[] tied = a.clone();
        tied[29] = tied[28];
        assertThat(RankStatistics.mannWhitney(tied, b)).isCloseTo(exact, within(0.01));
    }

    @Test
    void equalSidesAreNoFinding() {
        assertThat(RankStatistics.mannWhitney(values(3, 3, 3), values(3, 3, 3))).isEqualTo(1);
        assertThat(RankStatistics.mannWhitney(values(1, 4), values(2, 3))).isEqualTo(1);
        assertThat(RankStatistics.mannWhitney(values(), values(2, 3))).isNaN();
    }

    @Test
    void theShiftIsTheMedianOfAllDifferences() {
        assertThat(RankStatistics.hodgesLehmann(values(1, 2, 3), values(11, 12, 13)))
                .isEqualTo(10);
        // 0, 3, -2, 1: the middle two are 0 and 1.
        assertThat(RankStatistics.hodgesLehmann(values(1, 3), values(1, 4))).isEqualTo(0.5);
    }

    @Test
    void dominanceCountsPairs() {
        assertThat(RankStatistics.cliffsDelta(values(1, 2, 3), values(4, 5, 6))).isEqualTo(1);
        assertThat(RankStatistics.cliffsDelta(values(4, 5, 6), values(1, 2, 3))).isEqualTo(-1);
        assertThat(RankStatistics.cliffsDelta(values(1, 2), values(1, 3))).isEqualTo(0.25);
    }

    @Test
    void holmMultipliesBySoManyAsAreLeft() {
        assertThat(HolmCorrection.adjusted(values(0.01, 0.04, 0.03, Double.NaN, 0.005)))
                .containsExactly(values(0.03, 0.06, 0.06, Double.NaN, 0.02), within(1e-12));
    }

    @Test
    void aCorrectedChanceIsNoMoreThanOne() {
        assertThat(HolmCorrection.adjusted(values(0.6, 0.2, 0.7))).containsExactly(values(1, 0.6, 1), within(1e-12));
    }

    private static double[] values(double... values) {
        return values;
    }
}
