package org.diperf.analyzer;

import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * The stretches of a run between the begins and ends of its windows. A call is counted in one of them, and the windows, which
 * overlap, are put together when all calls are counted; but for batches, which each window cuts in its own way. Confined to
 * one thread.
 */
final class Cells {

    private final Scope[] windows;
    private final Scope[] cells;
    private int hint;

    /** @param windows that are empty */
    Cells(Scope[] windows) {
        this.windows = windows;
        long[] edges = Arrays.stream(windows)
                .flatMapToLong(window -> LongStream.of(window.from, window.to))
                .map(edge -> Math.max(0, edge))
                .sorted()
                .distinct()
                .toArray();
        cells = new Scope[edges.length - 1];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = new Scope(edges[i], edges[i + 1]);
        }
    }

    /** Gives the cell that holds an instant, which one of the windows holds. */
    Scope at(long end) {
        if (!cells[hint].holds(end)) {
            hint = 0;
            while (!cells[hint].holds(end)) {
                hint++;
            }
        }
        return cells[hint];
    }

    /** Counts ok calls, from one row to before another, that ended in the same cell, of which the sums are known. */
    void ok(Rows rows, int from, int to) {
        at(rows.end[from]).ok(rows, from, to);
        for (Scope window : windows) {
            if (window.batches != null) {
                window.batches.addAll(rows.end, rows.latency, from, to);
            }
        }
    }

    /** Adds what was counted in the same cells elsewhere. */
    void addAll(Cells other) {
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
        for (Scope window : windows) {
            for (Scope cell : cells) {
                if (cell.from >= window.from && cell.to <= window.to) {
                    window.addAll(cell);
                }
            }
        }
    }
}
