package org.diperf.analyzer.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.diperf.analyzer.stats.SteadyState.State;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class SteadyStateTests {

    private static double[] noise(int n, long seed) {
        return new SplittableRandom(seed).doubles(n).map(x -> 10 + x).toArray();
    }

    @Test
    void theCutIsWhereTheStandardErrorIsLeast() {
        // From 3 on: 8 values of 1 and 2 in turn, squares 2 about their mean, 2 / 8^2 = 0.03125; with the 4: 9.1 / 81.
        assertThat(SteadyState.cut(new double[] {9, 7, 4, 1, 2, 1, 2, 1, 2, 1, 2}))
                .isEqualTo(3);
        assertThat(SteadyState.cut(new double[20])).isZero();
    }

    @Test
    void anExponentialWarmUpIsCutNearItsEnd() {
        int[] cuts = IntStream.range(0, 200)
                .map(seed -> {
                    double[] values = noise(192, seed);
                    // 5 times the noise at the begin, 5 % of it left at 3 * 10.
                    Arrays.setAll(values, i -> values[i] + 5 * Math.exp(-i / 10.0));
                    return SteadyState.cut(values);
                })
                .sorted()
                .toArray();
        assertThat(cuts[100]).isBetween(20, 45);
        assertThat(cuts[10]).isGreaterThanOrEqualTo(12);
        assertThat(cuts[190]).isLessThan(96);
    }

    @Test
    void whatIsSteadyFromTheStartIsNearlyKeptWhole() {
        int[] cuts = IntStream.range(0, 200)
                .map(seed -> SteadyState.cut(noise(192, seed)))
                .sorted()
                .toArray();
        assertThat(cuts[0]).isGreaterThanOrEqualTo(0);
        assertThat(cuts[100]).isLessThan(10);
        assertThat(cuts[190]).isLessThan(40);
    }

    @Test
    void aSeriesThatGrowsAllTheTimeHasNoSteadyState() {
        double[] values = noise(192, 3);
        Arrays.setAll(values, i -> values[i] + 0.1 * i);
        assertThat(SteadyState.cut(values)).isEqualTo(-1);
    }

    @Test
    void aStepInTheSecondHalfLeavesNoSteadyState() {
        double[] values = noise(192, 5);
        Arrays.setAll(values, i -> values[i] + (i < 130 ? 0 : 4));
        assertThat(SteadyState.cut(values)).isEqualTo(-1);
    }

    @ParameterizedTest
    @CsvSource({"51.0, 0", "53.0, 76"})
    void whatMovesTheMeanByLessThanAHundredthIsNoWarmUp(double first, int cut) {
        double[] values = noise(192, 1);
        for (int i = 0; i < values.length; i++) {
            values[i] = (i < 76 ? first : 50) + values[i] / 100;
        }
        assertThat(SteadyState.cut(values)).isEqualTo(cut);
    }

    @Test
    void oneStallIsNoWarmUp() {
        double[] values = noise(192, 6);
        values[150] = 500;
        assertThat(SteadyState.cut(values)).isBetween(0, 40);
    }

    @Test
    void timesAndRateMustBothBeSteady() {
        // 10 s at 100/s; times are steady, the rate is half in the first 2 s.
        BatchSeries stretch = new BatchSeries(0, 10_000_000_000L);
        SplittableRandom random = new SplittableRandom(8);
        for (long at = 0; at < 10_000_000_000L; at += at < 2_000_000_000L ? 20_000_000 : 10_000_000) {
            stretch.add(at, 1_000_000 + random.nextInt(100_000));
        }
        SteadyState found = SteadyState.of(stretch);
        assertThat(found.state()).isEqualTo(State.STEADY);
        assertThat(found.fromNanos()).isBetween(1_900_000_000L, 2_600_000_000L);
    }

    @Test
    void threeHundredCallsAreNeeded() {
        BatchSeries stretch = new BatchSeries(0, 1000);
        for (int i = 0; i < 299; i++) {
            stretch.add(i * 3, 5);
        }
        assertThat(SteadyState.of(stretch).state()).isEqualTo(State.UNKNOWN);
        stretch.add(999, 5);
        assertThat(SteadyState.of(stretch).state()).isEqualTo(State.STEADY);
    }
}
