package org.diperf.analyzer.sets;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.diperf.analyzer.stats.Statistics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class ValuesTests {

    private static Statistics summary(Values values) {
        return requireNonNull(values.statistics());
    }

    @Test
    void fewValuesAreOrderStatistics() {
        Values values = new Values();
        for (double value : new double[] {3, -1, 0.5, 10, 2}) {
            values.add(value);
        }
        values.add(Double.NaN);
        values.add(Double.POSITIVE_INFINITY);
        Statistics of = summary(values);
        assertThat(of.count()).isEqualTo(5);
        assertThat(of.min()).isEqualTo(-1);
        assertThat(of.mean()).isEqualTo(2.9);
        assertThat(of.stddev()).isCloseTo(Math.sqrt(114.25 / 5 - 2.9 * 2.9), within(1e-12));
        assertThat(of.p50()).isEqualTo(2);
        assertThat(of.p90()).isEqualTo(10);
        assertThat(of.max()).isEqualTo(10);
        assertThat(new Values().statistics()).isNull();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void manyValuesAreWithinTheStatedError(long seed) {
        areWithin(0.0005, 0.3, seed);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void twoBitsAreGivenUpForValuesOverManyPowersOfTwo(long seed) {
        areWithin(0.002, 3, seed);
    }

    private static void areWithin(double error, double sigma, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[] all = new double[40_000];
        Values values = new Values();
        for (int i = 0; i < all.length; i++) {
            all[i] = (random.nextInt(10) == 0 ? -1 : 1) * Math.exp(sigma * random.nextGaussian());
            values.add(all[i]);
        }
        Arrays.sort(all);
        Statistics of = summary(values);
        assertThat(of.p50()).isCloseTo(all[19_999], within(all[19_999] * error));
        assertThat(of.p99()).isCloseTo(all[39_599], within(all[39_599] * error));
        assertThat(of.min()).isEqualTo(all[0]);
        assertThat(of.max()).isEqualTo(all[39_999]);
    }

    /** Sets of very different sizes and magnitudes, so that some have given up bits and some have not. */
    @ParameterizedTest
    @ValueSource(longs = {4, 5, 6})
    void neitherOrderNorSharesChangeADigit(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[] all = random.doubles(30_000)
                .map(each -> Math.pow(10, 40 * each - 20) * (each < 0.1 ? -1 : 1))
                .toArray();
        Values one = new Values();
        Arrays.stream(all).forEach(one::add);
        Values[] shares = new Values[5];
        Arrays.setAll(shares, i -> new Values());
        for (int i = all.length - 1; i >= 0; i--) {
            shares[all[i] > 1e10 ? 0 : random.nextInt(1, 5)].add(all[i]);
        }
        Values together = new Values();
        for (Values share : shares) {
            together.addAll(share);
        }
        assertThat(together.statistics()).isEqualTo(one.statistics());
    }

    @Test
    void aSumIsExact() {
        ExactSum sum = new ExactSum();
        for (double value : new double[] {1e300, 1e-300, -1e300, 0.1, Double.MIN_VALUE, -0.1}) {
            sum.add(value);
        }
        assertThat(sum.value()).isEqualByComparingTo(new BigDecimal(1e-300).add(new BigDecimal(Double.MIN_VALUE)));
    }
}
