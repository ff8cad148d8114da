package org.diperf.analyzer.sets;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.diperf.analyzer.sets.Durations.Kind;
import org.diperf.analyzer.stats.BatchSeries;
import org.diperf.analyzer.stats.LogBuckets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class FineHistogramTests {

    /** Statistics of all sizes, many of them below the first bucket that is wider than 1 ns. */
    private static long[] times(long seed, int count, double spread) {
        SplittableRandom random = new SplittableRandom(seed);
        long[] times = new long[count];
        for (int i = 0; i < count; i++) {
            times[i] = Math.min(Integer.MAX_VALUE, (long) Math.exp(random.nextDouble() * spread));
        }
        times[count / 2] = 0;
        return times;
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aSetSaysTheSameOfTimesThatWereGathered(Kind kind) {
        for (double spread : new double[] {7, 12, 18}) {
            long[] times = times(3, 60_000, spread);
            Durations one = new Durations(kind);
            Durations gathered = new Durations(kind);
            FineHistogram counts = new FineHistogram();
            char[] places = new char[times.length];
            Sums sums = new Sums();
            // As long as a set keeps each time, so must both.
            for (int i = 0; i < 20_000; i++) {
                one.add(times[i]);
                gathered.add(times[i]);
            }
            for (int from = 20_000; from < times.length; from += 1_000) {
                sums.of(times, places, from, from + 1_000);
                assertThat(sums.fits).as("sums of times to e^%s", spread).isTrue();
                for (int i = from; i < from + 1_000; i++) {
                    one.add(times[i]);
                }
                gathered.addSums(sums, 1_000);
                counts.addAll(places, from, from + 1_000, sums);
            }
            gathered.addBuckets(counts);
            assertThat(gathered.statistics()).isEqualTo(one.statistics());
            assertThat(gathered.distribution()).usingRecursiveComparison().isEqualTo(one.distribution());
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aSetSaysTheSameOfTimesWhoseBucketsAreKnown(Kind kind) {
        long[] times = times(4, 60_000, 20);
        char[] places = new char[times.length];
        Durations one = new Durations(kind);
        Durations known = new Durations(kind);
        Durations waited = new Durations(kind);
        for (int from = 0; from < times.length; from += 100) {
            known.addAll(times, places, from, from + 100, new Sums().of(times, places, from, from + 100));
            int[] small = Arrays.stream(times, from, from + 100)
                    .mapToInt(Math::toIntExact)
                    .toArray();
            waited.addAll(small, 100, new Sums().of(small, 100));
            for (int i = from; i < from + 100; i++) {
                one.add(times[i]);
            }
        }
        assertThat(known.statistics()).isEqualTo(one.statistics());
        assertThat(waited.statistics()).isEqualTo(one.statistics());
        assertThat(known.distribution()).usingRecursiveComparison().isEqualTo(one.distribution());
        assertThat(waited.distribution()).usingRecursiveComparison().isEqualTo(one.distribution());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 6, 9, 10})
    void eachCoarserBucketIsTakenOnce(int bits) {
        long[] times = times(5, 30_000, 20);
        char[] places = new char[times.length];
        Sums sums = new Sums().of(times, places, 0, times.length);
        FineHistogram counts = new FineHistogram();
        counts.addAll(places, 0, times.length, sums);
        int[] expected = new int[1 << 16];
        for (long time : times) {
            expected[LogBuckets.index(time, bits)]++;
        }
        int[] found = new int[1 << 16];
        counts.forEach(bits, (value, count) -> {
            int bucket = LogBuckets.index(value, bits);
            assertThat(found[bucket]).isZero();
            found[bucket] = count;
        });
        assertThat(found).isEqualTo(expected);
        counts.clear();
        assertThat(counts.isEmpty()).isTrue();
        counts.forEach(
                bits, (value, count) -> assertThat(count).as("after clearing").isZero());
    }

    private static FineHistogram counted(long... times) {
        char[] places = new char[times.length];
        FineHistogram counts = new FineHistogram();
        counts.addAll(places, 0, times.length, new Sums().of(times, places, 0, times.length));
        return counts;
    }

    private static Map<Long, Integer> counts(LogHistogram histogram) {
        Map<Long, Integer> counts = new TreeMap<>();
        for (int i = 0; i < histogram.buckets(); i++) {
            if (histogram.count(i) > 0) {
                counts.put(histogram.middle(i), histogram.count(i));
            }
        }
        return counts;
    }

    /** The least and the greatest time are brought by themselves. */
    @ParameterizedTest
    @ValueSource(ints = {1, 6, 9, 10})
    void aHistogramGetsTimesOfOneOrTwoBucketsToo(int bits) {
        for (long time : new long[] {0, 5, 1_023, 1_024, 70_000, Integer.MAX_VALUE}) {
            for (long other : new long[] {time, time / 2, time / 3, 0}) {
                LogHistogram one = new LogHistogram(bits, 1 << 16);
                LogHistogram gathered = new LogHistogram(bits, 1 << 16);
                for (long each : new long[] {time, other, (time + other) / 2}) {
                    one.add(each, 1);
                }
                gathered.addAll(counted(time, other, (time + other) / 2));
                assertThat(counts(gathered)).as("%s and %s", time, other).isEqualTo(counts(one));
            }
        }
        LogHistogram none = new LogHistogram(bits, 1 << 16);
        none.addAll(new FineHistogram());
        assertThat(counts(none)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {6, 10})
    void aCountThatIsFullStaysSo(int bits) {
        LogHistogram full = new LogHistogram(bits, 1 << 16);
        for (long each : new long[] {10, 1_000_000, 500_000_000}) {
            full.add(each, Integer.MAX_VALUE - 1);
        }
        full.addAll(counted(10, 10, 1_000_000, 1_000_000, 1_000_000, 500_000_000, 500_000_000));
        assertThat(counts(full))
                .hasSize(3)
                .allSatisfy((middle, count) -> assertThat(count).isEqualTo(Integer.MAX_VALUE));
    }

    @Test
    void batchesSayTheSameOfTimesThatWereGathered() {
        long[] times = times(6, 40_000, 18);
        long[] ends = new long[times.length];
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < ends.length; i++) {
            // Of the last eighth nothing belongs to the stretch.
            ends[i] = i * 1_000L + random.nextInt(1_000);
        }
        BatchSeries one = new BatchSeries(2_000_000, 35_000_000);
        BatchSeries gathered = new BatchSeries(2_000_000, 35_000_000);
        one.addAll(ends, times, 0, times.length);
        FineHistogram counts = new FineHistogram();
        char[] places = new char[times.length];
        for (int from = 0; from < times.length; ) {
            long since = gathered.batchFrom(ends[from]);
            long until = gathered.batchTo(ends[from]);
            int to = from + 1;
            while (to < times.length && ends[to] >= since && ends[to] < until) {
                to++;
            }
            Sums sums = new Sums().of(times, places, from, to);
            if (!gathered.addSum(ends[from], ends[to - 1], sums.sum, to - from)) {
                gathered.addSums(ends, times, from, to);
            }
            counts.addAll(places, from, to, sums);
            counts.forEach(BatchSeries.HISTOGRAM_BITS, (value, count) -> gathered.addTimes(since, value, count));
            counts.clear();
            from = to;
        }
        assertThat(gathered.calls()).isEqualTo(one.calls()).isPositive();
        assertThat(gathered.sums()).isEqualTo(one.sums());
        assertThat(gathered.counts()).isEqualTo(one.counts());
        for (double q : new double[] {0.5, 0.9, 0.99}) {
            assertThat(gathered.quantile(q, fraction -> fraction)).isEqualTo(one.quantile(q, fraction -> fraction));
        }
    }
}
