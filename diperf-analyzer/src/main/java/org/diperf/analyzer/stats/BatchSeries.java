package org.diperf.analyzer.stats;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of the calls of one stretch of a run so that confidence intervals can be given of them: sums over 960 equal
 * cells of time, and histograms over 20. Takes up to 170 KiB, however many calls; nothing until the first one. Sums and the
 * begins of cells are whole numbers, so that it does not matter in which order calls come, and how many at once. Confined to
 * one thread.
 */
public final class BatchSeries {

    /** Equal parts of the stretch. */
    public static final int CELLS = 960;

    /** Each power of two of times is cut into as many buckets as so many bits tell apart. */
    public static final int HISTOGRAM_BITS = BatchHistograms.BITS;

    private static final int CELLS_PER_BATCH = CELLS / BatchHistograms.BATCHES;

    private final long fromNanos;
    private final long toNanos;
    private final @Nullable BatchHistograms histograms;
    private long[] sums = new long[0];
    private int[] counts = new int[0];
    private int[] ended = new int[0];
    private long calls;
    /** The cell that was found last, -1 outside of the stretch; its begin and end. */
    private int cell;

    private long cellFrom;
    private long cellTo = Long.MIN_VALUE;

    /**
     * @param fromNanos begin of the stretch
     * @param toNanos the first instant behind it; cells are longer than 1 ns only if it is
     */
    public BatchSeries(long fromNanos, long toNanos) {
        this(fromNanos, toNanos, new BatchHistograms());
    }

    private BatchSeries(long fromNanos, long toNanos, @Nullable BatchHistograms histograms) {
        this.histograms = histograms;
        this.fromNanos = fromNanos;
        this.toNanos = Math.max(fromNanos + 1, toNanos);
    }

    /** Makes one that takes an eighth of the memory, and gives no interval of a quantile. */
    public static BatchSeries withoutQuantiles(long fromNanos, long toNanos) {
        return new BatchSeries(fromNanos, toNanos, null);
    }

    /** Adds a time at an instant; one outside of the stretch is left out. */
    public void add(long atNanos, long valueNanos) {
        add(atNanos, valueNanos, 1);
    }

    /** Takes away a time that is added here, or in another one that this is added to. */
    public void remove(long atNanos, long valueNanos) {
        add(atNanos, valueNanos, -1);
    }

    private void add(long atNanos, long valueNanos, int count) {
        find(atNanos);
        if (cell >= 0) {
            long value = Math.max(0, valueNanos);
            sum(count * value, count);
            if (histograms != null) {
                histograms.add(batch(), value, count);
            }
        }
    }

    /** Adds times at instants, from one place to before another, at once where neighbours are in the same cell. */
    public void addAll(long[] atNanos, long[] valuesNanos, int from, int to) {
        add(atNanos, valuesNanos, from, to, histograms);
    }

    /** Adds times at instants, from one place to before another, but not to the histograms. */
    public void addSums(long[] atNanos, long[] valuesNanos, int from, int to) {
        add(atNanos, valuesNanos, from, to, null);
    }

    /**
     * Adds times, but not to the histograms, if all are in the same cell.
     *
     * @param earliest instant of them
     * @param latest instant of them
     * @param sum of the times, none of them below 0
     * @return whether they are
     */
    public boolean addSum(long earliest, long latest, long sum, int count) {
        find(earliest);
        if (latest >= cellTo) {
            return false;
        }
        if (cell >= 0) {
            sum(sum, count);
        }
        return true;
    }

    /** Adds times to the histogram of the batch that holds an instant, and to nothing else. */
    public void addTimes(long atNanos, long[] valuesNanos, int from, int to) {
        find(atNanos);
        if (cell >= 0 && histograms != null) {
            histograms.addAll(batch(), valuesNanos, from, to);
        }
    }

    /** Adds equal times to the histogram of the batch that holds an instant, and to nothing else. */
    public void addTimes(long atNanos, long valueNanos, int count) {
        find(atNanos);
        if (cell >= 0 && histograms != null) {
            histograms.add(batch(), valueNanos, count);
        }
    }

    /** Returns the first instant of the batch that holds one. */
    public long batchFrom(long atNanos) {
        find(atNanos);
        return cell < 0 ? cellFrom : begin(batch() * CELLS_PER_BATCH);
    }

    /** Returns the first instant behind the batch that holds one. */
    public long batchTo(long atNanos) {
        find(atNanos);
        return cell < 0 ? cellTo : begin((batch() + 1) * CELLS_PER_BATCH);
    }

    private void add(long[] atNanos, long[] valuesNanos, int from, int to, @Nullable BatchHistograms into) {
        for (int begin = from; begin < to; ) {
            int end = sameCell(atNanos, begin, to);
            if (cell >= 0) {
                long added = 0;
                for (int i = begin; i < end; i++) {
                    added += Math.max(0, valuesNanos[i]);
                }
                sum(added, end - begin);
                if (into != null) {
                    into.addAll(batch(), valuesNanos, begin, end);
                }
            }
            begin = end;
        }
    }

    private void sum(long added, int count) {
        if (sums.length == 0) {
            sums = new long[CELLS];
            counts = new int[CELLS];
        }
        sums[cell] += added;
        counts[cell] += count;
        calls += count;
    }

    private int batch() {
        return cell / CELLS_PER_BATCH;
    }

    /**
     * Counts ends of calls, from one place to before another, towards the rate, where that is not of the same calls as the
     * times; those outside of the stretch are left out.
     */
    public void ended(long[] atNanos, int from, int to) {
        for (int begin = from; begin < to; ) {
            int end = sameCell(atNanos, begin, to);
            if (cell >= 0) {
                if (ended.length == 0) {
                    ended = new int[CELLS];
                }
                ended[cell] += end - begin;
            }
            begin = end;
        }
    }

    /** Finds the cell of an instant, and the first of the instants behind it that is in another one. */
    private int sameCell(long[] atNanos, int from, int to) {
        find(atNanos[from]);
        int end = from + 1;
        while (end < to && atNanos[end] >= cellFrom && atNanos[end] < cellTo) {
            end++;
        }
        return end;
    }

    private void find(long atNanos) {
        if (atNanos >= cellFrom && atNanos < cellTo) {
            return;
        }
        if (atNanos < fromNanos || atNanos >= toNanos) {
            cell = -1;
            cellFrom = atNanos < fromNanos ? Long.MIN_VALUE : toNanos;
            cellTo = atNanos < fromNanos ? fromNanos : Long.MAX_VALUE;
            return;
        }
        cell = (int) ((double) (atNanos - fromNanos) / (toNanos - fromNanos) * CELLS);
        while (atNanos < begin(cell)) {
            cell--;
        }
        while (atNanos >= begin(cell + 1)) {
            cell++;
        }
        cellFrom = begin(cell);
        cellTo = begin(cell + 1);
    }

    /** Returns the first instant of a cell; of the one behind the last, the end of the stretch. */
    private long begin(int of) {
        long span = toNanos - fromNanos;
        return fromNanos + span / CELLS * of + span % CELLS * of / CELLS;
    }

    /** Returns one that holds the same. */
    public BatchSeries copy() {
        BatchSeries copy = new BatchSeries(fromNanos, toNanos, histograms == null ? null : new BatchHistograms());
        copy.addAll(this);
        return copy;
    }

    /** Adds what another one of the same stretch holds. */
    public void addAll(BatchSeries other) {
        if (other.fromNanos != fromNanos || other.toNanos != toNanos) {
            throw new IllegalArgumentException("Expected batches over the same time span");
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
        if (histograms != null && other.histograms != null) {
            histograms.addAll(other.histograms);
        }
    }

    /** Counts the times. */
    public long calls() {
        return calls;
    }

    /** Returns the start of the stretch, ns. */
    public long fromNanos() {
        return fromNanos;
    }

    /** Returns the first instant behind the stretch, ns. */
    public long toNanos() {
        return toNanos;
    }

    /** Returns the interval of the mean time, ns. */
    public Interval mean() {
        return calls == 0 ? Interval.none("no call") : BatchMeans.ratio(sums(), counts(), calls);
    }

    /** Returns the interval of the rate at which calls ended, per second. */
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
     * Returns the interval of a quantile, in the unit of {@code valueAt}.
     *
     * @param fraction between 0 and 1
     * @param valueAt gives the quantile of all times for any fraction
     */
    public Interval quantile(double fraction, DoubleUnaryOperator valueAt) {
        return histograms == null ? Interval.none("not kept") : histograms.quantile(fraction, valueAt);
    }

    /** Returns the sums of times by cell, ns. */
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

    /** Returns the mean times of so many equal parts, ns; {@code NaN} of one without calls. */
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
