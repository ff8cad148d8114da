package org.diperf.core.sample;

import java.util.Arrays;

/** A row for tests: an ok call of client 0 to target 0 in stage 0, unless it is told otherwise. */
public final class TestCall implements CallRow {

    private int stage;
    private int client;
    private int request;
    private int target;
    private long intendedNanos;
    private long lagNanos;
    private long latencyNanos;
    private String outcome = Outcome.OK;
    private long bytes;
    private boolean first;
    private long number = NO_NUMBER;
    private long errorIn = CallWriter.UNKNOWN;
    private long errorOut = CallWriter.UNKNOWN;
    private long errorLeast;
    private double[] metrics = {};

    public TestCall(long intendedNanos, long lagNanos, long latencyNanos) {
        var unused = times(intendedNanos, lagNanos, latencyNanos);
    }

    /** Makes one like a call that was read, without its metrics. */
    public static TestCall like(Calls calls, int row) {
        return new TestCall(calls.intendedNanos(row), calls.lagNanos(row), calls.latencyNanos(row))
                .stage(calls.stage(row))
                .client(calls.client(row))
                .request(calls.request(row))
                .target(calls.target(row))
                .outcome(calls.outcome(row))
                .bytes(calls.bytes(row))
                .first(calls.first(row));
    }

    /** Sets its times, so that one object serves many calls. */
    public TestCall times(long intended, long lag, long latency) {
        intendedNanos = intended;
        lagNanos = lag;
        latencyNanos = latency;
        return this;
    }

    public TestCall errors(long in, long out, long least) {
        errorIn = in;
        errorOut = out;
        errorLeast = least;
        return this;
    }

    public TestCall stage(int ofStage) {
        stage = ofStage;
        return this;
    }

    public TestCall client(int ofClient) {
        client = ofClient;
        return this;
    }

    public TestCall request(int ofRequest) {
        request = ofRequest;
        return this;
    }

    public TestCall target(int ofTarget) {
        target = ofTarget;
        return this;
    }

    public TestCall outcome(String ended) {
        outcome = ended;
        return this;
    }

    public TestCall bytes(long moved) {
        bytes = moved;
        return this;
    }

    public TestCall first(boolean isFirst) {
        first = isFirst;
        return this;
    }

    public TestCall number(long ofCall) {
        number = ofCall;
        return this;
    }

    public TestCall metric(int index, double value) {
        if (index >= metrics.length) {
            int known = metrics.length;
            metrics = Arrays.copyOf(metrics, index + 1);
            Arrays.fill(metrics, known, index, Double.NaN);
        }
        metrics[index] = value;
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
    public boolean isFirst() {
        return first;
    }

    @Override
    public long callNumber() {
        return number;
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
    public long errorLeastNanos() {
        return errorLeast;
    }

    @Override
    public boolean hasMetrics() {
        return metrics.length > 0;
    }

    @Override
    public double metric(int index) {
        return index < metrics.length ? metrics[index] : Double.NaN;
    }
}
