package org.diperf.analyzer.count;

import org.diperf.analyzer.run.Outcomes;
import org.diperf.analyzer.run.Outcomes.Endings;
import org.diperf.analyzer.run.TesterClock;
import org.diperf.analyzer.sets.Sums;
import org.diperf.core.sample.Calls;

/**
 * The ok calls of one block, column by column, for what is counted of many at a time. Overwritten by the next block; arrays
 * may be longer than there are calls. Confined to one thread.
 */
final class Rows {

    /** Global, ns after the start of the run. */
    long[] end = new long[0];

    long[] latency = end;
    long[] lag = end;
    long[] service = end;
    long[] client = end;
    long[] request = end;
    long[] stage = end;
    long[] bytes = end;
    /** Whether it is known that all of them moved as many bytes. */
    boolean sameBytes;

    int count;
    /** When the first and the last of them ended. */
    long earliest;

    long latest;
    /** Whether the send lags are known; they are 0 where not. */
    final boolean knowsLag;
    /** Of the rows that {@link #sum} was asked for last. */
    final Sums latencies = new Sums();

    final Sums services = new Sums();
    final Sums lags = new Sums();
    /** Their buckets. */
    char[] latencyPlaces = new char[0];

    char[] servicePlaces = latencyPlaces;
    char[] lagPlaces = latencyPlaces;
    long moved;
    private int summedFrom;
    private int summedTo;
    private long sent;
    private long[] ends = end;
    private long[] differences = end;
    private final long[][] kept = new long[6][0];

    Rows(boolean knowsLag) {
        this.knowsLag = knowsLag;
    }

    /** Returns a send lag; negative: not known. */
    long lag(int row) {
        return knowsLag ? lag[row] : -1;
    }

    /** Takes the ok calls of a block. */
    void take(Calls calls, TesterClock clock, Endings endings) {
        int rows = calls.rows();
        if (ends.length < rows) {
            ends = new long[rows];
            differences = new long[rows];
            latencyPlaces = new char[rows];
            servicePlaces = new char[rows];
            lagPlaces = new char[rows];
        }
        if (endings.numbers().length == 1 && endings.numbers()[0] == Outcomes.OK) {
            count = rows;
            columns(calls);
            clock.sinceStart(calls.intendedNanos(), latency, ends, rows);
        } else {
            select(calls, clock, endings);
        }
        sameBytes = calls.sameBytes();
        end = ends;
        service = differences;
        finish();
    }

    private void finish() {
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        long firstSent = Long.MAX_VALUE;
        for (int i = 0; i < count; i++) {
            long at = Math.max(0, end[i]);
            long took = latency[i] - lag[i];
            end[i] = at;
            service[i] = took;
            first = Math.min(first, at);
            last = Math.max(last, at);
            firstSent = Math.min(firstSent, at - took);
        }
        earliest = first;
        latest = last;
        sent = firstSent;
        summedTo = -1;
    }

    /** Returns when the first of some rows was sent. */
    long firstSent(int from, int to) {
        if (to - from == count) {
            return sent;
        }
        long first = Long.MAX_VALUE;
        for (int row = from; row < to; row++) {
            first = Math.min(first, end[row] - service[row]);
        }
        return first;
    }

    /** Adds up rows, from one to before another, and finds the buckets of their times, unless that was done last. */
    void sum(int from, int to) {
        if (from == summedFrom && to == summedTo) {
            return;
        }
        summedFrom = from;
        summedTo = to;
        latencies.of(latency, latencyPlaces, from, to);
        services.of(service, servicePlaces, from, to);
        lags.of(lag, lagPlaces, from, to);
        moved = moved(from, to);
    }

    /** Adds up response times alone, likewise. */
    void sumLatencies(int from, int to) {
        summedTo = -1;
        latencies.of(latency, latencyPlaces, from, to);
    }

    private long moved(int from, int to) {
        if (sameBytes) {
            return (to - from) * bytes[from];
        }
        long sum = 0;
        for (int row = from; row < to; row++) {
            sum += bytes[row];
        }
        return sum;
    }

    /** Returns whether what was asked for last are the sums and buckets of all rows, and whether those of response times fit. */
    boolean isSummed() {
        return summedFrom == 0 && summedTo == count && latencies.fits;
    }

    private void columns(Calls calls) {
        latency = calls.latencyNanos();
        lag = calls.lagNanos();
        client = calls.clients();
        request = calls.requests();
        stage = calls.stages();
        bytes = calls.bytes();
    }

    private void select(Calls calls, TesterClock clock, Endings endings) {
        for (int i = 0; i < kept.length; i++) {
            kept[i] = kept[i].length < calls.rows() ? new long[calls.rows()] : kept[i];
        }
        int n = 0;
        for (int row = 0; row < calls.rows(); row++) {
            if (endings.numbers()[calls.outcomeIndex(row)] == Outcomes.OK) {
                kept[0][n] = calls.latencyNanos(row);
                kept[1][n] = calls.lagNanos(row);
                kept[2][n] = calls.client(row);
                kept[3][n] = calls.request(row);
                kept[4][n] = calls.stage(row);
                kept[5][n] = calls.bytes(row);
                ends[n] = clock.sinceStart(calls.intendedNanos(row) + kept[0][n]);
                n++;
            }
        }
        count = n;
        latency = kept[0];
        lag = kept[1];
        client = kept[2];
        request = kept[3];
        stage = kept[4];
        bytes = kept[5];
    }
}
