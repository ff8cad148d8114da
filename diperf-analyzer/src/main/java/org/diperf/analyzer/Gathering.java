package org.diperf.analyzer;

import org.jspecify.annotations.Nullable;

/**
 * Adds ok calls to the sets of times of quanta, of windows and of their batches. While blocks follow each other in the same
 * quantum, window and batch, their times are counted once, in {@link FineCounts}, and go to the sets together. Nothing may be
 * asked of these before {@link #flush}. Confined to one thread.
 */
final class Gathering {

    /** For fewer calls it does not pay to begin. */
    private static final int LEAST = 256;

    /** Counts must not overflow. */
    private static final int MOST = 1 << 30;

    private final Quanta quanta;
    private final Cells cells;
    private final FineCounts response = new FineCounts();
    private final FineCounts lag = new FineCounts();
    private final FineCounts service = new FineCounts();
    /** The stretch of the run to which the counts belong. */
    private long from = Long.MIN_VALUE;

    private long to = Long.MIN_VALUE;
    private @Nullable Scope cell;
    private @Nullable Durations quantumResponse;
    private @Nullable Durations quantumLag;
    private int gathered;

    Gathering(Quanta quanta, Cells cells) {
        this.quanta = quanta;
        this.cells = cells;
        quanta.beforeFold(this::flush);
    }

    /** Counts ok calls of which the sums are known, from one row to before another: all in the same quantum, window and batch. */
    void ok(Rows rows, int first, int behind) {
        long end = rows.end[first];
        int count = behind - first;
        Scope in = cells.at(end);
        Durations responses = quanta.ok(rows, first, behind);
        Durations lags = quanta.sent(rows, first, behind);
        boolean together = together(end, count);
        cells.sums(rows, first, behind);
        if (together && rows.latencies.fits && in.response.isBuckets() && responses.isBuckets()) {
            responses.addSums(rows.latencies, count);
            in.response.addSums(rows.latencies, count);
            response.addAll(rows.latencyPlaces, first, behind, rows.latencies);
            quantumResponse = responses;
        } else {
            responses.addAll(rows.latency, rows.latencyPlaces, first, behind, rows.latencies);
            in.response.addAll(rows.latency, rows.latencyPlaces, first, behind, rows.latencies);
            cells.batches(rows, first, behind);
        }
        if (rows.knowsLag) {
            lags(rows, first, behind, in, lags, together);
            if (together && rows.services.fits && in.service.isBuckets()) {
                in.service.addSums(rows.services, count);
                service.addAll(rows.servicePlaces, first, behind, rows.services);
            } else {
                in.service.addAll(rows.service, rows.servicePlaces, first, behind, rows.services);
            }
        }
        in.count(Outcomes.OK, count, rows.moved);
        cell = together ? in : cell;
        gathered += together ? count : 0;
    }

    private void lags(Rows rows, int first, int behind, Scope in, @Nullable Durations ofQuantum, boolean together) {
        if (ofQuantum == null) {
            in.lag.addAll(rows.lag, rows.lagPlaces, first, behind, rows.lags);
        } else if (together && rows.lags.fits && in.lag.isBuckets() && ofQuantum.isBuckets()) {
            ofQuantum.addSums(rows.lags, behind - first);
            in.lag.addSums(rows.lags, behind - first);
            lag.addAll(rows.lagPlaces, first, behind, rows.lags);
            quantumLag = ofQuantum;
        } else {
            ofQuantum.addAll(rows.lag, rows.lagPlaces, first, behind, rows.lags);
            in.lag.addAll(rows.lag, rows.lagPlaces, first, behind, rows.lags);
        }
    }

    /** Says whether calls that ended together with one at an instant go with those that were gathered. */
    private boolean together(long end, int count) {
        if (end >= from && end < to && gathered < MOST) {
            return true;
        }
        // Blocks of several testers come in turns around the begin of a quantum: no way back.
        if (count < LEAST || end < from) {
            return false;
        }
        flush();
        from = since(end);
        to = until(end);
        return true;
    }

    /** Says whether all rows of a block go together with what was gathered. */
    boolean holds(Rows rows) {
        return rows.earliest >= from && rows.latest < to;
    }

    /** Gives the first instant from which on calls go together with one that ended then. */
    long since(long end) {
        return Math.max(cells.since(end), quanta.beginOf(end));
    }

    /** Gives the first instant behind those. */
    long until(long end) {
        return Math.min(cells.until(end), quanta.endOf(end));
    }

    /** Brings the sets what was gathered. */
    void flush() {
        Scope in = cell;
        if (in != null) {
            if (!response.isEmpty() && quantumResponse != null) {
                quantumResponse.addBuckets(response);
                in.response.addBuckets(response);
                cells.batches(from, response);
                response.clear();
            }
            if (!lag.isEmpty() && quantumLag != null) {
                quantumLag.addBuckets(lag);
                in.lag.addBuckets(lag);
                lag.clear();
            }
            if (!service.isEmpty()) {
                in.service.addBuckets(service);
                service.clear();
            }
        }
        cell = null;
        gathered = 0;
        from = Long.MIN_VALUE;
        to = Long.MIN_VALUE;
    }
}
