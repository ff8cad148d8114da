package org.diperf.core.sample;

/**
 * A row that its owner fills in: at first an ok call of client 0 to target 0 in stage 0. Values stay until they are set again. Not
 * thread-safe.
 */
public final class CallData implements CallRow {

    private int stage;
    private int client;
    private int request;
    private int target;
    private long intendedNanos;
    private long lagNanos;
    private long latencyNanos;
    private String outcome = Outcome.OK;
    private long bytes;
    private long errorIn = CallWriter.UNKNOWN;
    private long errorOut = CallWriter.UNKNOWN;
    private boolean first;
    private double[] metrics = {};

    /** Sets {@link #stageNumber}, {@link #client}, {@link #requestNumber} and {@link #targetNumber}. */
    public CallData of(int ofStage, int ofClient, int ofRequest, int ofTarget) {
        stage = ofStage;
        client = ofClient;
        request = ofRequest;
        target = ofTarget;
        return this;
    }

    /** Sets {@link #intendedNanos}, {@link #lagNanos} and {@link #latencyNanos}. */
    public CallData times(long intended, long lag, long latency) {
        intendedNanos = intended;
        lagNanos = lag;
        latencyNanos = latency;
        return this;
    }

    /** Sets {@link #outcome} and {@link #bytes}. */
    public CallData ended(String how, long moved) {
        outcome = how;
        bytes = moved;
        return this;
    }

    /** Sets {@link #errorInNanos} and {@link #errorOutNanos}. */
    public CallData errors(long in, long out) {
        errorIn = in;
        errorOut = out;
        return this;
    }

    /** Sets {@link #isFirst} and {@link #metric}, of every metric that calls of the block have. */
    public CallData measured(boolean isFirst, double... values) {
        first = isFirst;
        metrics = values;
        return this;
    }

    @Override
    public int stageNumber() {
        return stage;
    }

    @Override
    public int client() {
        return client;
    }

    @Override
    public int requestNumber() {
        return request;
    }

    @Override
    public int targetNumber() {
        return target;
    }

    @Override
    public long intendedNanos() {
        return intendedNanos;
    }

    @Override
    public long lagNanos() {
        return lagNanos;
    }

    @Override
    public long latencyNanos() {
        return latencyNanos;
    }

    @Override
    public String outcome() {
        return outcome;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public long errorInNanos() {
        return errorIn;
    }

    @Override
    public long errorOutNanos() {
        return errorOut;
    }

    @Override
    public boolean isFirst() {
        return first;
    }

    @Override
    public boolean hasMetrics() {
        return metrics.length > 0;
    }

    @Override
    public double metric(int index) {
        return metrics[index];
    }
}
