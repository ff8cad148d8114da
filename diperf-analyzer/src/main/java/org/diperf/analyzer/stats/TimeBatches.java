package org.diperf.analyzer.stats;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;

/**
 * What is kept of the calls of one stretch of a run so that confidence intervals can be given of them: sums over 960 equal
 * cells of time, and histograms over 20. Takes up to 170 KiB, however many calls; nothing until the first one. Sums are whole numbers, so
 * that the order of calls does not matter. Confined to one thread.
 */
public final class TimeBatches {

    /** Equal parts of the stretch. */
    public static final int CELLS = 960;

    private final long fromNanos;
    private final long toNanos;
    private final double perNano;
    private final BatchHistograms histograms = new BatchHistograms();
    private long[] sums = new long[0];
    private int[] counts = new int[0];
    private int[] ended = new int[0];
    private long calls;

    /**
     * @param fromNanos begin of the stretch
     * @param toNanos the first instant behind it; cells are longer than 1 ns only if it is
     */
    public TimeBatches(long fromNanos, long toNanos) {
        this.fromNanos = fromNanos;
        this.toNanos = Math.max(fromNanos + 1, toNanos);
        this.perNano = (double) CELLS / (this.toNanos - fromNanos);
    }

    /** Adds a time at an instant; one outside of the stretch is left out. */
    public void add(long atNanos, long valueNanos) {
        if (atNanos < fromNanos || atNanos >= toNanos) {
            return;
        }
        if (sums.length == 0) {
            sums = new long[CELLS];
            counts = new int[CELLS];
        }
        int cell = cell(atNanos);
        sums[cell] += Math.max(0, valueNanos);
        counts[cell]++;
        calls++;
        histograms.add(cell / (CELLS / BatchHistograms.BATCHES), Math.max(0, valueNanos));
    }

    /**
     * Counts the end of a call towards the rate, where that is not of the same calls as the times; one outside of the stretch
     * is left out.
     */
    public void ended(long atNanos) {
        if (atNanos < fromNanos || atNanos >= toNanos) {
            return;
        }
        if (ended.length == 0) {
            ended = new int[CELLS];
        }
        ended[cell(atNanos)]++;
    }

    /** Adds what another one of the same stretch holds. */
    public void addAll(TimeBatches other) {
        if (other.fromNanos != fromNanos || other.toNanos != toNanos) {
            throw new IllegalArgumentException("Wanted batches of the same stretch");
        }
        if (other.sums.length > 0 && sums.length == 0) {
            sums = new long[CELLS];
            counts = new int[CELLS];
        }
        if (other.ended.length > 0 && ended.length == 0) {
            ended = new int[CELLS];
        }
        for (int i = 0; i < other.sums.length; i++) {
            sums[i] += other.sums[i];
            counts[i] += other.counts[i];
        }
        for (int i = 0; i < other.ended.length; i++) {
            ended[i] += other.ended[i];
        }
        calls += other.calls;
        histograms.addAll(other.histograms);
    }

    private int cell(long atNanos) {
        return Math.min(CELLS - 1, (int) ((atNanos - fromNanos) * perNano));
    }

    /** Counts the times. */
    public long calls() {
        return calls;
    }

    /** Gives the begin of the stretch, ns. */
    public long fromNanos() {
        return fromNanos;
    }

    /** Gives the first instant behind the stretch, ns. */
    public long toNanos() {
        return toNanos;
    }

    /** Gives the interval of the mean time, ns. */
    public Interval mean() {
        return calls == 0 ? Interval.none("no call") : BatchMeans.ratio(sums(), counts(), calls);
    }

    /** Gives the interval of the rate at which calls ended, per second. */
    public Interval rate() {
        double[] seconds = new double[CELLS];
        Arrays.fill(seconds, (toNanos - fromNanos) / 1e9 / CELLS);
        double[] counted = ended();
        long all = 0;
        for (double count : counted) {
            all += (long) count;
        }
        return BatchMeans.ratio(counted, seconds, all);
    }

    /**
     * Gives the interval of a quantile, in the unit of {@code valueAt}.
     *
     * @param fraction between 0 and 1
     * @param valueAt gives the quantile of all times for any fraction
     */
    public Interval quantile(double fraction, DoubleUnaryOperator valueAt) {
        return histograms.quantile(fraction, valueAt);
    }

    /** Gives the sums of times by cell, ns. */
    public double[] sums() {
        double[] all = new double[CELLS];
        for (int i = 0; i < sums.length; i++) {
            all[i] = sums[i];
        }
        return all;
    }

    /** Counts times by cell. */
    public double[] counts() {
        return doubles(counts);
    }

    /** Counts what the rate is of by cell: ends where they were counted, else times. */
    public double[] ended() {
        return doubles(ended.length > 0 ? ended : counts);
    }

    /** Gives the mean times of so many equal parts, ns; {@code NaN} of one without calls. */
    public double[] means(int parts) {
        double[] means = BatchMeans.joined(sums(), parts);
        double[] each = BatchMeans.joined(counts(), parts);
        for (int i = 0; i < parts; i++) {
            means[i] /= each[i];
        }
        return means;
    }

    private static double[] doubles(int[] values) {
        double[] all = new double[CELLS];
        for (int i = 0; i < values.length; i++) {
            all[i] = values[i];
        }
        return all;
    }
}
