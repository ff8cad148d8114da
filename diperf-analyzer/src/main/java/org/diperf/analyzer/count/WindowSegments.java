package org.diperf.analyzer.count;

import java.util.Arrays;
import java.util.Objects;
import java.util.stream.LongStream;
import org.diperf.analyzer.sets.FineHistogram;
import org.diperf.analyzer.stats.BatchSeries;

/**
 * The stretches of a run between the begins and ends of its windows. A call is counted in one of them, and the windows, which
 * overlap, are put together when all calls are counted; but for batches, which each window cuts in its own way. Confined to
 * one thread.
 */
final class WindowSegments {

    private final ScopeTally[] windows;
    private final ScopeTally[] cells;
    /** Of those windows that have them. */
    private final BatchSeries[] batches;

    private int hint;

    /** @param windows that are empty */
    WindowSegments(ScopeTally[] windows) {
        this.windows = windows;
        long[] edges = Arrays.stream(windows)
                .flatMapToLong(window -> LongStream.of(window.from, window.to))
                .map(edge -> Math.max(0, edge))
                .sorted()
                .distinct()
                .toArray();
        batches = Arrays.stream(windows)
                .map(window -> window.batches)
                .filter(Objects::nonNull)
                .toArray(BatchSeries[]::new);
        cells = new ScopeTally[edges.length - 1];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = new ScopeTally(edges[i], edges[i + 1]);
        }
    }

    /** Returns the cell that holds an instant, which one of the windows holds. */
    ScopeTally at(long end) {
        if (!cells[hint].holds(end)) {
            hint = 0;
            while (!cells[hint].holds(end)) {
                hint++;
            }
        }
        return cells[hint];
    }

    /** Returns the first instant of the cell, and of the batches of windows, that hold one. */
    long since(long end) {
        long since = at(end).from;
        for (BatchSeries each : batches) {
            since = Math.max(since, each.batchFrom(end));
        }
        return since;
    }

    /** Returns the first instant behind the cell, or behind the first batch of a window that ends, that hold one. */
    long until(long end) {
        long until = at(end).to;
        for (BatchSeries each : batches) {
            until = Math.min(until, each.batchTo(end));
        }
        return until;
    }

    /** Adds response times of ok calls to the sums of all windows, from one row to before another, of which the sums are known. */
    void sums(OkCallColumns rows, int from, int to) {
        boolean known = from == 0 && to == rows.count && rows.latencies.fits;
        for (BatchSeries each : batches) {
            if (!known || !each.addSum(rows.earliest, rows.latest, rows.latencies.sum, to - from)) {
                each.addSums(rows.end, rows.latency, from, to);
            }
        }
    }

    /** Adds the same response times to the batches' histograms. */
    void batches(OkCallColumns rows, int from, int to) {
        for (BatchSeries each : batches) {
            each.addTimes(rows.end[from], rows.latency, from, to);
        }
    }

    /** Adds response times to the batches that hold an instant. */
    void batches(long at, FineHistogram response) {
        for (BatchSeries each : batches) {
            response.forEach(BatchSeries.HISTOGRAM_BITS, (value, count) -> each.addTimes(at, value, count));
        }
    }

    /** Adds what was counted in the same cells elsewhere. */
    void addAll(WindowSegments other) {
        for (int i = 0; i < windows.length; i++) {
            // There is nothing in them yet but batches.
            windows[i].addAll(other.windows[i]);
        }
        for (int i = 0; i < cells.length; i++) {
            cells[i].addAll(other.cells[i]);
        }
    }

    /** Puts the windows together; nothing may be counted afterwards. */
    void close() {
        for (ScopeTally window : windows) {
            for (ScopeTally cell : cells) {
                if (cell.from >= window.from && cell.to <= window.to) {
                    window.addAll(cell);
                }
            }
        }
    }
}
