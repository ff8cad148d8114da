package org.diperf.core.sample;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;

/** The events of one block, decoded; the object is reused from block to block. Confined to one thread. */
public final class Events {

    static final long NANOS_PER_MICRO = 1_000;

    /** A gap is no longer than this: it would be no instant of a run. */
    private static final long MAX_GAP_MICROS = Long.MAX_VALUE / NANOS_PER_MICRO / Block.MAX_ROWS;

    private final Map<SampleColumn, long[]> columns = new EnumMap<>(SampleColumn.class);
    private long[] client = {};
    private long[] call = {};
    private long[] stage = {};
    private long[] request = {};
    private long[] target = {};
    private long[] origin = {};
    private long[] continues = {};
    private long[] gap = {};
    private long[] kind = {};
    private long[] count = {};
    private long[] error = {};
    private long[] time = {};
    private int rows;

    /**
     * Decodes a block of events; what was decoded before is gone.
     *
     * @param data at the block's begin; the position stays
     * @param header what {@link Block#read} said of it
     * @throws CorruptBlockException when it cannot be decoded
     */
    public void decode(ByteBuffer data, Block header) throws CorruptBlockException {
        rows = header.rows();
        if (time.length < rows) {
            allocate();
        }
        Arrays.fill(error, 0, rows, CallWriter.UNKNOWN);
        EnumSet<SampleColumn> missing = EnumSet.copyOf(columns.keySet());
        missing.remove(SampleColumn.EVENT_ERROR_IN);
        try {
            for (Column column : Column.of(data, header)) {
                SampleColumn as = SampleColumn.of(Block.EVENTS, column.id());
                long[] values = as == null ? null : columns.get(as);
                if (values != null) {
                    column.integers(values, rows, header.baseNanos());
                    missing.remove(as);
                }
            }
        } catch (BufferUnderflowException e) {
            throw new CorruptBlockException("expected " + rows + " rows, got a column that ends early");
        }
        if (!missing.isEmpty()) {
            throw new CorruptBlockException("expected a column for each of " + missing + ", got none");
        }
        takeTimes();
    }

    private void allocate() {
        client = column(SampleColumn.EVENT_CLIENT);
        call = column(SampleColumn.EVENT_CALL);
        stage = column(SampleColumn.EVENT_STAGE);
        request = column(SampleColumn.EVENT_REQUEST);
        target = column(SampleColumn.EVENT_TARGET);
        origin = column(SampleColumn.EVENT_ORIGIN);
        continues = column(SampleColumn.EVENT_CONTINUES);
        gap = column(SampleColumn.EVENT_GAP);
        kind = column(SampleColumn.EVENT_KIND);
        count = column(SampleColumn.EVENT_COUNT);
        error = column(SampleColumn.EVENT_ERROR_IN);
        time = new long[rows];
    }

    private long[] column(SampleColumn column) {
        long[] values = new long[rows];
        columns.put(column, values);
        return values;
    }

    private void takeTimes() throws CorruptBlockException {
        for (int i = 0; i < rows; i++) {
            if (gap[i] < 0 || gap[i] > MAX_GAP_MICROS || kind[i] < 0 || count[i] < 0) {
                throw new CorruptBlockException("expected a gap of 0 to " + MAX_GAP_MICROS
                        + " us, a kind and a count of at least 0, got " + gap[i] + ", " + kind[i] + " and " + count[i]);
            }
            time[i] = (begins(i) ? origin[i] : time[i - 1]) + gap[i] * NANOS_PER_MICRO;
        }
    }

    /** Returns whether this is the first of consecutive events of a call. */
    private boolean begins(int row) {
        return row == 0
                || call[row] != call[row - 1]
                || client[row] != client[row - 1]
                || origin[row] != origin[row - 1]
                || continues[row] != continues[row - 1];
    }

    /** Counts the events. */
    public int rows() {
        return rows;
    }

    /** Returns the client's number in the whole run, from 0. */
    public int client(int row) {
        return (int) client[row];
    }

    /** Returns the number of the call among those of its client, from 0. */
    public long call(int row) {
        return call[row];
    }

    /** Returns the stage of the plan, from 0. */
    public int stage(int row) {
        return (int) stage[row];
    }

    /** Returns the kind of request, from 0. */
    public int request(int row) {
        return (int) request[row];
    }

    /** Returns the target's place in the experiment's list, from 0. */
    public int target(int row) {
        return (int) target[row];
    }

    /** Returns whether it is the first event of its call, so that its gap is the time since the call's intended start. */
    public boolean isFirst(int row) {
        return continues[row] == 0 && begins(row);
    }

    /** Returns when it came, on the tester's clock. */
    public long timeNanos(int row) {
        return time[row];
    }

    /** Returns the time since the event of the call before it, of the first one since the call's intended start. */
    public long gapNanos(int row) {
        return gap[row] * NANOS_PER_MICRO;
    }

    /** Returns the place of its kind in the plugin's list. */
    public int kind(int row) {
        return (int) kind[row];
    }

    /** Returns how many units it carries. */
    public long count(int row) {
        return count[row];
    }

    /** Returns by how much at most the instant is later than it came in, ns, or {@link CallWriter#UNKNOWN}. */
    public long errorNanos(int row) {
        return error[row];
    }
}
