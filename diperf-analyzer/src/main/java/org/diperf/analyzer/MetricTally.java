package org.diperf.analyzer;

import java.util.Arrays;
import org.diperf.analyzer.MetricRow.Statistics;
import org.jspecify.annotations.Nullable;

/**
 * What is counted of one metric of a plugin, in bounded memory. Values are kept in millionths of the unit and summed as integers,
 * so that neither their order nor the number of threads changes a digit. Confined to one thread.
 */
final class MetricTally {

    private static final double SCALE = 1e6;
    /** Largest value, either way, in the metric's unit; larger ones count as that. */
    private static final double MOST = 1e12;
    /** Sums of quanta are in thousandths: nine million of the largest values fit. */
    private static final long COARSE = 1_000;

    private static final int BITS = 7;
    private static final int BUCKETS = 4_096;

    private final Side positive = new Side();
    /** What lies below 0, by its size. */
    private @Nullable Side negative;

    private long[] counts = new long[64];
    private long[] sums = new long[64];

    /** Values on one side of 0. */
    private static final class Side {
        final LogHistogram histogram = new LogHistogram(BITS, BUCKETS);
        final Moments moments = new Moments();
        long count;
        long least = Long.MAX_VALUE;
        long most;

        void add(long value) {
            histogram.add(value, 1);
            moments.add(value);
            count++;
            least = Math.min(least, value);
            most = Math.max(most, value);
        }

        void addAll(Side other) {
            histogram.addAll(other.histogram);
            moments.addAll(other.moments);
            count += other.count;
            least = Math.min(least, other.least);
            most = Math.max(most, other.most);
        }

        double mean() {
            return count == 0 ? 0 : moments.mean(count);
        }

        double squares() {
            double deviation = count == 0 ? 0 : moments.stddev(count);
            return count * (deviation * deviation + mean() * mean());
        }
    }

    /**
     * Counts a value.
     *
     * @param quantum in which it held; negative: in none
     * @param measured whether that was in the measured part
     */
    void add(double value, int quantum, boolean measured) {
        long scaled = Math.round(Math.max(-MOST, Math.min(MOST, value)) * SCALE);
        if (measured) {
            (scaled < 0 ? below() : positive).add(Math.abs(scaled));
        }
        if (quantum >= 0) {
            if (quantum >= counts.length) {
                int length = Math.min(Quanta.MOST, Math.max(quantum + 1, 2 * counts.length));
                counts = Arrays.copyOf(counts, length);
                sums = Arrays.copyOf(sums, length);
            }
            counts[quantum]++;
            sums[quantum] += scaled / COARSE;
        }
    }

    private Side below() {
        Side side = negative == null ? new Side() : negative;
        negative = side;
        return side;
    }

    /** Adds what another thread counted in quanta of the same width. */
    void addAll(MetricTally other) {
        positive.addAll(other.positive);
        if (other.negative != null) {
            below().addAll(other.negative);
        }
        if (other.counts.length > counts.length) {
            counts = Arrays.copyOf(counts, other.counts.length);
            sums = Arrays.copyOf(sums, other.sums.length);
        }
        for (int i = 0; i < other.counts.length; i++) {
            counts[i] += other.counts[i];
            sums[i] += other.sums[i];
        }
    }

    /** Makes quanta twice as wide. */
    void fold() {
        for (int i = 0; i < counts.length; i++) {
            long count = counts[i];
            long sum = sums[i];
            counts[i] = 0;
            sums[i] = 0;
            counts[i / 2] += count;
            sums[i / 2] += sum;
        }
    }

    /** Gives the mean of each quantum. */
    double[] means(int size) {
        double[] means = new double[size];
        for (int i = 0; i < size; i++) {
            means[i] = i < counts.length && counts[i] > 0 ? sums[i] * (COARSE / SCALE) / counts[i] : Double.NaN;
        }
        return means;
    }

    /** Gives the statistics over the measured part; {@code null} where nothing was seen of it. */
    @Nullable
    Statistics statistics(String unit) {
        Side low = negative == null ? new Side() : negative;
        long count = positive.count + low.count;
        if (count == 0) {
            return null;
        }
        double mean = (positive.count * positive.mean() - low.count * low.mean()) / count;
        double squares = positive.squares() + low.squares();
        double deviation = Math.sqrt(Math.max(0, squares / count - mean * mean));
        return new Statistics(
                unit,
                count,
                (low.count > 0 ? -low.most : positive.least) / SCALE,
                mean / SCALE,
                deviation / SCALE,
                quantile(0.5, low, count),
                quantile(0.9, low, count),
                quantile(0.95, low, count),
                quantile(0.99, low, count),
                (positive.count > 0 ? positive.most : -low.least) / SCALE);
    }

    private double quantile(double share, Side low, long count) {
        long rank = Math.max(1, (long) Math.ceil(share * count));
        if (rank <= low.count) {
            long value = low.histogram.ranked(low.count - rank + 1);
            return -Math.max(low.least, Math.min(low.most, value)) / SCALE;
        }
        long value = positive.histogram.ranked(rank - low.count);
        return Math.max(positive.least, Math.min(positive.most, value)) / SCALE;
    }
}
