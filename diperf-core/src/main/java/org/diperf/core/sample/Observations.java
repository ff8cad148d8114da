package org.diperf.core.sample;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** The observations of one block, decoded; the object is reused from block to block. Confined to one thread. */
public final class Observations {

    private long[] metric = new long[0];
    private long[] time = new long[0];
    private double[] value = new double[0];
    private long[] client = new long[0];
    private long[] call = new long[0];
    private List<String> names = List.of();
    private int rows;

    /**
     * Decodes a block of observations; what was decoded before is gone.
     *
     * @param data at the block's begin; the position stays
     * @param header what {@link Block#read} said of it
     * @throws CorruptBlockException when it cannot be decoded
     */
    public void decode(ByteBuffer data, Block header) throws CorruptBlockException {
        rows = header.rows();
        names = List.of();
        if (metric.length < rows) {
            metric = new long[rows];
            time = new long[rows];
            value = new double[rows];
            client = new long[rows];
            call = new long[rows];
        }
        Arrays.fill(time, 0, rows, 0);
        Arrays.fill(value, 0, rows, Double.NaN);
        Arrays.fill(client, 0, rows, 0);
        Arrays.fill(call, 0, rows, 0);
        try {
            for (Column column : Column.of(data, header)) {
                SampleColumn known = SampleColumn.of(Block.OBSERVATIONS, column.id());
                if (known != null) {
                    decode(column, known, header.baseNanos());
                }
            }
        } catch (BufferUnderflowException e) {
            throw new CorruptBlockException("expected " + rows + " rows, got a column that ends early");
        }
        if (names.isEmpty()) {
            throw new CorruptBlockException("expected a metric column, got none");
        }
    }

    private void decode(Column column, SampleColumn as, long baseNanos) throws CorruptBlockException {
        switch (as) {
            case OBSERVED_METRIC -> names = column.words(metric, rows);
            case OBSERVED_TIME -> column.instants(time, rows, baseNanos);
            case OBSERVED_VALUE -> column.decimals(value, rows);
            case OBSERVED_CLIENT -> column.integers(client, rows, baseNanos);
            case OBSERVED_CALL -> column.integers(call, rows, baseNanos);
            default -> throw new IllegalArgumentException("Expected an observation column, got " + as);
        }
    }

    /** Counts the observations. */
    public int rows() {
        return rows;
    }

    /** Names the metric. */
    public String metric(int row) {
        return names.get((int) metric[row]);
    }

    /** Returns the instant at which it held, on the tester's clock. */
    public long timeNanos(int row) {
        return time[row];
    }

    /** Returns the value, in the metric's unit. */
    public double value(int row) {
        return value[row];
    }

    /** Returns the client's number, or {@link ObservationWriter#NONE}. */
    public long client(int row) {
        return client[row] - 1;
    }

    /** Returns the number of the client's call, or {@link ObservationWriter#NONE}. */
    public long call(int row) {
        return call[row] - 1;
    }
}
