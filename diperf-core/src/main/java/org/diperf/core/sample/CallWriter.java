package org.diperf.core.sample;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Gathers finished calls and lays them out as a block. Adding allocates nothing, but for the first call of each outcome
 * in a block. Confined to one thread.
 */
public final class CallWriter implements BlockWriter {

    static final int STAGE = SampleColumn.STAGE.id();
    static final int CLIENT = SampleColumn.CLIENT.id();
    static final int REQUEST = SampleColumn.REQUEST.id();
    static final int TARGET = SampleColumn.TARGET.id();
    static final int INTENDED = SampleColumn.INTENDED.id();
    static final int LAG = SampleColumn.LAG.id();
    static final int LATENCY = SampleColumn.LATENCY.id();
    static final int OUTCOME = SampleColumn.OUTCOME.id();
    static final int BYTES = SampleColumn.BYTES.id();
    static final int FIRST = SampleColumn.FIRST.id();
    static final int FIRST_METRIC = SampleColumn.METRIC.id();

    /** Stands for: nothing is known of an instant's error. */
    public static final long UNKNOWN = Long.MAX_VALUE;

    /** Columns of bounds. */
    private static final int BOUNDS = 2;

    /** Bounds below this are raised to it: nobody asks for less, and fewer sizes take less room. */
    private static final long MIN_BOUND_NANOS = 1_024;

    private final int kind;
    private final int tester;
    private final int capacity;
    private final long[][] integers = new long[FIRST + 1][];
    private final long[] errorIn;
    private final long[] errorOut;
    /** What both are together at least. */
    private final long[] errorLeast;
    /** Whether any call of this block has bounds. */
    private boolean bounded;

    /** Numbers of the calls; empty where nobody says any. */
    private long[] numbers = {};

    private boolean numbered;
    private final ClientCodec ofClients = new ClientCodec();

    private final double[][] metrics;
    /** Which metrics any call of this block has. */
    private final boolean[] measured;

    private final long[] room;
    private final long[] moreRoom;
    private final List<String> outcomes = new ArrayList<>();
    private final StartCodec starts = new StartCodec();
    private final IntegerCodec codec = new IntegerCodec();
    private int rows;
    private long firstNanos;
    private long lastNanos;

    /**
     * @param tester from 1
     * @param capacity rows a block, from 1 to {@link Block#MAX_ROWS}
     * @param metrics how many metrics the plugin declared for its calls
     */
    public CallWriter(int tester, int capacity, int metrics) {
        this(Block.CALLS, tester, capacity, metrics);
    }

    private CallWriter(int kind, int tester, int capacity, int metrics) {
        this.kind = kind;
        this.tester = tester;
        this.capacity = capacity;
        for (int id = STAGE; id <= FIRST; id++) {
            integers[id] = new long[capacity];
        }
        this.errorIn = new long[capacity];
        this.errorOut = new long[capacity];
        this.errorLeast = new long[capacity];
        this.metrics = new double[metrics][capacity];
        this.measured = new boolean[metrics];
        this.room = new long[capacity];
        this.moreRoom = new long[capacity];
    }

    /**
     * Makes one for groups of calls, which have no metrics.
     *
     * @param tester from 1
     * @param capacity rows a block, from 1 to {@link Block#MAX_ROWS}
     */
    public static CallWriter ofGroups(int tester, int capacity) {
        return new CallWriter(Block.GROUPS, tester, capacity, 0);
    }

    /**
     * Adds one row.
     *
     * @throws IllegalStateException when the block is full
     */
    public void add(CallRow row) {
        if (rows == capacity) {
            throw new IllegalStateException("The block is full with " + rows + " calls; encode it first");
        }
        long intendedNanos = row.intendedNanos();
        long latencyNanos = row.latencyNanos();
        long endNanos = intendedNanos + latencyNanos;
        if (rows == 0) {
            firstNanos = endNanos;
            lastNanos = endNanos;
        } else {
            firstNanos = endNanos - firstNanos < 0 ? endNanos : firstNanos;
            lastNanos = endNanos - lastNanos > 0 ? endNanos : lastNanos;
        }
        integers[STAGE][rows] = row.stageNumber();
        integers[CLIENT][rows] = row.client();
        integers[REQUEST][rows] = row.requestNumber();
        integers[TARGET][rows] = row.targetNumber();
        integers[INTENDED][rows] = intendedNanos;
        integers[LAG][rows] = row.lagNanos();
        integers[LATENCY][rows] = latencyNanos;
        integers[OUTCOME][rows] = place(row.outcome());
        integers[BYTES][rows] = row.bytes();
        integers[FIRST][rows] = row.isFirst() ? 1 : 0;
        number(row.callNumber());
        errors(row);
        if (metrics.length > 0) {
            metrics(row);
        }
        rows++;
    }

    private void number(long number) {
        if (number != CallRow.NO_NUMBER) {
            if (numbers.length == 0) {
                numbers = new long[capacity];
            }
            numbered = true;
        }
        if (numbers.length > 0) {
            numbers[rows] = Math.max(0, number);
        }
    }

    private void errors(CallRow row) {
        long in = row.errorInNanos();
        long out = row.errorOutNanos();
        errorIn[rows] = Math.max(MIN_BOUND_NANOS, in);
        errorOut[rows] = Math.max(MIN_BOUND_NANOS, out);
        errorLeast[rows] = row.errorLeastNanos();
        bounded |= in != UNKNOWN || out != UNKNOWN;
    }

    private void metrics(CallRow row) {
        boolean any = row.hasMetrics();
        for (int m = 0; m < metrics.length; m++) {
            double value = any ? row.metric(m) : Double.NaN;
            if (!measured[m] && !Double.isNaN(value)) {
                // Rows before it were added when nothing was known of the metric.
                Arrays.fill(metrics[m], 0, rows, Double.NaN);
                measured[m] = true;
            }
            if (measured[m]) {
                metrics[m][rows] = value;
            }
        }
    }

    private int place(String outcome) {
        for (int i = 0; i < outcomes.size(); i++) {
            if (outcomes.get(i).equals(outcome)) {
                return i;
            }
        }
        outcomes.add(outcome);
        return outcomes.size() - 1;
    }

    @Override
    public int rows() {
        return rows;
    }

    /** Returns whether the next call needs a new block. */
    public boolean isFull() {
        return rows == capacity;
    }

    @Override
    public int maxEncodedLength() {
        int words = outcomes.stream()
                .mapToInt(word -> word.length() * 3 + Varints.MAX)
                .sum();
        int columns = FIRST + 1 + BOUNDS + metrics.length;
        int levels = BOUNDS * Math.min(rows, BoundLevels.MOST) * Varints.MAX;
        return Block.HEADER
                + columns * (Block.COLUMN + Packing.MAX_EXTRA)
                + rows * columns * Long.BYTES
                + levels
                + words
                + 16;
    }

    @Override
    public void encode(ByteBuffer to, long number) {
        int columns = FIRST + (numbered ? 1 : 0) + (bounded ? BOUNDS : 0);
        for (boolean present : measured) {
            columns += present ? 1 : 0;
        }
        BlockEncoder encoder = new BlockEncoder(to, codec, kind, columns, tester, rows, integers[INTENDED][0]);
        for (int id = STAGE; id <= FIRST; id++) {
            if (id == OUTCOME) {
                encoder.words(OUTCOME, outcomes, integers[OUTCOME]);
            } else if (id == INTENDED) {
                encoder.starts(INTENDED, starts, integers[INTENDED], integers[LATENCY], integers[CLIENT]);
            } else {
                encoder.integers(id, integers[id]);
            }
        }
        if (numbered) {
            ofClients.toDifferences(numbers, integers[CLIENT], rows, room);
            encoder.ofClients(SampleColumn.CALL.id(), room);
            numbered = false;
        }
        if (bounded) {
            raiseBounds();
            encoder.bounds(SampleColumn.ERROR_IN.id(), errorIn);
            encoder.bounds(SampleColumn.ERROR_OUT.id(), errorOut);
            bounded = false;
        }
        for (int m = 0; m < metrics.length; m++) {
            if (measured[m]) {
                encoder.metric(FIRST_METRIC + m, metrics[m], integers[LATENCY], integers[LAG], room, moreRoom);
                measured[m] = false;
            }
        }
        encoder.finish(number, firstNanos, lastNanos);
        rows = 0;
        outcomes.clear();
    }

    /** Raises bounds to few levels, those on the way out first, so that what is added to reach the least is not raised twice. */
    private void raiseBounds() {
        codec.raise(errorOut, rows);
        for (int i = 0; i < rows; i++) {
            errorIn[i] = Math.max(errorIn[i], errorLeast[i] - errorOut[i]);
        }
        codec.raise(errorIn, rows);
    }
}
