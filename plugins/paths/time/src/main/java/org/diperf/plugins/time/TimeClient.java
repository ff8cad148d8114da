package org.diperf.plugins.time;

import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.netty.InFlightCall;
import org.diperf.plugins.lib.netty.OwnedLoop;
import org.jspecify.annotations.Nullable;

/**
 * One client, with a socket for each target. Confined to its owner's loop; where that is no Netty loop, its sockets live
 * on one of the session's and the two exchange messages.
 */
final class TimeClient implements AsyncClient {

    private final TimeSession session;
    private final @Nullable TimeSocket[] sockets;
    private final InFlightCall inFlight = new InFlightCall();

    TimeClient(TimeSession session) {
        this.session = session;
        this.sockets = new TimeSocket[session.targets()];
    }

    @Override
    public void open(Context context) {
        inFlight.open(session.loops().of(context.loop()));
    }

    @Override
    public void call(Call call) {
        OwnedLoop loop = inFlight.loop();
        int target = call.targetIndex();
        TimeSocket known = sockets[target];
        TimeSocket socket = known != null ? known : new TimeSocket(session, target, loop.eventLoop(), this::ended);
        sockets[target] = socket;
        inFlight.begin(call);
        loop.toSockets(socket::ask);
    }

    @Override
    public void cancel(Call call) {
        TimeSocket socket = sockets[call.targetIndex()];
        if (socket != null) {
            inFlight.loop().toSockets(socket::cancel);
        }
    }

    @Override
    public void close() {
        for (TimeSocket socket : sockets) {
            if (socket != null) {
                inFlight.close(socket::close);
            }
        }
    }

    /** Takes the end of a question, on the event loop. */
    private void ended(long bytes, @Nullable Failure failure) {
        inFlight.loop().toOwner(() -> report(bytes, failure));
    }

    private void report(long bytes, @Nullable Failure failure) {
        Call ending = inFlight.take();
        if (ending == null) {
            return;
        }
        ending.bytes(bytes);
        inFlight.end(ending, failure);
    }
}
