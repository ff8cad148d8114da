package org.diperf.analyzer.count;

import java.util.Arrays;
import org.diperf.analyzer.result.Series;

/**
 * The values of one metric in each quantum, in bounded memory. They are summed as integers, in thousandths of the unit, so that
 * neither their order nor the number of threads changes a digit. Confined to one thread.
 */
public final class MetricTally {

    private static final double SCALE = 1e3;
    /** Largest value, either way, in the metric's unit; larger ones count as that: nine thousand of them fit into a sum. */
    private static final double MOST = 1e12;

    private long[] counts = new long[64];
    private long[] sums = new long[64];

    public void add(double value, int quantum) {
        if (quantum >= counts.length) {
            resize(Math.min(Series.MAX_QUANTA, Math.max(quantum + 1, 2 * counts.length)));
        }
        counts[quantum]++;
        sums[quantum] += Math.round(Math.max(-MOST, Math.min(MOST, value)) * SCALE);
    }

    private void resize(int length) {
        counts = Arrays.copyOf(counts, length);
        sums = Arrays.copyOf(sums, length);
    }

    /** Adds what another thread counted in quanta of the same width. */
    public void addAll(MetricTally other) {
        if (other.counts.length > counts.length) {
            resize(other.counts.length);
        }
        for (int i = 0; i < other.counts.length; i++) {
            counts[i] += other.counts[i];
            sums[i] += other.sums[i];
        }
    }

    /** Makes quanta twice as wide. */
    public void fold() {
        for (int i = 0; i < counts.length; i++) {
            long count = counts[i];
            long sum = sums[i];
            counts[i] = 0;
            sums[i] = 0;
            counts[i / 2] += count;
            sums[i / 2] += sum;
        }
    }

    /** Returns how many values there were in each quantum, per second. */
    double[] counts(int size, double seconds) {
        double[] counted = new double[size];
        for (int i = 0; i < Math.min(size, counts.length); i++) {
            counted[i] = counts[i] / seconds;
        }
        return counted;
    }

    /** Returns the sum of the values in each quantum, per second. */
    double[] sums(int size, double seconds) {
        double[] summed = new double[size];
        for (int i = 0; i < Math.min(size, sums.length); i++) {
            summed[i] = sums[i] / SCALE / seconds;
        }
        return summed;
    }

    /** Returns the mean of each quantum. */
    public double[] means(int size) {
        double[] means = new double[size];
        for (int i = 0; i < size; i++) {
            means[i] = i < counts.length && counts[i] > 0 ? sums[i] / SCALE / counts[i] : Double.NaN;
        }
        return means;
    }
}
