package org.diperf.analyzer.sets;

import java.util.Arrays;
import org.diperf.analyzer.result.Distribution;
import org.diperf.analyzer.stats.Range;
import org.diperf.analyzer.stats.Statistic;
import org.diperf.analyzer.stats.Statistics;
import org.diperf.analyzer.stats.Uncertainty;
import org.diperf.analyzer.stats.ValueSet;
import org.jspecify.annotations.Nullable;

/**
 * A set of times, ns: exact while it is small, a log-linear histogram from then on; count, least, greatest, mean and
 * standard deviation are always exact. Quantiles are order statistics (the value of rank ceil(q n)). What it says depends on
 * neither the order of the times nor on the sets from which it was put together. Confined to one thread.
 */
public final class Durations {

    private static final int FIRST_LENGTH = 16;
    private static final double[] QUANTILES = quantiles();
    private static final int BUCKETS_PER_DECADE = 100;
    private static final double MILLI = 1e6;
    private static final int MIN_ABOVE = 5;

    /** How exact a set is and what it may cost. */
    public enum Kind {
        /** For a whole run or window: exact below 10,000, then 0.05 %. */
        TOTAL(10_000, 10, 1 << 16),
        /** For one of many stages: exact to 512, then 0.1 % over a factor of 65,000. */
        STAGE(512, 9, 1 << 13),
        /** For one tester: exact to 256, then 0.1 %. */
        TESTER(256, 9, 1 << 12),
        /** For one quantum: exact to 128, then 0.8 %. */
        QUANTUM(128, 6, 1 << 10),
        /** For one client: exact to 128, then 0.8 % over about six powers of two, more over more; at most 2 KiB. */
        CLIENT(128, 6, 440);

        private final int exact;
        private final int bits;
        private final int buckets;

        Kind(int exact, int bits, int buckets) {
            this.exact = exact;
            this.bits = bits;
            this.buckets = buckets;
        }
    }

    private final Kind kind;
    private long[] exact = new long[0];
    private boolean sorted;
    private @Nullable LogHistogram histogram;
    private long count;
    private long least = Long.MAX_VALUE;
    private long greatest = Long.MIN_VALUE;
    private final Moments moments = new Moments();

    public Durations(Kind kind) {
        this.kind = kind;
    }

    /** Adds a time; one below 0 counts as 0. */
    public void add(long nanos) {
        long value = Math.max(0, nanos);
        moments.add(value);
        least = Math.min(least, value);
        greatest = Math.max(greatest, value);
        if (histogram != null) {
            histogram.add(value, 1);
        } else {
            keep(value);
        }
        count++;
    }

    /**
     * Adds times of which the sums are known.
     *
     * @param places their buckets, where the sums fit
     */
    public void addAll(long[] times, char[] places, int from, int to, Sums sums) {
        LogHistogram into = histogram;
        if (into == null || !sums.fits) {
            for (int i = from; i < to; i++) {
                add(times[i]);
            }
            return;
        }
        addSums(sums, to - from);
        into.addAll(times, places, from, to);
    }

    /** Adds times from the first to before a place, of which the sums are known. */
    public void addAll(int[] times, int to, Sums sums) {
        LogHistogram into = histogram;
        if (into == null || !sums.fits) {
            for (int i = 0; i < to; i++) {
                add(times[i]);
            }
            return;
        }
        addSums(sums, to);
        into.addAll(times, to);
    }

    /** Returns whether times are kept in buckets, and no longer one by one. */
    public boolean isBuckets() {
        return histogram != null;
    }

    /** Adds times but for their buckets, which {@link #addBuckets} is to bring before anything is asked. */
    public void addSums(Sums sums, int added) {
        least = Math.min(least, sums.least);
        greatest = Math.max(greatest, sums.greatest);
        moments.add(sums);
        count += added;
    }

    /** Adds the buckets of times whose sums {@link #addSums} brought. */
    public void addBuckets(FineHistogram counts) {
        toHistogram().addAll(counts);
    }

    private void keep(long value) {
        int n = (int) count;
        if (n == kind.exact) {
            toHistogram().add(value, 1);
            return;
        }
        if (n == exact.length) {
            exact = Arrays.copyOf(exact, Math.min(kind.exact, Math.max(FIRST_LENGTH, 2 * n)));
        }
        exact[n] = value;
        sorted = false;
    }

    private LogHistogram toHistogram() {
        LogHistogram made = histogram;
        if (made == null) {
            made = new LogHistogram(kind.bits, kind.buckets);
            for (int i = 0; i < count; i++) {
                made.add(exact[i], 1);
            }
            histogram = made;
            exact = new long[0];
        }
        return made;
    }

    /** Adds all times of another set. */
    public void addAll(Durations other) {
        if (other.histogram == null) {
            for (int i = 0; i < other.count; i++) {
                add(other.exact[i]);
            }
            return;
        }
        LogHistogram into = toHistogram();
        into.addAll(other.histogram);
        moments.addAll(other.moments);
        least = Math.min(least, other.least);
        greatest = Math.max(greatest, other.greatest);
        count += other.count;
    }

    /**
     * Returns the set without some of its values: as exact as this one, but for extremes that went with the others, which then
     * are as exact as quantiles.
     *
     * @param some all of them in this set too; of the same kind, {@link Kind#TOTAL}
     */
    public Durations without(Durations some) {
        Durations rest = new Durations(kind);
        if (histogram == null) {
            long[] gone = Arrays.copyOf(some.exact, (int) some.count);
            Arrays.sort(gone);
            long[] all = Arrays.copyOf(exact, (int) count);
            Arrays.sort(all);
            int next = 0;
            for (long value : all) {
                if (next < gone.length && gone[next] == value) {
                    next++;
                } else {
                    rest.add(value);
                }
            }
            return rest;
        }
        LogHistogram left = rest.toHistogram();
        left.addAll(histogram);
        LogHistogram gone = new LogHistogram(kind.bits, kind.buckets);
        if (some.histogram == null) {
            for (int i = 0; i < some.count; i++) {
                gone.add(some.exact[i], 1);
            }
        } else {
            gone = some.histogram;
        }
        for (int i = 0; i < gone.buckets(); i++) {
            if (gone.count(i) > 0) {
                left.add(gone.middle(i), -gone.count(i));
            }
        }
        rest.moments.addAll(moments);
        rest.moments.lessAll(some.moments);
        rest.count = count - some.count;
        rest.least = least < some.least ? least : Math.max(least, left.ranked(1));
        rest.greatest =
                greatest > some.greatest ? greatest : Math.max(rest.least, Math.min(greatest, left.ranked(rest.count)));
        return rest;
    }

    public long count() {
        return count;
    }

    /** Returns the bytes of the values kept, for tests of the bound. */
    public int bytes() {
        return exact.length * Long.BYTES + (histogram == null ? 0 : histogram.bytes());
    }

    /** Returns a quantile, ms; {@code NaN} when empty. */
    public double quantileMillis(double fraction) {
        return count == 0 ? Double.NaN : quantile(fraction) / MILLI;
    }

    /**
     * Returns a quantile, ms, or the highest above which five values lie, and the median at least: fewer are an accident.
     *
     * @return {@code NaN} when empty
     */
    public double supportedQuantileMillis(double fraction) {
        return quantileMillis(Math.max(0.5, Math.min(fraction, 1 - (double) MIN_ABOVE / Math.max(1, count))));
    }

    /**
     * Returns what a statistic would be, ms, were as many values of 0 added as are missing to a count; {@code NaN}: it is neither
     * a quantile, nor the mean, nor an extreme.
     */
    private double leastMillis(Statistic statistic, long all) {
        long missing = all - count;
        if (statistic.equals(Statistic.MEAN)) {
            return meanMillis() * count / all;
        }
        if (statistic.equals(Statistic.MAX)) {
            return maxMillis();
        }
        if (statistic.equals(Statistic.MIN)) {
            return missing > 0 ? 0 : least / MILLI;
        }
        if (!statistic.isQuantile()) {
            return Double.NaN;
        }
        long rank = rank(statistic.fraction(), all) - missing;
        return rank < 1 ? 0 : ranked(rank) / MILLI;
    }

    public double meanMillis() {
        return count == 0 ? Double.NaN : moments.mean(count) / MILLI;
    }

    public double maxMillis() {
        return count == 0 ? Double.NaN : greatest / MILLI;
    }

    private long quantile(double fraction) {
        return ranked(rank(fraction, count));
    }

    private long ranked(long rank) {
        if (rank == 1) {
            return least;
        }
        if (rank == count) {
            return greatest;
        }
        if (histogram == null) {
            if (!sorted) {
                Arrays.sort(exact, 0, (int) count);
                sorted = true;
            }
            return exact[(int) rank - 1];
        }
        return Math.max(least, Math.min(greatest, histogram.ranked(rank)));
    }

    /** Returns the rank of a quantile, from 1; what is a whole number but for the rounding of decimals stays one. */
    public static long rank(double fraction, long count) {
        return Math.max(1, Math.min(count, (long) Math.ceil(fraction * count - 1e-9 * Math.max(1, count * 1e-3))));
    }

    private double stddevMillis() {
        return moments.stddev(count) / MILLI;
    }

    /** Returns the statistics, {@code null} when empty; the set must not change any more. */
    public @Nullable Statistics statistics() {
        return Statistics.of(millis());
    }

    /**
     * Returns the statistics, with what the load generator may have added to each; {@code null} when empty. Neither set must change
     * any more.
     *
     * @param leasts what the same calls took at least, of as many of them as it is known
     */
    public @Nullable Statistics statistics(Durations leasts) {
        Statistics statistics = statistics();
        if (statistics == null || !Bounds.areEnough(leasts.count, count)) {
            return statistics;
        }
        return statistics.with(Uncertainty.INSTRUMENT, statistic -> {
            double low = lowMillis(statistic, leasts);
            return Double.isNaN(low) ? null : new Range(low, statistic.of(millis()));
        });
    }

    /**
     * Returns what a statistic is at least, ms, without what the load generator may have added; {@code NaN} where that is not known of
     * enough values. The few others may be 0.
     *
     * @param leasts see {@link #statistics(Durations)}
     */
    public double lowMillis(Statistic statistic, @Nullable Durations leasts) {
        if (leasts == null || !Bounds.areEnough(leasts.count, count)) {
            return Double.NaN;
        }
        double low = leasts.leastMillis(statistic, count);
        return Double.isNaN(low) ? low : Math.min(low, statistic.of(millis()));
    }

    /** Returns the same set in ms; it changes as this one does. */
    public ValueSet millis() {
        return new Millis();
    }

    private final class Millis implements ValueSet {

        @Override
        public long count() {
            return count;
        }

        @Override
        public double min() {
            return count == 0 ? Double.NaN : least / MILLI;
        }

        @Override
        public double mean() {
            return meanMillis();
        }

        @Override
        public double stddev() {
            return count == 0 ? Double.NaN : stddevMillis();
        }

        @Override
        public double max() {
            return maxMillis();
        }

        @Override
        public double quantile(double fraction) {
            return quantileMillis(fraction);
        }
    }

    /** Adds every value or bucket's middle, less a shift, with its count. */
    public void copyTo(WeightedValues to, double shiftNanos) {
        if (histogram == null) {
            for (int i = 0; i < count; i++) {
                to.add(exact[i] - shiftNanos, 1);
            }
            return;
        }
        for (int i = 0; i < histogram.buckets(); i++) {
            if (histogram.count(i) > 0) {
                long value = Math.max(least, Math.min(greatest, histogram.middle(i)));
                to.add(value - shiftNanos, histogram.count(i));
            }
        }
    }

    public Distribution distribution() {
        if (count == 0) {
            double[] none = new double[0];
            return new Distribution(
                    0, Double.NaN, Double.NaN, Double.NaN, Double.NaN, none, none, none, none, new long[0]);
        }
        double[] values = new double[QUANTILES.length];
        fill(values);
        int first = decadeBucket(least);
        int buckets = decadeBucket(greatest) - first + 1;
        double[] from = new double[buckets];
        double[] to = new double[buckets];
        long[] counts = new long[buckets];
        for (int i = 0; i < buckets; i++) {
            from[i] = edgeMillis(first + i);
            to[i] = edgeMillis(first + i + 1);
        }
        WeightedValues weighted = new WeightedValues();
        copyTo(weighted, 0);
        weighted.forEach((value, times) -> counts[decadeBucket((long) value) - first] += times);
        return new Distribution(
                count,
                least / MILLI,
                meanMillis(),
                stddevMillis(),
                greatest / MILLI,
                QUANTILES.clone(),
                values,
                from,
                to,
                counts);
    }

    /** Fills in all quantiles in one pass over the values. */
    private void fill(double[] values) {
        if (histogram == null) {
            for (int q = 0; q < values.length; q++) {
                values[q] = quantileMillis(QUANTILES[q]);
            }
            return;
        }
        long seen = 0;
        int bucket = -1;
        for (int q = 0; q < values.length; q++) {
            long rank = rank(QUANTILES[q], count);
            while (seen < rank && bucket + 1 < histogram.buckets()) {
                seen += histogram.count(++bucket);
            }
            long value = rank == 1 ? least : rank == count ? greatest : histogram.middle(bucket);
            values[q] = Math.max(least, Math.min(greatest, value)) / MILLI;
        }
    }

    /** Bucket 0 begins at 1 ns and holds 0 too. */
    private static int decadeBucket(long nanos) {
        return nanos <= 1 ? 0 : (int) Math.floor(Math.log10(nanos) * BUCKETS_PER_DECADE + 1e-9);
    }

    private static double edgeMillis(int bucket) {
        return Math.pow(10, bucket / (double) BUCKETS_PER_DECADE) / MILLI;
    }

    private static double[] quantiles() {
        double[] all = new double[1000 + 9 + 9 + 9 + 1];
        int n = 0;
        for (int i = 0; i < 1000; i++) {
            all[n++] = i / 1e3;
        }
        for (int nines = 4; nines <= 6; nines++) {
            double scale = Math.pow(10, nines);
            for (int i = 9; i >= 1; i--) {
                all[n++] = (scale - i) / scale;
            }
        }
        all[n] = 1;
        return all;
    }
}
