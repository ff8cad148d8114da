package org.diperf.plugins.http;

import java.net.URI;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.PluginHarness;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Metric;

/** A call of one of {@link SeveralRequests}. */
final class ChosenCall implements Call {

    private final CallProbe probe;
    private final int request;
    private final Queue<String> captured;

    /**
     * @param probe remembers how it ended
     * @param captured what was captured each time that it is asked for
     */
    ChosenCall(CallProbe probe, int request, String... captured) {
        this.probe = probe;
        this.request = request;
        this.captured = new ArrayDeque<>(List.of(captured));
    }

    /** Has a client make it, as a tester does; returns when it has ended. */
    CallProbe make(PluginHarness.Owned client) throws Exception {
        client.onOwner(() -> {
            try {
                ((AsyncClient) client.client()).call(this);
            } catch (Exception e) {
                fail(Failure.of(e));
            }
            return true;
        });
        if (!probe.awaitEnd(5_000)) {
            throw new AssertionError("The call has not ended");
        }
        return probe;
    }

    @Override
    public int request() {
        return request;
    }

    @Override
    public String value(String name) {
        return captured.remove();
    }

    @Override
    public boolean hasValue(String name) {
        return true;
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
    public URI target() {
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
    public void ok(long ticket) {
        probe.ok(ticket);
    }

    @Override
    public void fail(long ticket, Failure failure) {
        probe.fail(ticket, failure);
    }
}
