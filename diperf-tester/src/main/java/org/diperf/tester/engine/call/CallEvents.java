package org.diperf.tester.engine.call;

import java.util.Arrays;
import org.diperf.core.sample.CallRow;
import org.diperf.core.sample.EventWriter;

/** The events of one slot's call that are not yet in a block. Allocates as it grows, up to {@link #MAX_ROWS}; confined to the call's owner. */
public final class CallEvents implements EventWriter.Piece {

    /** Events that are passed on together at the latest. */
    public static final int MAX_ROWS = 128;

    private static final int FIRST_ROWS = 16;
    private static final long NANOS_PER_MICRO = 1_000;

    private final CallState call;
    private long[] gaps = new long[FIRST_ROWS];
    private int[] kinds = new int[FIRST_ROWS];
    private int[] counts = new int[FIRST_ROWS];
    private long[] errors = new long[FIRST_ROWS];
    private int rows;
    private boolean continues;
    private long originNanos;

    /** The last event, from the call's intended start on. */
    private long lastMicros;

    CallEvents(CallState call) {
        this.call = call;
    }

    /** Forgets the call before: another one begins. */
    void begin() {
        rows = 0;
        continues = false;
        lastMicros = 0;
        originNanos = call.intendedNanos();
    }

    /** Adds an event; one that is not later than the last came with it. */
    void add(long atNanos, int kind, int count, long errorNanos) {
        if (rows == gaps.length) {
            int more = 2 * rows;
            gaps = Arrays.copyOf(gaps, more);
            kinds = Arrays.copyOf(kinds, more);
            counts = Arrays.copyOf(counts, more);
            errors = Arrays.copyOf(errors, more);
        }
        long micros = Math.max(lastMicros, (atNanos - call.intendedNanos() + NANOS_PER_MICRO / 2) / NANOS_PER_MICRO);
        gaps[rows] = micros - lastMicros;
        kinds[rows] = kind;
        counts[rows] = count;
        errors[rows] = errorNanos;
        lastMicros = micros;
        rows++;
    }

    boolean isFull() {
        return rows == MAX_ROWS;
    }

    /** Notes that a block has them. */
    void passedOn() {
        rows = 0;
        continues = true;
        originNanos = call.intendedNanos() + lastMicros * NANOS_PER_MICRO;
    }

    @Override
    public CallRow call() {
        return call;
    }

    @Override
    public long callNumber() {
        return call.number();
    }

    @Override
    public boolean continues() {
        return continues;
    }

    @Override
    public long originNanos() {
        return originNanos;
    }

    @Override
    public int rows() {
        return rows;
    }

    @Override
    public long gapMicros(int row) {
        return gaps[row];
    }

    @Override
    public int kind(int row) {
        return kinds[row];
    }

    @Override
    public int count(int row) {
        return counts[row];
    }

    @Override
    public long errorNanos(int row) {
        return errors[row];
    }
}
