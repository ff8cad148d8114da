package org.diperf.plugins.gram;

import java.util.Map;
import org.diperf.core.spi.Answer;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.Text;
import org.diperf.plugins.lib.netty.InFlightCall;
import org.diperf.plugins.lib.netty.OwnedLoop;
import org.jspecify.annotations.Nullable;

/**
 * One simulated user who runs jobs. Confined to its owner's loop; where that is no Netty loop, its connections live on one of the
 * session's and the two exchange messages.
 */
final class GramClient implements AsyncClient {

    private static final double NANOS_PER_MILLI = 1e6;

    private final GramSession session;
    private final InFlightCall inFlight = new InFlightCall();
    private @Nullable CallJob job;

    GramClient(GramSession session) {
        this.session = session;
    }

    @Override
    public void open(Context context) {
        inFlight.open(session.loops().of(context.loop()));
    }

    @Override
    public void call(Call call) {
        OwnedLoop on = inFlight.loop();
        Text rsl = session.settings().rsl();
        CallJob made = new CallJob(
                session,
                session.gatekeeper(call.targetIndex()).from(call.client()),
                on.eventLoop(),
                rsl == null ? "" : rsl.of(call),
                ended -> on.toOwner(() -> report(ended)));
        job = made;
        inFlight.begin(call);
        on.toSockets(made::begin);
    }

    @Override
    public void cancel(Call call) {
        CallJob current = job;
        if (current != null) {
            inFlight.loop().toSockets(current::giveUp);
        }
    }

    @Override
    public void close() {
        CallJob last = job;
        if (last != null) {
            inFlight.close(last::giveUp);
        }
    }

    private void report(CallJob ended) {
        if (ended != job) {
            return;
        }
        Call ending = inFlight.take();
        if (ending == null) {
            return;
        }
        job = null;
        ending.bytes(ended.bytes());
        ending.firstOnConnection();
        metric(ending, GramPlugin.CONNECT, ended.connectNanos());
        metric(ending, GramPlugin.AUTHENTICATE, ended.authenticateNanos());
        metric(ending, GramPlugin.DELEGATE, ended.delegateNanos());
        metric(ending, GramPlugin.SUBMIT, ended.submitNanos());
        for (Map.Entry<JobState, Long> state : ended.states().entrySet()) {
            metric(ending, state.getKey().metric(), state.getValue());
        }
        metric(ending, GramPlugin.DONE, ended.doneNanos());
        metric(ending, GramPlugin.CANCEL, ended.cancelNanos());
        Failure failure = ended.failure();
        if (failure == null ? ending.wantsAnswer() : ending.wantsFailedAnswer()) {
            ending.answer(new Output(ended.text()));
        }
        inFlight.end(ending, failure);
    }

    private static void metric(Call ending, Metric metric, long nanos) {
        if (nanos >= 0) {
            ending.metric(metric, nanos / NANOS_PER_MILLI);
        }
    }

    /** What a job wrote. */
    private record Output(String body) implements Answer {

        @Override
        public @Nullable String header(String name) {
            return null;
        }
    }
}
