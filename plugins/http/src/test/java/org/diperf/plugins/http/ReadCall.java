package org.diperf.plugins.http;

import java.net.URI;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.spi.Answer;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Metric;
import org.jspecify.annotations.Nullable;

/** A call of which somebody reads the answer. */
final class ReadCall implements Call {

    private final CallProbe probe;
    private final boolean also;
    private int answers;
    private @Nullable String status;
    private @Nullable String body;

    /**
     * @param probe remembers how it ended
     * @param also whether the answer is read even if the call fails
     */
    ReadCall(CallProbe probe, boolean also) {
        this.probe = probe;
        this.also = also;
    }

    @Override
    public boolean wantsAnswer() {
        return true;
    }

    @Override
    public boolean wantsFailedAnswer() {
        return also;
    }

    @Override
    public void answer(Answer answer) {
        answers++;
        status = answer.status();
        body = answer.body();
    }

    int answers() {
        return answers;
    }

    @Nullable
    String status() {
        return status;
    }

    @Nullable
    String body() {
        return body;
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
