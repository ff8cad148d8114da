package org.diperf.core.sample;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Gathers events of calls, a call's consecutive ones together, and lays them out as a block. Adding allocates nothing. Confined to one
 * thread.
 */
public final class EventWriter implements BlockWriter {

    /** Bounds below this are raised to it, ns. */
    private static final long MIN_BOUND_NANOS = 1_024;

    private static final SampleColumn[] OF_CALL = {
        SampleColumn.EVENT_CLIENT,
        SampleColumn.EVENT_CALL,
        SampleColumn.EVENT_STAGE,
        SampleColumn.EVENT_REQUEST,
        SampleColumn.EVENT_TARGET,
        SampleColumn.EVENT_ORIGIN,
        SampleColumn.EVENT_CONTINUES
    };
    private static final int COLUMNS = OF_CALL.length + 4;

    private final int tester;
    private final int capacity;
    private final long[][] ofCall = new long[OF_CALL.length][];
    private final long[] gap;
    private final long[] kind;
    private final long[] count;
    private final long[] error;
    private final IntegerCodec codec = new IntegerCodec();
    private boolean bounded;
    private int rows;
    private long firstNanos;
    private long lastNanos;

    /** Consecutive events of one call. What it returns is read while it is added, and no reference is kept. */
    public interface Piece {

        /** Returns the call. */
        CallRow call();

        /** Returns the number of the call among those of its client, from 0. */
        long callNumber();

        /** Returns whether the call had events before these. */
        boolean continues();

        /** Returns what the first gap begins with: the call's event before, else its intended start; on the tester's clock. */
        long originNanos();

        /** Counts the events, at least 1. */
        int rows();

        /** Returns the time since the event before, of the first since the origin; in whole microseconds, at least 0. */
        long gapMicros(int row);

        /** Returns the place of the event's kind in the plugin's list. */
        int kind(int row);

        /** Returns how many units the event carries, at least 0. */
        int count(int row);

        /** Returns by how much at most the instant is later than the event came in, ns, or {@link CallWriter#UNKNOWN}. */
        long errorNanos(int row);
    }

    /**
     * @param tester from 1
     * @param capacity rows a block, from 1 to {@link Block#MAX_ROWS}
     */
    public EventWriter(int tester, int capacity) {
        this.tester = tester;
        this.capacity = capacity;
        for (int i = 0; i < ofCall.length; i++) {
            ofCall[i] = new long[capacity];
        }
        this.gap = new long[capacity];
        this.kind = new long[capacity];
        this.count = new long[capacity];
        this.error = new long[capacity];
    }

    /** Returns whether so many more events need a new block. */
    public boolean isFullFor(int more) {
        return rows + more > capacity;
    }

    /**
     * Adds events.
     *
     * @throws IllegalStateException when they do not fit
     */
    public void add(Piece piece) {
        int added = piece.rows();
        if (isFullFor(added)) {
            throw new IllegalStateException(
                    "Expected room for " + added + " events, got a block of " + rows + "; encode it first");
        }
        CallRow call = piece.call();
        long at = piece.originNanos();
        fill(0, added, call.client());
        fill(1, added, piece.callNumber());
        fill(2, added, call.stageNumber());
        fill(3, added, call.requestNumber());
        fill(4, added, call.targetNumber());
        fill(5, added, at);
        fill(6, added, piece.continues() ? 1 : 0);
        for (int i = 0; i < added; i++, rows++) {
            gap[rows] = piece.gapMicros(i);
            kind[rows] = piece.kind(i);
            count[rows] = piece.count(i);
            long bound = piece.errorNanos(i);
            bounded |= bound != CallWriter.UNKNOWN;
            error[rows] = Math.max(MIN_BOUND_NANOS, bound);
            at += gap[rows] * Events.NANOS_PER_MICRO;
            firstNanos = rows == 0 || at - firstNanos < 0 ? at : firstNanos;
            lastNanos = rows == 0 || at - lastNanos > 0 ? at : lastNanos;
        }
    }

    private void fill(int column, int added, long value) {
        Arrays.fill(ofCall[column], rows, rows + added, value);
    }

    @Override
    public int rows() {
        return rows;
    }

    @Override
    public int maxEncodedLength() {
        return Block.HEADER
                + COLUMNS * (Block.COLUMN + Packing.MAX_EXTRA)
                + rows * COLUMNS * 2 * Varints.MAX
                + Math.min(rows, BoundLevels.MOST) * Varints.MAX
                + 16;
    }

    @Override
    public void encode(ByteBuffer to, long number) {
        BlockEncoder encoder =
                new BlockEncoder(to, codec, Block.EVENTS, COLUMNS - (bounded ? 0 : 1), tester, rows, ofCall[5][0]);
        for (int i = 0; i < OF_CALL.length; i++) {
            encoder.repeated(OF_CALL[i].id(), ofCall[i]);
        }
        encoder.integers(SampleColumn.EVENT_GAP.id(), gap);
        encoder.integers(SampleColumn.EVENT_KIND.id(), kind);
        encoder.integers(SampleColumn.EVENT_COUNT.id(), count);
        if (bounded) {
            codec.raise(error, rows);
            encoder.bounds(SampleColumn.EVENT_ERROR_IN.id(), error);
            bounded = false;
        }
        encoder.finish(number, firstNanos, lastNanos);
        rows = 0;
    }
}
