package org.diperf.analyzer;

import java.util.Arrays;
import org.diperf.analyzer.Outcomes.Endings;
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
    int count;
    /** Whether the send lags are known; they are 0 where not. */
    final boolean knowsLag;
    /** Of the rows that {@link #sum} was asked for last. */
    final Sums latencies = new Sums();

    final Sums services = new Sums();
    final Sums lags = new Sums();
    long moved;
    private long[] ends = end;
    private long[] differences = end;
    private final long[][] kept = new long[6][0];

    Rows(boolean knowsLag) {
        this.knowsLag = knowsLag;
    }

    /** Gives a send lag; negative: not known. */
    long lag(int row) {
        return knowsLag ? lag[row] : -1;
    }

    /** Takes the ok calls of a block. */
    void take(Calls calls, TesterClock clock, Endings endings) {
        int rows = calls.rows();
        if (ends.length < rows) {
            ends = new long[rows];
            differences = new long[rows];
        }
        if (endings.numbers().length == 1 && endings.numbers()[0] == Outcomes.OK) {
            count = rows;
            columns(calls);
            clock.sinceStart(calls.intendedNanos(), latency, ends, rows);
        } else {
            select(calls, clock, endings);
        }
        end = ends;
        service = differences;
        for (int i = 0; i < count; i++) {
            end[i] = Math.max(0, end[i]);
            service[i] = latency[i] - lag[i];
        }
    }

    /** Adds up rows, from one to before another. */
    void sum(int from, int to) {
        latencies.of(latency, from, to);
        services.of(service, from, to);
        lags.of(lag, from, to);
        moved = 0;
        for (int row = from; row < to; row++) {
            moved += bytes[row];
        }
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

    /** Says whether a column has one value in all rows. */
    boolean isConstant(long[] column) {
        return count < 2 || Arrays.mismatch(column, 0, count - 1, column, 1, count) < 0;
    }
}
