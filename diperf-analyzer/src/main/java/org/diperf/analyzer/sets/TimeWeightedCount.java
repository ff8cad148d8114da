package org.diperf.analyzer.sets;

import java.util.Arrays;

/**
 * The time-weighted number of things under way in each quantum, from their spans. A span costs O(1) however long it is:
 * its two ends are added to their quanta, and the whole quanta between are noted in a difference array. Confined to one
 * thread.
 */
public final class TimeWeightedCount {

    private final int limit;
    private long[] part = new long[64];
    private long[] begins = new long[65];

    public TimeWeightedCount(int limit) {
        this.limit = limit;
    }

    /**
     * Adds a span.
     *
     * @param from ns, at least 0
     * @param to ns, within the last quantum there may be
     */
    public void add(long from, long to, long quantum) {
        if (to > from) {
            add(from, to, (int) (from / quantum), (int) (to / quantum), quantum);
        }
    }

    /** Adds a span, of which it is known in which quanta it begins and ends. */
    public void add(long from, long to, int first, int last, long quantum) {
        if (to <= from) {
            return;
        }
        makeRoom(last);
        if (first == last) {
            part[first] += to - from;
        } else {
            part[first] += (first + 1) * quantum - from;
            part[last] += to - last * quantum;
            begins[first + 1]++;
            begins[last]--;
        }
    }

    /** Adds the sum of spans that lie within one quantum. */
    public void add(int quantum, long sum) {
        makeRoom(quantum);
        part[quantum] += sum;
    }

    private void makeRoom(int last) {
        if (last >= part.length) {
            int length = Math.max(last + 1, Math.min(limit, 2 * last));
            part = Arrays.copyOf(part, length);
            begins = Arrays.copyOf(begins, length + 1);
        }
    }

    /** Adds the spans of one with quanta of the same width. */
    public void addAll(TimeWeightedCount other) {
        if (other.part.length > part.length) {
            part = Arrays.copyOf(part, other.part.length);
            begins = Arrays.copyOf(begins, other.part.length + 1);
        }
        for (int i = 0; i < other.part.length; i++) {
            part[i] += other.part[i];
            begins[i] += other.begins[i];
        }
    }

    /** Makes quanta twice as wide. */
    public void fold(long quantum) {
        long[] sums = sums(quantum);
        part = new long[sums.length];
        begins = new long[sums.length + 1];
        for (int i = 0; i < sums.length; i++) {
            part[i / 2] += sums[i];
        }
    }

    /** Returns the time spent in each quantum, ns, summed over all that were under way. */
    public long[] sums(long quantum) {
        long[] sums = new long[part.length];
        long whole = 0;
        for (int i = 0; i < sums.length; i++) {
            whole += begins[i];
            sums[i] = part[i] + whole * quantum;
        }
        return sums;
    }
}
