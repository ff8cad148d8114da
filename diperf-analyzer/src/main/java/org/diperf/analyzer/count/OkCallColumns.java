package org.diperf.analyzer.count;

import org.diperf.analyzer.run.Outcomes;
import org.diperf.analyzer.run.Outcomes.Endings;
import org.diperf.analyzer.run.TesterClock;
import org.diperf.analyzer.sets.Bounds;
import org.diperf.analyzer.sets.Durations;
import org.diperf.analyzer.sets.Sums;
import org.diperf.core.sample.Calls;
import org.diperf.core.sample.SampleColumn;

/**
 * The ok calls of one block, column by column, for what is counted of many at a time. Overwritten by the next block; arrays
 * may be longer than there are calls. Confined to one thread.
 */
final class OkCallColumns {

    /** Global, ns after the start of the run. */
    long[] end = new long[0];

    long[] latency = end;
    long[] lag = end;
    long[] service = end;
    /** What the service and the network took at least: the service time less what the tester may have added to it. */
    long[] least = end;

    /** Whether these are known of any call; of the others they are negative. */
    boolean knowsLeast;

    boolean knowsAllLeast;

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
    /** When the first of them was due. */
    long firstDue;
    /** Whether the send lags are known; they are 0 where not. */
    final boolean knowsLag;
    /** Of the rows that {@link #sum} was asked for last. */
    final Sums latencies = new Sums();

    final Sums services = new Sums();
    final Sums leasts = new Sums();
    final Sums lags = new Sums();
    /** Their buckets. */
    char[] latencyPlaces = new char[0];

    char[] servicePlaces = latencyPlaces;
    char[] leastPlaces = latencyPlaces;
    char[] lagPlaces = latencyPlaces;
    long moved;
    private int summedFrom;
    private int summedTo;
    private long sent;
    private long[] errorIn = end;
    private long[] errorOut = end;
    private long[] ends = end;
    private long[] differences = end;
    private long[] leastOf = end;
    private final long[][] kept = new long[8][0];

    OkCallColumns(boolean knowsLag) {
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
            leastPlaces = new char[rows];
            leastOf = new long[rows];
            lagPlaces = new char[rows];
        }
        knowsLeast = calls.has(SampleColumn.ERROR_IN) && calls.has(SampleColumn.ERROR_OUT);
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
        if (knowsLeast) {
            least = leastOf;
            knowsAllLeast = Bounds.least(service, errorIn, errorOut, count, least);
        }
    }

    /** Adds what calls took at least, from one row to before another, whose sums are known, to a set. */
    void addLeasts(Durations to, int from, int behind) {
        if (knowsAllLeast) {
            to.addAll(least, leastPlaces, from, behind, leasts);
            return;
        }
        for (int row = from; row < behind; row++) {
            if (least[row] >= 0) {
                to.add(least[row]);
            }
        }
    }

    private void finish() {
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        long firstSent = Long.MAX_VALUE;
        long due = Long.MAX_VALUE;
        for (int i = 0; i < count; i++) {
            long at = Math.max(0, end[i]);
            long took = latency[i] - lag[i];
            end[i] = at;
            service[i] = took;
            first = Math.min(first, at);
            last = Math.max(last, at);
            firstSent = Math.min(firstSent, at - took);
            due = Math.min(due, at - latency[i]);
        }
        firstDue = Math.max(0, due);
        earliest = first;
        latest = last;
        sent = firstSent;
        summedTo = -1;
    }

    /** Returns what a call took at least; negative: not known. */
    long least(int row) {
        return knowsLeast ? least[row] : -1;
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
        if (knowsLeast && knowsAllLeast) {
            leasts.of(least, leastPlaces, from, to);
        }
        moved = moved(from, to);
    }

    /** Adds up response times alone, and what calls took at least, likewise. */
    void sumLatencies(int from, int to) {
        summedTo = -1;
        latencies.of(latency, latencyPlaces, from, to);
        if (knowsLeast && knowsAllLeast) {
            leasts.of(least, leastPlaces, from, to);
        }
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
        if (knowsLeast) {
            errorIn = calls.values(SampleColumn.ERROR_IN);
            errorOut = calls.values(SampleColumn.ERROR_OUT);
        }
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
                if (knowsLeast) {
                    kept[6][n] = calls.value(SampleColumn.ERROR_IN, row);
                    kept[7][n] = calls.value(SampleColumn.ERROR_OUT, row);
                }
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
        errorIn = kept[6];
        errorOut = kept[7];
    }
}
