package org.diperf.core.sample;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** The calls of one block, decoded; the object is reused from block to block. Confined to one thread. */
public final class Calls {

    private final long[][] integers = new long[CallWriter.FIRST + 1][0];
    private final StartCodec starts = new StartCodec();
    private double[][] metrics = new double[0][];
    private List<String> outcomes = List.of();
    private int rows;
    private boolean hasMetrics;

    /**
     * Decodes a block of calls; what was decoded before is gone.
     *
     * @param data at the block's begin; the position stays
     * @param header what {@link Block#read} said of it
     * @throws CorruptBlockException when it cannot be decoded
     */
    public void decode(ByteBuffer data, Block header) throws CorruptBlockException {
        rows = header.rows();
        outcomes = List.of();
        hasMetrics = false;
        for (int id = CallWriter.STAGE; id <= CallWriter.FIRST; id++) {
            if (integers[id].length < rows) {
                integers[id] = new long[rows];
            } else {
                Arrays.fill(integers[id], 0, rows, 0);
            }
        }
        for (double[] metric : metrics) {
            Arrays.fill(metric, Double.NaN);
        }
        try {
            Column intended = null;
            for (Column column : Column.of(data, header)) {
                if (column.id() == CallWriter.INTENDED) {
                    intended = column;
                } else {
                    decode(column, header.baseNanos());
                }
            }
            if (intended != null) {
                intended.starts(
                        starts,
                        integers[CallWriter.INTENDED],
                        integers[CallWriter.LATENCY],
                        integers[CallWriter.CLIENT],
                        rows,
                        header.baseNanos());
            }
        } catch (BufferUnderflowException e) {
            throw new CorruptBlockException("wanted " + rows + " rows, found a column that ends before");
        }
        if (outcomes.isEmpty()) {
            throw new CorruptBlockException("wanted a column of outcomes, found none");
        }
    }

    /**
     * Reads the outcomes that occur in a block of calls, and nothing else of it.
     *
     * @param data at the block's begin; the position stays
     * @param header what {@link Block#read} said of it
     * @throws CorruptBlockException when there are none, or they cannot be read
     */
    public static List<String> outcomes(ByteBuffer data, Block header) throws CorruptBlockException {
        Column column = Column.of(data, header, CallWriter.OUTCOME);
        if (column == null) {
            throw new CorruptBlockException("wanted a column of outcomes, found none");
        }
        try {
            return column.dictionary(header.rows());
        } catch (BufferUnderflowException e) {
            throw new CorruptBlockException("wanted words for outcomes, found a column that ends before");
        }
    }

    private void decode(Column column, long baseNanos) throws CorruptBlockException {
        int id = column.id();
        if (id == CallWriter.OUTCOME) {
            outcomes = column.words(integers[id], rows);
        } else if (id >= CallWriter.STAGE && id <= CallWriter.FIRST) {
            column.integers(integers[id], rows, baseNanos);
        } else if (id >= CallWriter.FIRST_METRIC && id < CallWriter.FIRST_METRIC + 100) {
            column.decimals(metric(id - CallWriter.FIRST_METRIC), rows);
            hasMetrics = true;
        }
    }

    private double[] metric(int index) {
        if (metrics.length <= index) {
            int known = metrics.length;
            metrics = Arrays.copyOf(metrics, index + 1);
            for (int m = known; m < metrics.length; m++) {
                metrics[m] = new double[0];
            }
        }
        if (metrics[index].length < rows) {
            metrics[index] = new double[rows];
            Arrays.fill(metrics[index], Double.NaN);
        }
        return metrics[index];
    }

    /** Counts the calls. */
    public int rows() {
        return rows;
    }

    /** Gives the stage of the plan, from 0. */
    public int stage(int row) {
        return (int) integers[CallWriter.STAGE][row];
    }

    /** Gives the client's number in the whole run, from 0. */
    public int client(int row) {
        return (int) integers[CallWriter.CLIENT][row];
    }

    /** Gives the kind of request, from 0. */
    public int request(int row) {
        return (int) integers[CallWriter.REQUEST][row];
    }

    /** Gives the target's place in the experiment's list, from 0. */
    public int target(int row) {
        return (int) integers[CallWriter.TARGET][row];
    }

    /** Gives the instant at which the plan wanted the call sent, on the tester's clock. */
    public long intendedNanos(int row) {
        return integers[CallWriter.INTENDED][row];
    }

    /** Gives the time from the intended instant until it was sent. */
    public long lagNanos(int row) {
        return integers[CallWriter.LAG][row];
    }

    /** Gives the response time: from the intended instant until the call ended. */
    public long latencyNanos(int row) {
        return integers[CallWriter.LATENCY][row];
    }

    /** Gives the word for how it ended; see {@link Outcome}. */
    public String outcome(int row) {
        return outcomes.get((int) integers[CallWriter.OUTCOME][row]);
    }

    /** Gives the outcome's place in {@link #outcomes}. */
    public int outcomeIndex(int row) {
        return (int) integers[CallWriter.OUTCOME][row];
    }

    /** Lists the outcomes that occur in this block. */
    public List<String> outcomes() {
        return outcomes;
    }

    /** Gives the bytes moved. */
    public long bytes(int row) {
        return integers[CallWriter.BYTES][row];
    }

    /** Says whether it was the first call on its connection. */
    public boolean first(int row) {
        return integers[CallWriter.FIRST][row] != 0;
    }

    /** Says whether any call of this block has a metric of its own. */
    public boolean hasMetrics() {
        return hasMetrics;
    }

    /** Gives the metric at this place in the plugin's list, {@code NaN} where the call has none. */
    public double metric(int index, int row) {
        return index < metrics.length && row < metrics[index].length ? metrics[index][row] : Double.NaN;
    }
}
