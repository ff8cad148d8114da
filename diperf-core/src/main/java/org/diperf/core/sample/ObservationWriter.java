package org.diperf.core.sample;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Gathers observations and lays them out as a block. Confined to one thread. */
public final class ObservationWriter implements BlockWriter {

    static final int METRIC = SampleColumn.OBSERVED_METRIC.id();
    static final int TIME = SampleColumn.OBSERVED_TIME.id();
    static final int VALUE = SampleColumn.OBSERVED_VALUE.id();
    static final int CLIENT = SampleColumn.OBSERVED_CLIENT.id();
    static final int CALL = SampleColumn.OBSERVED_CALL.id();

    /** Stands for "of no client" and "of no call". */
    public static final long NONE = -1;

    private final int tester;
    private final int capacity;
    private final long[] metric;
    private final long[] time;
    private final double[] value;
    private final long[] room;
    private final long[] client;
    private final long[] call;
    private final List<String> names = new ArrayList<>();
    private final IntegerCodec codec = new IntegerCodec();
    private int rows;

    /**
     * @param tester from 1
     * @param capacity rows a block, from 1 to {@link Block#MAX_ROWS}
     */
    public ObservationWriter(int tester, int capacity) {
        this.tester = tester;
        this.capacity = capacity;
        this.metric = new long[capacity];
        this.time = new long[capacity];
        this.value = new double[capacity];
        this.room = new long[capacity];
        this.client = new long[capacity];
        this.call = new long[capacity];
    }

    /**
     * Adds one observation.
     *
     * @param name of the metric
     * @param atNanos when it held, on the tester's clock
     * @param observed in the metric's unit
     * @param ofClient client number, or {@link #NONE}
     * @param ofCall number of the client's call, or {@link #NONE}
     * @throws IllegalStateException when the block is full
     */
    public void add(String name, long atNanos, double observed, long ofClient, long ofCall) {
        if (rows == capacity) {
            throw new IllegalStateException("The block is full with " + rows + " observations; encode it first");
        }
        int place = names.indexOf(name);
        if (place < 0) {
            place = names.size();
            names.add(name);
        }
        metric[rows] = place;
        time[rows] = atNanos;
        value[rows] = observed;
        client[rows] = ofClient + 1;
        call[rows] = ofCall + 1;
        rows++;
    }

    @Override
    public int rows() {
        return rows;
    }

    /** Returns whether the next observation needs a new block. */
    public boolean isFull() {
        return rows == capacity;
    }

    @Override
    public int maxEncodedLength() {
        int words =
                names.stream().mapToInt(word -> word.length() * 3 + Varints.MAX).sum();
        return Block.HEADER + CALL * (Block.COLUMN + Packing.MAX_EXTRA) + rows * CALL * Long.BYTES + words + 16;
    }

    @Override
    public void encode(ByteBuffer to, long number) {
        BlockEncoder encoder = new BlockEncoder(to, codec, Block.OBSERVATIONS, CALL, tester, rows, time[0]);
        encoder.words(METRIC, names, metric);
        encoder.instants(TIME, time);
        encoder.decimals(VALUE, value, room);
        encoder.integers(CLIENT, client);
        encoder.integers(CALL, call);
        long first = time[0];
        long last = time[0];
        for (int i = 1; i < rows; i++) {
            first = time[i] - first < 0 ? time[i] : first;
            last = time[i] - last > 0 ? time[i] : last;
        }
        encoder.finish(number, first, last);
        rows = 0;
        names.clear();
    }
}
