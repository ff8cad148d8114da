package org.diperf.analyzer.sets;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.diperf.analyzer.stats.Statistics;
import org.diperf.analyzer.stats.ValueSet;
import org.jspecify.annotations.Nullable;

/** Values of any sign, ns, each with the number of times it occurs. Confined to one thread. */
public final class WeightedValues {

    private static final double MILLI = 1e6;

    private double[] values = new double[64];
    private long[] counts = new long[64];
    private int size;

    /** Takes a value and how often it occurs. */
    public interface ValueConsumer {
        void take(double value, long count);
    }

    void add(double value, long count) {
        if (size == values.length) {
            values = Arrays.copyOf(values, 2 * size);
            counts = Arrays.copyOf(counts, 2 * size);
        }
        values[size] = value;
        counts[size++] = count;
    }

    public void forEach(ValueConsumer taker) {
        for (int i = 0; i < size; i++) {
            taker.take(values[i], counts[i]);
        }
    }

    /** Returns the statistics in ms, with the number of negative values; {@code null} when empty. */
    public @Nullable Statistics statistics() {
        Sorted sorted = new Sorted(this);
        return Statistics.of(sorted, sorted.negative);
    }

    /** The values at one moment, by size. Immutable. */
    private static final class Sorted implements ValueSet {

        private final double[] values;
        private final long[] counts;
        private final long count;
        private final long negative;
        private final double mean;
        private final double stddev;

        Sorted(WeightedValues of) {
            int[] order = IntStream.range(0, of.size)
                    .boxed()
                    .sorted((one, other) -> Double.compare(of.values[one], of.values[other]))
                    .mapToInt(Integer::intValue)
                    .toArray();
            values = IntStream.of(order).mapToDouble(at -> of.values[at]).toArray();
            counts = IntStream.of(order).mapToLong(at -> of.counts[at]).toArray();
            long total = 0;
            long below = 0;
            double sum = 0;
            for (int i = 0; i < of.size; i++) {
                total += of.counts[i];
                below += of.values[i] < 0 ? of.counts[i] : 0;
                sum += of.values[i] * of.counts[i];
            }
            count = total;
            negative = below;
            mean = sum / total;
            double squares = 0;
            for (int i = 0; i < of.size; i++) {
                squares += (of.values[i] - mean) * (of.values[i] - mean) * of.counts[i];
            }
            stddev = Math.sqrt(squares / total);
        }

        @Override
        public long count() {
            return count;
        }

        @Override
        public double min() {
            return values[0] / MILLI;
        }

        @Override
        public double mean() {
            return mean / MILLI;
        }

        @Override
        public double stddev() {
            return stddev / MILLI;
        }

        @Override
        public double max() {
            return values[values.length - 1] / MILLI;
        }

        @Override
        public double quantile(double fraction) {
            long rank = Durations.rank(fraction, count);
            long seen = 0;
            for (int i = 0; i < values.length; i++) {
                seen += counts[i];
                if (seen >= rank) {
                    return values[i] / MILLI;
                }
            }
            return max();
        }
    }
}
