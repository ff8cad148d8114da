package org.diperf.analyzer.count;

import org.diperf.analyzer.run.Outcomes;
import org.diperf.analyzer.sets.Durations;
import org.diperf.analyzer.sets.FineHistogram;
import org.jspecify.annotations.Nullable;

/**
 * Adds ok calls to the sets of times of quanta, of windows and of their batches. Calls of many blocks that ended in the same
 * quantum, window and batch, a cell, have their times counted once, in {@link FineHistogram}, and these go to the sets together.
 * There are a few cells at a time, as testers' blocks need not come at the same pace. Nothing may be asked of the sets before
 * {@link #flush}. Confined to one thread.
 */
final class CellBuffer {

    /** For fewer calls it does not pay to begin. */
    private static final int LEAST = 256;

    /** Counts must not overflow. */
    private static final int MOST = 1 << 30;

    private static final int CELLS = 4;

    private final Quanta quanta;
    private final WindowSegments cells;
    private final Cell[] gathered = new Cell[CELLS];
    /** Used last of all, and counts how often that was another one than before. */
    private int hint;

    private long uses;

    /** What was gathered of calls that ended between two instants. */
    private static final class Cell {
        private final FineHistogram response = new FineHistogram();
        private final FineHistogram lag = new FineHistogram();
        private final FineHistogram service = new FineHistogram();
        private final FineHistogram least = new FineHistogram();
        private long from = Long.MIN_VALUE;
        private long to = Long.MIN_VALUE;
        private @Nullable ScopeTally scope;
        private @Nullable Durations quantumResponse;
        private @Nullable Durations quantumLeast;
        private @Nullable Durations quantumLag;
        private int calls;
        private long used;

        boolean holds(long earliest, long latest) {
            return earliest >= from && latest < to && calls < MOST;
        }
    }

    CellBuffer(Quanta quanta, WindowSegments cells) {
        this.quanta = quanta;
        this.cells = cells;
        for (int i = 0; i < CELLS; i++) {
            gathered[i] = new Cell();
        }
        quanta.beforeFold(this::flush);
    }

    /** Counts ok calls of which the sums are known, from one row to before another: all in the same quantum, window and batch. */
    void ok(OkCallColumns rows, int first, int behind) {
        long end = rows.end[first];
        int count = behind - first;
        ScopeTally scope = cells.at(end);
        Durations responses = quanta.ok(rows, first, behind);
        Durations lags = quanta.sent(rows, first, behind);
        Cell cell = cell(end, count);
        cells.sums(rows, first, behind);
        if (cell != null && rows.latencies.fits && scope.response.isBuckets() && responses.isBuckets()) {
            responses.addSums(rows.latencies, count);
            scope.response.addSums(rows.latencies, count);
            cell.response.addAll(rows.latencyPlaces, first, behind, rows.latencies);
            cell.quantumResponse = responses;
        } else {
            responses.addAll(rows.latency, rows.latencyPlaces, first, behind, rows.latencies);
            scope.response.addAll(rows.latency, rows.latencyPlaces, first, behind, rows.latencies);
            cells.batches(rows, first, behind);
        }
        if (rows.knowsLag) {
            lags(rows, first, behind, scope, lags, cell);
            if (cell != null && rows.services.fits && scope.service.isBuckets()) {
                scope.service.addSums(rows.services, count);
                cell.service.addAll(rows.servicePlaces, first, behind, rows.services);
            } else {
                scope.service.addAll(rows.service, rows.servicePlaces, first, behind, rows.services);
            }
        }
        if (rows.knowsLeast) {
            leasts(rows, first, behind, scope, quanta.leasts(end), cell);
        }
        scope.count(Outcomes.OK, count, rows.moved);
        if (cell != null) {
            cell.scope = scope;
            cell.calls += count;
        }
    }

    private static void leasts(
            OkCallColumns rows, int first, int behind, ScopeTally scope, Durations ofQuantum, @Nullable Cell cell) {
        if (cell != null
                && rows.knowsAllLeast
                && rows.leasts.fits
                && scope.least.isBuckets()
                && ofQuantum.isBuckets()) {
            ofQuantum.addSums(rows.leasts, behind - first);
            scope.least.addSums(rows.leasts, behind - first);
            cell.least.addAll(rows.leastPlaces, first, behind, rows.leasts);
            cell.quantumLeast = ofQuantum;
        } else {
            rows.addLeasts(ofQuantum, first, behind);
            rows.addLeasts(scope.least, first, behind);
        }
    }

    private static void lags(
            OkCallColumns rows,
            int first,
            int behind,
            ScopeTally scope,
            @Nullable Durations ofQuantum,
            @Nullable Cell cell) {
        if (ofQuantum == null) {
            scope.lag.addAll(rows.lag, rows.lagPlaces, first, behind, rows.lags);
        } else if (cell != null && rows.lags.fits && scope.lag.isBuckets() && ofQuantum.isBuckets()) {
            ofQuantum.addSums(rows.lags, behind - first);
            scope.lag.addSums(rows.lags, behind - first);
            cell.lag.addAll(rows.lagPlaces, first, behind, rows.lags);
            cell.quantumLag = ofQuantum;
        } else {
            ofQuantum.addAll(rows.lag, rows.lagPlaces, first, behind, rows.lags);
            scope.lag.addAll(rows.lag, rows.lagPlaces, first, behind, rows.lags);
        }
    }

    /** Finds or begins the cell of calls that ended together with one at an instant; {@code null}: they are too few. */
    private @Nullable Cell cell(long end, int count) {
        Cell known = known(end, end);
        if (known != null || count < LEAST) {
            return known;
        }
        int oldest = 0;
        for (int i = 1; i < CELLS; i++) {
            oldest = gathered[i].used < gathered[oldest].used ? i : oldest;
        }
        Cell cell = gathered[oldest];
        flush(cell);
        cell.from = since(end);
        cell.to = until(end);
        cell.used = ++uses;
        hint = oldest;
        return cell;
    }

    /** Returns whether all rows of a block are in the same cell, and are known to be. */
    boolean holds(OkCallColumns rows) {
        return known(rows.earliest, rows.latest) != null;
    }

    private @Nullable Cell known(long earliest, long latest) {
        if (gathered[hint].holds(earliest, latest)) {
            return gathered[hint];
        }
        for (int i = 0; i < CELLS; i++) {
            if (gathered[i].holds(earliest, latest)) {
                hint = i;
                gathered[i].used = ++uses;
                return gathered[i];
            }
        }
        return null;
    }

    /** Returns the first instant from which on calls are in the same cell as one that ended then. */
    long since(long end) {
        return Math.max(cells.since(end), quanta.beginOf(end));
    }

    /** Returns the first instant behind those. */
    long until(long end) {
        return Math.min(cells.until(end), quanta.endOf(end));
    }

    /** Brings the sets what was gathered. */
    void flush() {
        for (Cell cell : gathered) {
            flush(cell);
        }
    }

    private void flush(Cell cell) {
        ScopeTally scope = cell.scope;
        if (scope != null) {
            if (!cell.response.isEmpty() && cell.quantumResponse != null) {
                cell.quantumResponse.addBuckets(cell.response);
                scope.response.addBuckets(cell.response);
                cells.batches(cell.from, cell.response);
                cell.response.clear();
            }
            if (!cell.lag.isEmpty() && cell.quantumLag != null) {
                cell.quantumLag.addBuckets(cell.lag);
                scope.lag.addBuckets(cell.lag);
                cell.lag.clear();
            }
            if (!cell.service.isEmpty()) {
                scope.service.addBuckets(cell.service);
                cell.service.clear();
            }
            if (!cell.least.isEmpty() && cell.quantumLeast != null) {
                cell.quantumLeast.addBuckets(cell.least);
                scope.least.addBuckets(cell.least);
                cell.least.clear();
            }
        }
        cell.scope = null;
        cell.calls = 0;
        cell.from = Long.MIN_VALUE;
        cell.to = Long.MIN_VALUE;
    }
}
