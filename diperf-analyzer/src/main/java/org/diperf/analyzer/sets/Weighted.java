package org.diperf.analyzer.sets;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.diperf.analyzer.result.Summary.Times;
import org.jspecify.annotations.Nullable;

/** Values of any sign, ns, each with the number of times it occurs. Confined to one thread. */
public final class Weighted {

    private static final double MILLI = 1e6;

    private double[] values = new double[64];
    private long[] counts = new long[64];
    private int size;

    /** Takes a value and how often it occurs. */
    public interface Taker {
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

    public void forEach(Taker taker) {
        for (int i = 0; i < size; i++) {
            taker.take(values[i], counts[i]);
        }
    }

    /** Gives the statistics, with the number of negative values; {@code null} when empty. */
    @Nullable
    public Times times() {
        if (size == 0) {
            return null;
        }
        int[] order = IntStream.range(0, size)
                .boxed()
                .sorted((one, other) -> Double.compare(values[one], values[other]))
                .mapToInt(Integer::intValue)
                .toArray();
        long total = 0;
        long negative = 0;
        double sum = 0;
        for (int i = 0; i < size; i++) {
            total += counts[i];
            negative += values[i] < 0 ? counts[i] : 0;
            sum += values[i] * counts[i];
        }
        double mean = sum / total;
        double squares = 0;
        for (int i = 0; i < size; i++) {
            squares += (values[i] - mean) * (values[i] - mean) * counts[i];
        }
        return new Times(
                total,
                values[order[0]] / MILLI,
                mean / MILLI,
                Math.sqrt(squares / total) / MILLI,
                ranked(order, Durations.rank(0.5, total)),
                ranked(order, Durations.rank(0.9, total)),
                ranked(order, Durations.rank(0.95, total)),
                ranked(order, Durations.rank(0.99, total)),
                ranked(order, Durations.rank(0.999, total)),
                values[order[size - 1]] / MILLI,
                negative);
    }

    private double ranked(int[] order, long rank) {
        long seen = 0;
        for (int at : order) {
            seen += counts[at];
            if (seen >= rank) {
                return values[at] / MILLI;
            }
        }
        return values[order[size - 1]] / MILLI;
    }
}
