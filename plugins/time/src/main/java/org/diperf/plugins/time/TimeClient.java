package org.diperf.plugins.time;

import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Context;
import org.diperf.plugins.lib.netty.OwnedLoop;
import org.jspecify.annotations.Nullable;

/**
 * One client, with a socket for each target. Confined to its owner's loop; where that is no Netty loop, its sockets live
 * on one of the session's and the two exchange messages.
 */
final class TimeClient implements AsyncClient {

    private final TimeSession session;
    private final @Nullable TimeSocket[] sockets;
    private @Nullable OwnedLoop loop;
    private @Nullable Call call;
    private long ticket;

    TimeClient(TimeSession session) {
        this.session = session;
        this.sockets = new TimeSocket[session.targets()];
    }

    @Override
    public void open(Context context) {
        loop = session.loops().of(context.loop());
    }

    @Override
    public void call(Call call) {
        OwnedLoop loop = opened();
        int target = call.targetIndex();
        TimeSocket known = sockets[target];
        TimeSocket socket = known != null ? known : new TimeSocket(session, target, loop.eventLoop(), this::ended);
        sockets[target] = socket;
        this.call = call;
        ticket = call.ticket();
        loop.toSockets(socket::ask);
    }

    @Override
    public void cancel(Call call) {
        TimeSocket socket = sockets[call.targetIndex()];
        if (socket != null) {
            opened().toSockets(socket::cancel);
        }
    }

    @Override
    public void close() {
        for (TimeSocket socket : sockets) {
            if (socket != null) {
                opened().toSockets(socket::close);
            }
        }
    }

    private OwnedLoop opened() {
        if (loop == null) {
            throw new IllegalStateException("open was not called");
        }
        return loop;
    }

    /** Takes the end of a question, on the event loop. */
    private void ended(long bytes, @Nullable String failure) {
        opened().toOwner(() -> report(bytes, failure));
    }

    private void report(long bytes, @Nullable String failure) {
        Call ending = call;
        if (ending == null) {
            return;
        }
        call = null;
        ending.bytes(bytes);
        if (failure == null) {
            ending.ok(ticket);
        } else {
            ending.fail(ticket, failure);
        }
    }
}
