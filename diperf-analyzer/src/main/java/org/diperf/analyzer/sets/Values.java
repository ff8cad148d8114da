package org.diperf.analyzer.sets;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import org.diperf.analyzer.stats.Statistics;
import org.diperf.analyzer.stats.ValueSet;
import org.jspecify.annotations.Nullable;

/**
 * A set of finite values of any sign and size: each of them up to a thousand, beyond that counts in buckets, a thousand and more
 * to a power of two, so that a quantile is at most 0.05 % off; bits are given up where that would take more than 8,192. Count, extremes,
 * mean and deviation are exact. What it says depends on neither the order of values nor on the sets from which it was put
 * together. Confined to one thread.
 */
public final class Values {

    private static final int EXACT = 1_000;
    private static final int MAX_BUCKETS = 1 << 13;
    private static final int FIRST_SHIFT = 42;
    private static final int NOBODY = Integer.MIN_VALUE;

    private double[] exact = new double[0];
    private int[] keys = new int[0];
    private long[] counts = new long[0];
    private int used;
    private int shift = FIRST_SHIFT;
    private long count;
    private double least = Double.POSITIVE_INFINITY;
    private double greatest = Double.NEGATIVE_INFINITY;
    private final ExactSum sum = new ExactSum();
    private final ExactSum squares = new ExactSum();

    /** Adds a value; one that is not finite was not measured, and is left out. */
    public void add(double value) {
        if (!Double.isFinite(value)) {
            return;
        }
        sum.add(value);
        squares.add(Math.min(value * value, Double.MAX_VALUE));
        keep(value + 0.0);
    }

    private void keep(double value) {
        least = Math.min(least, value);
        greatest = Math.max(greatest, value);
        if (count < EXACT) {
            if (count == exact.length) {
                exact = Arrays.copyOf(exact, (int) Math.min(EXACT, Math.max(16, 2 * count)));
            }
            exact[(int) count] = value;
        } else {
            toBuckets();
            bucket(key(value), 1);
        }
        count++;
    }

    private void toBuckets() {
        if (keys.length > 0) {
            return;
        }
        clear(64);
        for (int i = 0; i < count; i++) {
            bucket(key(exact[i]), 1);
        }
        exact = new double[0];
    }

    private void clear(int room) {
        keys = new int[room];
        counts = new long[room];
        Arrays.fill(keys, NOBODY);
        used = 0;
    }

    /** Numbers buckets in the order of their values. */
    private int key(double value) {
        long bits = Double.doubleToRawLongBits(value);
        return bits >= 0 ? (int) (bits >>> shift) : ~(int) ((bits & Long.MAX_VALUE) >>> shift);
    }

    private void bucket(int key, long times) {
        int at = key * 0x9E3779B9 >>> Integer.numberOfLeadingZeros(keys.length) + 1;
        while (keys[at] != NOBODY && keys[at] != key) {
            at = at + 1 & keys.length - 1;
        }
        if (keys[at] == NOBODY) {
            keys[at] = key;
            used++;
        }
        counts[at] += times;
        if (used > MAX_BUCKETS) {
            shift++;
            again(keys.length, 1);
        } else if (2 * used > keys.length) {
            again(2 * keys.length, 0);
        }
    }

    private void again(int room, int coarser) {
        int[] before = keys;
        long[] times = counts;
        clear(room);
        for (int i = 0; i < before.length; i++) {
            if (before[i] != NOBODY) {
                bucket(before[i] >> coarser, times[i]);
            }
        }
    }

    /** Adds all values of another set. */
    public void addAll(Values other) {
        sum.addAll(other.sum);
        squares.addAll(other.squares);
        if (other.keys.length == 0) {
            for (int i = 0; i < other.count; i++) {
                keep(other.exact[i]);
            }
            return;
        }
        toBuckets();
        while (shift < other.shift) {
            shift++;
            again(keys.length, 1);
        }
        for (int i = 0; i < other.keys.length; i++) {
            if (other.keys[i] != NOBODY) {
                // Both may have given up bits while this one grew.
                bucket(other.keys[i] >> shift - other.shift, other.counts[i]);
            }
        }
        count += other.count;
        least = Math.min(least, other.least);
        greatest = Math.max(greatest, other.greatest);
    }

    /** Returns the statistics, {@code null} when empty; the set must not change any more. */
    public @Nullable Statistics statistics() {
        return Statistics.of(new Sorted());
    }

    /** The values by size, as long as the set does not change. */
    private final class Sorted implements ValueSet {

        private final double[] sorted;
        /** Keys of buckets as they rise, each with its place. */
        private final long[] order;

        Sorted() {
            sorted = Arrays.copyOf(exact, keys.length == 0 ? (int) count : 0);
            Arrays.sort(sorted);
            order = new long[used];
            int n = 0;
            for (int i = 0; i < keys.length; i++) {
                if (keys[i] != NOBODY) {
                    order[n++] = (long) keys[i] << 32 | i;
                }
            }
            Arrays.sort(order);
        }

        @Override
        public long count() {
            return count;
        }

        @Override
        public double min() {
            return least;
        }

        @Override
        public double mean() {
            return sum.value()
                    .divide(BigDecimal.valueOf(count), MathContext.DECIMAL64)
                    .doubleValue();
        }

        @Override
        public double stddev() {
            return deviation();
        }

        @Override
        public double max() {
            return greatest;
        }

        @Override
        public double quantile(double fraction) {
            long rank = Durations.rank(fraction, count);
            if (sorted.length > 0) {
                return sorted[(int) rank - 1];
            }
            if (rank == 1) {
                return least;
            }
            long seen = 0;
            for (long each : order) {
                seen += counts[(int) each];
                if (seen >= rank) {
                    return Math.max(least, Math.min(greatest, middle((int) (each >> 32))));
                }
            }
            return greatest;
        }
    }

    private double deviation() {
        BigDecimal n = BigDecimal.valueOf(count);
        BigDecimal all = sum.value();
        double scaled = n.multiply(squares.value()).subtract(all.multiply(all)).doubleValue();
        return Math.sqrt(Math.max(0, scaled)) / count;
    }

    private double middle(int key) {
        if (key < 0) {
            return -middle(~key);
        }
        double from = Double.longBitsToDouble((long) key << shift);
        double to = Double.longBitsToDouble((long) key + 1 << shift);
        return Double.isFinite(to) ? from + (to - from) / 2 : from;
    }
}
