package org.diperf.plugins.http;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.PluginHarness;
import org.diperf.core.contract.ProbedCall;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Failure;

/** A call of one of {@link SeveralRequests}. */
final class ChosenCall extends ProbedCall {

    private final int request;
    private final Queue<String> captured;

    /**
     * @param probe remembers how it ended
     * @param captured what was captured each time that it is asked for
     */
    ChosenCall(CallProbe probe, int request, String... captured) {
        super(probe);
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
        if (!probe().awaitEnd(5_000)) {
            throw new AssertionError("The call has not ended");
        }
        return probe();
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
}
