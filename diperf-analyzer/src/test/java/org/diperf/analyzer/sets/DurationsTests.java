package org.diperf.analyzer.sets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.diperf.analyzer.result.Distribution;
import org.diperf.analyzer.sets.Durations.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Random sets of times against a sorted list, in another order, and put together from parts. */
@Timeout(60)
final class DurationsTests {

    private static long[] times(long seed, int count, double spread) {
        SplittableRandom random = new SplittableRandom(seed);
        long[] times = new long[count];
        for (int i = 0; i < count; i++) {
            times[i] = (long) Math.exp(13 + spread * (random.nextDouble() + random.nextDouble() - 1));
        }
        return times;
    }

    private static Durations of(Kind kind, long[] times, int from, int to) {
        Durations set = new Durations(kind);
        for (int i = from; i < to; i++) {
            set.add(times[i]);
        }
        return set;
    }

    /** To compare thousands of numbers one by one as objects takes seconds. */
    private static List<String> written(Distribution all) {
        return List.of(
                all.count() + " " + all.min() + " " + all.mean() + " " + all.stddev() + " " + all.max(),
                Arrays.toString(all.quantiles()),
                Arrays.toString(all.values()),
                Arrays.toString(all.bucketsFrom()),
                Arrays.toString(all.bucketsTo()),
                Arrays.toString(all.bucketCounts()));
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void saysTheSameInWhicheverOrderAndFromWhicheverParts(Kind kind) {
        for (int seed = 1; seed <= 20; seed++) {
            long[] times = times(seed, 37 * seed * seed, 2 + seed);
            int cut = times.length * (seed % 5) / 5;
            Durations together = of(kind, times, 0, times.length);
            Durations parts = of(kind, times, 0, cut);
            parts.addAll(of(kind, times, cut, times.length));
            long[] sorted = times.clone();
            Arrays.sort(sorted);
            Durations rising = of(kind, sorted, 0, sorted.length);
            assertThat(parts.statistics()).as("seed %d", seed).isEqualTo(together.statistics());
            assertThat(rising.statistics()).as("seed %d", seed).isEqualTo(together.statistics());
            assertThat(written(parts.distribution())).isEqualTo(written(together.distribution()));
        }
    }

    /** The factors between the least and the greatest time fit into the buckets without giving up bits. */
    @ParameterizedTest
    @CsvSource({"TOTAL, 0.0005, 8", "STAGE, 0.001, 5", "TESTER, 0.001, 2.5", "QUANTUM, 0.008, 5", "CLIENT, 0.008, 2"})
    void quantilesAreAsExactAsPromised(Kind kind, double error, double spread) {
        long[] times = times(7, 50_000, spread);
        Durations set = of(kind, times, 0, times.length);
        Arrays.sort(times);
        for (double q : new double[] {0, 0.01, 0.5, 0.9, 0.99, 0.999, 1}) {
            double exact = times[(int) Durations.rank(q, times.length) - 1] / 1e6;
            assertThat(set.quantileMillis(q)).as("quantile %s", q).isCloseTo(exact, within(exact * error));
        }
    }

    @Test
    void meanAndDeviationAreExactBeyondWhatALongHolds() {
        Durations set = new Durations(Kind.TOTAL);
        long years = 100_000_000_000_000_000L;
        for (int i = 0; i < 100; i++) {
            set.add(years);
            set.add(years + 2_000_000);
        }
        assertThat(set.meanMillis()).isEqualTo((years + 1_000_000) / 1e6);
        assertThat(set.statistics())
                .isNotNull()
                .satisfies(times -> assertThat(times.stddev()).isEqualTo(1.0));
    }

    /** Damaged samples may say anything; what they say must not end the analysis. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void timesUpToTheLongestThatThereAreAreCounted(Kind kind) {
        for (long seed = 1; seed <= 40; seed++) {
            Random random = new Random(seed);
            Durations set = new Durations(kind);
            long greatest = 0;
            for (int i = 0; i < 3_000; i++) {
                long time = random.nextLong() >>> 1 + random.nextInt(40);
                greatest = Math.max(greatest, time);
                set.add(time);
            }
            assertThat(set.maxMillis()).as("seed %d", seed).isEqualTo(greatest / 1e6);
            assertThat(set.distribution().bucketCounts()).as("seed %d", seed).isNotEmpty();
        }
    }

    @Test
    void aClientTakesAtMostTwoKibibytes() {
        Durations times = new Durations(Durations.Kind.CLIENT);
        for (long value = 1; value < 1L << 45; value += 1 + value / 50) {
            times.add(value);
            assertThat(times.bytes()).isLessThanOrEqualTo(2048);
        }
    }

    @Test
    void aQuantileIsGivenWhereFiveValuesLieAboveItAndTheMedianInAnyCase() {
        assertThat(upTo(1_000).supportedQuantileMillis(0.95)).isEqualTo(950);
        assertThat(upTo(50).supportedQuantileMillis(0.95)).isEqualTo(45);
        assertThat(upTo(3).supportedQuantileMillis(0.95)).isEqualTo(2);
    }

    private static Durations upTo(int millis) {
        Durations times = new Durations(Durations.Kind.TOTAL);
        for (int i = 1; i <= millis; i++) {
            times.add(i * 1_000_000L);
        }
        return times;
    }
}
