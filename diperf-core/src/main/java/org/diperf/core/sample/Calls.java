package org.diperf.core.sample;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** The calls of one block, decoded; the object is reused from block to block. Confined to one thread. */
public final class Calls {

    private final long[][] integers = new long[CallWriter.FIRST + 1][0];
    /** Of each column how many rows from the first hold one value, and that: most columns are the same block after block. */
    private final int[] filled = new int[CallWriter.FIRST + 1];

    private final long[] filledWith = new long[CallWriter.FIRST + 1];
    private final StartCodec starts = new StartCodec();
    private double[][] metrics = new double[0][];
    private final List<SampleColumn> optional;
    /** Of each optional column its values, or nothing where the block has none; in the order of {@link #optional}. */
    private final long[][] optionals;

    private final boolean[] present;
    /** Of columns whose values are of clients, whether first rows are differences too. */
    private final boolean[] near;

    private final ClientCodec ofClients = new ClientCodec();
    private List<String> outcomes = List.of();
    private int rows;
    private boolean hasMetrics;

    /**
     * @param optional columns that are wanted next to those of every block; others are skipped
     * @throws IllegalArgumentException when one of them is not optional
     */
    public Calls(SampleColumn... optional) {
        this.optional = List.of(optional);
        this.optionals = new long[optional.length][0];
        this.present = new boolean[optional.length];
        this.near = new boolean[optional.length];
        for (SampleColumn column : optional) {
            if (!column.isOptional()) {
                throw new IllegalArgumentException("Expected optional call columns, got " + column.word());
            }
        }
    }

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
        Arrays.fill(present, false);
        for (int id = CallWriter.STAGE; id <= CallWriter.FIRST; id++) {
            if (integers[id].length < rows) {
                integers[id] = new long[rows];
                filled[id] = 0;
            }
        }
        for (double[] metric : metrics) {
            Arrays.fill(metric, 0, Math.min(rows, metric.length), Double.NaN);
        }
        try {
            Column intended = null;
            int known = 0;
            List<Column> columns = Column.of(data, header);
            for (Column column : columns) {
                known |= column.id() <= CallWriter.FIRST ? 1 << column.id() : 0;
                if (column.id() == CallWriter.INTENDED) {
                    intended = column;
                } else if (!isMetric(column)) {
                    decode(column, header.baseNanos());
                }
            }
            for (int id = CallWriter.STAGE; id <= CallWriter.FIRST; id++) {
                if ((known & 1 << id) == 0) {
                    fill(id, 0);
                }
            }
            metrics(columns);
            for (int i = 0; i < present.length; i++) {
                if (present[i] && optional.get(i).coding() == SampleColumn.Coding.OF_CLIENT) {
                    ofClients.toNumbers(optionals[i], integers[CallWriter.CLIENT], rows, near[i]);
                }
            }
            if (intended != null) {
                filled[CallWriter.INTENDED] = 0;
                intended.starts(
                        starts,
                        integers[CallWriter.INTENDED],
                        integers[CallWriter.LATENCY],
                        integers[CallWriter.CLIENT],
                        rows,
                        header.baseNanos());
            }
        } catch (BufferUnderflowException e) {
            throw new CorruptBlockException("expected " + rows + " rows, got a column that ends early");
        }
        if (outcomes.isEmpty()) {
            throw new CorruptBlockException("expected an outcome column, got none");
        }
    }

    /**
     * Reads the words for the outcomes that occur in a block of calls, with their marks (see {@link Outcome#fault}), and
     * nothing else of it.
     *
     * @param data at the block's begin; the position stays
     * @param header what {@link Block#read} said of it
     * @throws CorruptBlockException when there are none, or they cannot be read
     */
    public static List<String> outcomeWords(ByteBuffer data, Block header) throws CorruptBlockException {
        Column column = Column.of(data, header, CallWriter.OUTCOME);
        if (column == null) {
            throw new CorruptBlockException("expected an outcome column, got none");
        }
        try {
            return column.dictionary(header.rows());
        } catch (BufferUnderflowException e) {
            throw new CorruptBlockException("expected words for outcomes, got a column that ends early");
        }
    }

    private void decode(Column column, long baseNanos) throws CorruptBlockException {
        int id = column.id();
        if (id == CallWriter.OUTCOME) {
            outcomes = column.dictionary(rows).stream().map(Outcome::cause).toList();
            integers(id, column.places(), 0);
            Column.checkPlaces(integers[id], filled[id] > 0 ? 1 : rows, outcomes);
        } else if (id >= CallWriter.STAGE && id <= CallWriter.FIRST) {
            integers(id, column, baseNanos);
        } else {
            optional(column, baseNanos);
        }
    }

    private static boolean isMetric(Column column) {
        return column.id() >= CallWriter.FIRST_METRIC
                && column.id() < CallWriter.FIRST_METRIC + SampleColumn.MAX_METRICS;
    }

    /** Decodes the metrics of calls whose latencies and lags have been decoded. */
    private void metrics(List<Column> columns) throws CorruptBlockException {
        for (Column column : columns) {
            if (isMetric(column)) {
                double[] values = metric(column.id() - CallWriter.FIRST_METRIC);
                column.metric(values, integers[CallWriter.LATENCY], integers[CallWriter.LAG], rows);
                hasMetrics = true;
            }
        }
    }

    private void optional(Column column, long baseNanos) throws CorruptBlockException {
        for (int i = 0; i < present.length; i++) {
            if (optional.get(i).id() == column.id()) {
                if (optionals[i].length < rows) {
                    optionals[i] = new long[rows];
                }
                boolean isOfClient = optional.get(i).coding() == SampleColumn.Coding.OF_CLIENT;
                near[i] = isOfClient && (column.codec() & ClientCodec.NEAR) != 0;
                (near[i] ? column.withCodec(column.codec() & ~ClientCodec.NEAR) : column)
                        .integers(optionals[i], rows, baseNanos);
                present[i] = true;
            }
        }
    }

    private void integers(int id, Column column, long baseNanos) throws CorruptBlockException {
        if (column.isConstant()) {
            fill(id, column.constant());
        } else {
            filled[id] = 0;
            column.integers(integers[id], rows, baseNanos);
        }
    }

    private void fill(int id, long value) {
        if (filled[id] < rows || filledWith[id] != value) {
            Arrays.fill(integers[id], 0, rows, value);
            filled[id] = rows;
            filledWith[id] = value;
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

    /**
     * Returns the clients of all calls; as the other columns it is longer than there are calls, and overwritten by the next
     * block.
     */
    public long[] clients() {
        return integers[CallWriter.CLIENT];
    }

    /** Returns the stages of all calls. */
    public long[] stages() {
        return integers[CallWriter.STAGE];
    }

    /** Returns the kinds of request of all calls. */
    public long[] requests() {
        return integers[CallWriter.REQUEST];
    }

    /** Returns the intended starts of all calls. */
    public long[] intendedNanos() {
        return integers[CallWriter.INTENDED];
    }

    /** Returns the send lags of all calls. */
    public long[] lagNanos() {
        return integers[CallWriter.LAG];
    }

    /** Returns the response times of all calls. */
    public long[] latencyNanos() {
        return integers[CallWriter.LATENCY];
    }

    /** Returns the bytes moved by all calls. */
    public long[] bytes() {
        return integers[CallWriter.BYTES];
    }

    /** Returns whether it is known that all calls moved as many bytes. */
    public boolean sameBytes() {
        return filled[CallWriter.BYTES] >= rows;
    }

    /** Returns whether none of the calls was the first on its connection. */
    public boolean noneFirst() {
        if (filled[CallWriter.FIRST] >= rows) {
            return filledWith[CallWriter.FIRST] == 0;
        }
        for (int row = 0; row < rows; row++) {
            if (integers[CallWriter.FIRST][row] != 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether the block has an optional column that was wanted. */
    public boolean has(SampleColumn column) {
        return present[place(column)];
    }

    /**
     * Returns an optional column that the block has.
     *
     * @throws IllegalArgumentException when it was not wanted
     * @throws IllegalStateException when the block has none
     */
    public long value(SampleColumn column, int row) {
        return values(column)[row];
    }

    /**
     * Returns an optional column that the block has; it may be longer than there are calls, and is overwritten by the next block.
     *
     * @throws IllegalArgumentException when it was not wanted
     * @throws IllegalStateException when the block has none
     */
    public long[] values(SampleColumn column) {
        int place = place(column);
        if (!present[place]) {
            throw without(column);
        }
        return optionals[place];
    }

    private static IllegalStateException without(SampleColumn column) {
        return new IllegalStateException("Expected a block with column " + column.word() + ", got one without");
    }

    private int place(SampleColumn column) {
        int place = optional.indexOf(column);
        if (place < 0) {
            throw new IllegalArgumentException("Expected a column selected for reading, got " + column.word()
                    + "; select it when creating the reader");
        }
        return place;
    }

    /** Counts the calls. */
    public int rows() {
        return rows;
    }

    /** Returns the stage of the plan, from 0. */
    public int stage(int row) {
        return (int) integers[CallWriter.STAGE][row];
    }

    /** Returns the client's number in the whole run, from 0. */
    public int client(int row) {
        return (int) integers[CallWriter.CLIENT][row];
    }

    /** Returns the kind of request, from 0. */
    public int request(int row) {
        return (int) integers[CallWriter.REQUEST][row];
    }

    /** Returns the target's place in the experiment's list, from 0. */
    public int target(int row) {
        return (int) integers[CallWriter.TARGET][row];
    }

    /** Returns the instant at which the plan wanted the call sent, on the tester's clock. */
    public long intendedNanos(int row) {
        return integers[CallWriter.INTENDED][row];
    }

    /** Returns the time from the intended instant until it was sent. */
    public long lagNanos(int row) {
        return integers[CallWriter.LAG][row];
    }

    /** Returns the response time: from the intended instant until the call ended. */
    public long latencyNanos(int row) {
        return integers[CallWriter.LATENCY][row];
    }

    /** Returns the word for how it ended, without its mark; see {@link Outcome}. */
    public String outcome(int row) {
        return outcomes.get((int) integers[CallWriter.OUTCOME][row]);
    }

    /** Returns the outcome's place in {@link #outcomes}. */
    public int outcomeIndex(int row) {
        return (int) integers[CallWriter.OUTCOME][row];
    }

    /** Lists the outcomes that occur in this block, without their marks. */
    public List<String> outcomes() {
        return outcomes;
    }

    /** Returns the bytes moved. */
    public long bytes(int row) {
        return integers[CallWriter.BYTES][row];
    }

    /** Returns whether it was the first call on its connection. */
    public boolean first(int row) {
        return integers[CallWriter.FIRST][row] != 0;
    }

    /** Returns whether any call of this block has a metric of its own. */
    public boolean hasMetrics() {
        return hasMetrics;
    }

    /** Returns the metric at this place in the plugin's list, {@code NaN} where the call has none. */
    public double metric(int index, int row) {
        return index < metrics.length && row < metrics[index].length ? metrics[index][row] : Double.NaN;
    }
}
