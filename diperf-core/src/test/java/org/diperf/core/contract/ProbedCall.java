package org.diperf.core.contract;

import org.diperf.core.spi.Call;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.Url;

/** A call as that of a probe, which remembers what becomes of it; tests say what else there is to it. */
public abstract class ProbedCall implements Call {

    private final CallProbe probe;

    protected ProbedCall(CallProbe probe) {
        this.probe = probe;
    }

    /** Returns the probe, by which the call has its numbers and its end. */
    protected final CallProbe probe() {
        return probe;
    }

    @Override
    public long number() {
        return probe.number();
    }

    @Override
    public int client() {
        return probe.client();
    }

    @Override
    public Url target() {
        return probe.target();
    }

    @Override
    public int targetIndex() {
        return probe.targetIndex();
    }

    @Override
    public long ticket() {
        return probe.ticket();
    }

    @Override
    public void bytes(long count) {
        probe.bytes(count);
    }

    @Override
    public void firstOnConnection() {
        probe.firstOnConnection();
    }

    @Override
    public void metric(Metric metric, double value) {
        probe.metric(metric, value);
    }

    @Override
    public long event(int kind, int count) {
        return probe.event(kind, count);
    }

    @Override
    public void ok(long ticket) {
        probe.ok(ticket);
    }

    @Override
    public void fail(long ticket, Failure failure) {
        probe.fail(ticket, failure);
    }
}
