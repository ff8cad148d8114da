package org.diperf.analyzer.count;

import java.util.Arrays;

/**
 * A tester's network latency over time: means of spans of time, never more than 128 of them; when a later one is needed,
 * neighbours are added up and spans become twice as wide. Confined to one thread.
 */
public final class LatencySeries {

    private static final int MOST = 128;

    private final double[] sums = new double[MOST];
    private final int[] counts = new int[MOST];
    private long width;

    /** @param widthNanos of a span at first */
    LatencySeries(long widthNanos) {
        this.width = widthNanos;
    }

    /** @param at ns after the start of the run, at least 0 */
    void add(long at, double millis) {
        while (at / width >= MOST) {
            fold();
        }
        int span = (int) (at / width);
        sums[span] += millis;
        counts[span]++;
    }

    private void fold() {
        for (int i = 0; i < MOST / 2; i++) {
            sums[i] = sums[2 * i] + sums[2 * i + 1];
            counts[i] = counts[2 * i] + counts[2 * i + 1];
        }
        Arrays.fill(sums, MOST / 2, MOST, 0);
        Arrays.fill(counts, MOST / 2, MOST, 0);
        width *= 2;
    }

    /** Returns the instants in the middle of spans that hold values, s, and the mean of these, ms. */
    public double[][] means() {
        int size = 0;
        for (int count : counts) {
            size += count > 0 ? 1 : 0;
        }
        double[] seconds = new double[size];
        double[] millis = new double[size];
        int next = 0;
        for (int i = 0; i < MOST; i++) {
            if (counts[i] > 0) {
                seconds[next] = (i + 0.5) * width / 1e9;
                millis[next++] = sums[i] / counts[i];
            }
        }
        return new double[][] {seconds, millis};
    }
}
