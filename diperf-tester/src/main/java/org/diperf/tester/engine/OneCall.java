package org.diperf.tester.engine;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.util.Arrays;
import org.diperf.core.plan.Stage;
import org.diperf.core.sample.CallWriter;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Metric;
import org.jspecify.annotations.Nullable;

/** What both kinds of call hold. Reused from call to call; owned by the client's owner. */
abstract class OneCall implements Call {

    private final RunSetup setup;
    private final int client;
    private final double[] metrics;
    private boolean anyMetric;
    private @Nullable Stage stage;
    private long number;
    private int targetIndex;
    private long ticket;
    private long bytes;
    private boolean first;
    private long intendedNanos;
    private long sentNanos;

    OneCall(RunSetup setup, int client) {
        this.setup = setup;
        this.client = client;
        this.metrics = new double[setup.metrics().size()];
        Arrays.fill(metrics, Double.NaN);
    }

    /** Makes this object the next call; returns its ticket. */
    final long renew(Stage ofStage, long callNumber, long intended) {
        stage = ofStage;
        number = callNumber;
        targetIndex = setup.targetOf(client, callNumber);
        bytes = 0;
        first = false;
        intendedNanos = intended;
        if (anyMetric) {
            Arrays.fill(metrics, Double.NaN);
            anyMetric = false;
        }
        return ++ticket;
    }

    final void sentAt(long nanos) {
        sentNanos = nanos;
    }

    /** Adds this call to the block. */
    final void writeTo(CallWriter calls, long endNanos, String outcome) {
        long lag = Math.max(0, sentNanos - intendedNanos);
        long latency = Math.max(lag, endNanos - intendedNanos);
        calls.add(stage().number(), client, 0, targetIndex, intendedNanos, lag, latency, outcome, bytes, first);
        if (anyMetric) {
            for (int m = 0; m < metrics.length; m++) {
                calls.metric(m, metrics[m]);
            }
        }
    }

    /** Gives the stage in which the call began, whatever stage is at hand now. */
    final Stage stage() {
        return requireNonNull(stage, "renew sets it");
    }

    /** Counts what the call has moved so far. */
    final long bytesMoved() {
        return bytes;
    }

    final long intendedNanos() {
        return intendedNanos;
    }

    final long sentNanos() {
        return sentNanos;
    }

    @Override
    public final long number() {
        return number;
    }

    @Override
    public final int client() {
        return client;
    }

    @Override
    public final URI target() {
        return setup.targets().each().get(targetIndex);
    }

    @Override
    public final int targetIndex() {
        return targetIndex;
    }

    @Override
    public final long ticket() {
        return ticket;
    }

    @Override
    public final void bytes(long count) {
        if (count < 0) {
            throw new IllegalArgumentException("Call.bytes wants a count of at least 0, found " + count);
        }
        bytes += count;
    }

    @Override
    public final void firstOnConnection() {
        first = true;
    }

    @Override
    public final void metric(Metric metric, double value) {
        metrics[setup.metricIndex(metric)] = value;
        anyMetric = true;
    }
}
