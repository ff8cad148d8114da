package org.diperf.analyzer.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BatchTests {

    private static final long MILLI = 1_000_000;

    /** 960 cells of 1 s with ten calls each: 1 ms in even cells, 3 ms in odd ones. */
    private static BatchSeries alternating() {
        BatchSeries batches = new BatchSeries(0, 960_000 * MILLI);
        for (int cell = 0; cell < 960; cell++) {
            for (int call = 0; call < 10; call++) {
                batches.add((cell * 1000L + 50 + 100 * call) * MILLI, (cell % 2 == 0 ? 1 : 3) * MILLI);
            }
        }
        return batches;
    }

    @Test
    void theIntervalOfAMeanIsTheOneSolvedByHand() {
        double[] above = new double[30];
        double[] below = new double[30];
        Arrays.fill(below, 10);
        for (int i = 0; i < 30; i++) {
            above[i] = i % 3 == 0 ? 40 : 10;
        }
        // Mean (10*40 + 20*10) / 300 = 2; residuals 20 and -10, ten and twenty of them: squares 6,000.
        // Deviation of the mean sqrt(6000 * 30 / 29) / 300 = 0.262613; t of 29 degrees at 97.5 % is 2.045230.
        Interval interval = BatchMeans.ratio(above, below, 300);
        assertThat(interval.batches()).isEqualTo(30);
        assertThat(interval.low()).isCloseTo(2 - 0.262613 * 2.045230, within(1e-5));
        assertThat(interval.high()).isCloseTo(2 + 0.262613 * 2.045230, within(1e-5));
    }

    @Test
    void autocorrelationIsTheOneSolvedByHand() {
        // Mean 3; deviations -2 -1 0 1 2; products 2 + 0 + 0 + 2; squares 10.
        assertThat(BatchMeans.autocorrelation(new double[] {1, 2, 3, 4, 5})).isEqualTo(0.4);
        assertThat(BatchMeans.autocorrelation(new double[] {7, 7, 7})).isZero();
    }

    @Test
    void batchesGrowWhileNeighboursAreCorrelatedAndTwiceMore() {
        // An independent value for every eight cells: batches of 8 cells are independent (120), grown twice (30).
        SplittableRandom random = new SplittableRandom(7);
        double[] above = new double[960];
        double[] below = new double[960];
        Arrays.fill(below, 10);
        double value = 0;
        for (int i = 0; i < 960; i++) {
            value = i % 8 == 0 ? 10 + random.nextDouble() : value;
            above[i] = value;
        }
        assertThat(BatchMeans.autocorrelation(BatchMeans.joined(above, 240))).isGreaterThan(0.3);
        assertThat(BatchMeans.ratio(above, below, 9600).batches()).isEqualTo(30);
    }

    @Test
    void aTrendAndTooFewCallsCarryNoInterval() {
        double[] above = new double[960];
        double[] below = new double[960];
        Arrays.fill(below, 10);
        Arrays.setAll(above, i -> i);
        Interval trend = BatchMeans.ratio(above, below, 9600);
        assertThat(trend.reason()).contains("still correlated");
        // A run that is repeated has its trend again.
        assertThat(trend.isCoarse()).isTrue();
        assertThat(trend.high() - trend.low()).isLessThan(1e-9);
        Arrays.fill(above, 1);
        assertThat(BatchMeans.ratio(above, below, 299).reason())
                .isEqualTo("only 299 calls, but at least 300 are required");
        assertThat(BatchMeans.ratio(above, below, 9).isCoarse()).isFalse();
    }

    @Test
    void coarseBoundsOfAMeanAreThoseSolvedByHand() {
        double[] above = new double[10];
        double[] below = new double[10];
        Arrays.fill(below, 10);
        // 12 8 8 12 12 8 8 12 12 8: squares 40, products with the place from the middle -2; lag-1 autocorrelation below
        // 0, so nothing is added for it.
        for (int i = 0; i < 10; i++) {
            above[i] = (i + 1) / 2 % 2 == 0 ? 12 : 8;
        }
        Interval interval = BatchMeans.ratio(above, below, 100);
        assertThat(interval.isCarried()).isFalse();
        assertThat(interval.isCoarse()).isTrue();
        double slope = -2 / 82.5;
        double rest = 40 - slope * slope * 82.5;
        double half = 2.306004 * Math.sqrt(rest * 10 / 8) / 100;
        assertThat(interval.low()).isCloseTo(1 - half, within(1e-6));
        assertThat(interval.high()).isCloseTo(1 + half, within(1e-6));
    }

    /** One burst says nothing of how many there are, or of how long the next one will be. */
    @Test
    void whereThereIsOneBurstTheBoundsOfARareQuantileReachFarBeyondIt() {
        BatchSeries batches = new BatchSeries(0, 20_000 * MILLI);
        for (int i = 0; i < 20_000; i++) {
            batches.add(i * MILLI, (i >= 7_200 && i < 7_500 ? 20 : 1) * MILLI);
        }
        // At the edge a share of 0.985; residuals 15 in 19 batches, -285 in one: deviation 300 of 20,000 calls.
        double half = 2.093024 * 0.015 * Math.sqrt(0.99 * 0.01 / (0.985 * 0.015));
        Interval interval = batches.quantile(0.99, share -> share);
        assertThat(interval.reason()).contains("too few bursts");
        assertThat(interval.isCoarse()).isTrue();
        assertThat(interval.low()).isCloseTo(0.99 - half, within(1e-6));
        assertThat(interval.high()).isCloseTo(1.01, within(1e-9));
    }

    @Test
    void whatNeverScattersHasAnIntervalWithoutWidth() {
        BatchSeries batches = alternating();
        Interval rate = batches.rate();
        assertThat(rate.isCarried()).isTrue();
        assertThat(rate.low()).isCloseTo(10, within(1e-9));
        assertThat(rate.high()).isCloseTo(10, within(1e-9));
    }

    @Test
    void aQuantileNeedsTenCallsBeyondItInEachBatch() {
        BatchSeries batches = alternating();
        // 9,600 calls: p99 wants 1,000 in each of at least ten batches.
        assertThat(batches.quantile(0.99, p -> p).reason())
                .isEqualTo("only 9600 calls, but at least 10000 are required");
        assertThat(batches.quantile(0.95, p -> p).isCarried()).isTrue();
    }

    @Test
    void theIntervalOfAQuantileIsTheOneOfTheShareBelowIt() {
        // Twenty batches of 200 calls; 110 of them below 10 ms in even batches, 90 in odd ones.
        BatchSeries batches = new BatchSeries(0, 960 * MILLI);
        for (int batch = 0; batch < 20; batch++) {
            for (int call = 0; call < 200; call++) {
                long at = batch * 48 * MILLI + call * MILLI / 5;
                batches.add(at, call < (batch % 2 == 0 ? 110 : 90) ? MILLI : 20 * MILLI);
            }
        }
        // Share 0.5; residuals +-10: deviation sqrt(20 * 100 * 20 / 19) / 4000 = 0.011471; t of 19 degrees is 2.093024.
        Interval interval = batches.quantile(0.5, share -> share);
        assertThat(interval.batches()).isEqualTo(20);
        assertThat(interval.low()).isCloseTo(0.5 - 0.011471 * 2.093024, within(1e-6));
        assertThat(interval.high()).isCloseTo(0.5 + 0.011471 * 2.093024, within(1e-6));
    }

    @Test
    void timesThatAreAllTheSameHaveNoIntervalOfAQuantile() {
        BatchSeries batches = new BatchSeries(0, 1000);
        for (int i = 0; i < 1000; i++) {
            batches.add(i, 5 * MILLI);
        }
        assertThat(batches.quantile(0.5, p -> p).reason()).contains("the same");
    }

    @Test
    void theOrderOfCallsAndHowTheyWereDividedDoNotMatter() {
        SplittableRandom random = new SplittableRandom(11);
        int n = 20_000;
        long[] at = random.longs(n, 0, 1_000 * MILLI).toArray();
        long[] value = random.longs(n, 0, 50 * MILLI).toArray();
        BatchSeries forwards = new BatchSeries(0, 1_000 * MILLI);
        BatchSeries one = new BatchSeries(0, 1_000 * MILLI);
        BatchSeries other = new BatchSeries(0, 1_000 * MILLI);
        for (int i = 0; i < n; i++) {
            forwards.add(at[i], value[i]);
            (i % 3 == 0 ? one : other).add(at[n - 1 - i], value[n - 1 - i]);
        }
        one.addAll(other);
        assertThat(one.mean()).isEqualTo(forwards.mean());
        assertThat(one.rate()).isEqualTo(forwards.rate());
        assertThat(one.quantile(0.9, p -> p)).isEqualTo(forwards.quantile(0.9, p -> p));
        assertThat(one.calls()).isEqualTo(n);
    }

    @Test
    void manyCallsAtOnceAreAsOneAfterAnother() {
        SplittableRandom random = new SplittableRandom(12);
        int n = 20_000;
        // Nearly in order, some below and some behind the stretch, whose cells are no whole number of ns.
        long[] at = new long[n];
        for (int i = 0; i < n; i++) {
            at[i] = i * 50L + random.nextLong(2_000);
        }
        long[] value = random.longs(n, -10, 50 * MILLI).toArray();
        BatchSeries alone = new BatchSeries(100_003, 900_020);
        BatchSeries together = new BatchSeries(100_003, 900_020);
        for (int i = 0; i < n; i++) {
            alone.add(at[i], value[i]);
        }
        for (int from = 0; from < n; from += 1_000) {
            together.addAll(at, value, from, from + 1_000);
            together.ended(at, from, from + 1_000);
        }
        assertThat(together.sums()).isEqualTo(alone.sums());
        assertThat(together.counts()).isEqualTo(alone.counts());
        assertThat(together.ended()).isEqualTo(alone.counts());
        assertThat(together.calls()).isEqualTo(alone.calls()).isBetween(15_900L, 16_100L);
        assertThat(together.quantile(0.5, p -> p)).isEqualTo(alone.quantile(0.5, p -> p));
    }

    @Test
    void whatLiesOutsideOfTheStretchIsLeftOut() {
        BatchSeries batches = new BatchSeries(1000, 2000);
        batches.add(999, 1);
        batches.add(2000, 1);
        batches.add(1000, 1);
        batches.add(1999, 1);
        assertThat(batches.calls()).isEqualTo(2);
    }

    @Test
    void endsAreRoundedOutwardsToTheSecondDigitOfHalfTheWidth() {
        assertThat(Interval.of(12.3456, 12.8123, 30).rounded()).isEqualTo(Interval.of(12.34, 12.82, 30));
        assertThat(Interval.of(1234.5, 5678.9, 30).rounded()).isEqualTo(Interval.of(1200, 5700, 30));
        assertThat(Interval.of(5, 5, 30).rounded()).isEqualTo(Interval.of(5, 5, 30));
    }

    /** Nothing lies beyond it, and the next run may have something there. */
    @Test
    void boundsOfAQuantileBeyondAllCallsReachAboveTheLongest() {
        BatchSeries batches = new BatchSeries(0, 1_000 * MILLI);
        long[] millis = new long[200];
        for (int i = 0; i < 200; i++) {
            millis[i] = 1L + i * 37 % 200;
            batches.add(i * 5 * MILLI, millis[i] * MILLI);
        }
        Arrays.sort(millis);
        Interval interval = batches.quantile(0.9999, share -> millis[Math.max(0, (int) Math.ceil(share * 200) - 1)]);
        assertThat(interval.reason()).startsWith("only 200 calls, but at least");
        assertThat(interval.isCoarse()).isTrue();
        assertThat(interval.high()).isEqualTo(300);
    }
}
