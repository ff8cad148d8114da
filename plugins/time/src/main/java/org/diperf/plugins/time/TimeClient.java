package org.diperf.plugins.time;

import io.netty.channel.EventLoop;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.Loop;
import org.jspecify.annotations.Nullable;

/**
 * One client, with a socket for each target. Confined to its owner's loop; where that is no Netty loop, its sockets live
 * on one of the session's and the two exchange messages.
 */
final class TimeClient implements AsyncClient {

    private final TimeSession session;
    private final @Nullable TimeSocket[] sockets;
    private @Nullable Loop owner;
    private @Nullable EventLoop eventLoop;
    private boolean sameThread;
    private @Nullable Call call;
    private long ticket;

    TimeClient(TimeSession session) {
        this.session = session;
        this.sockets = new TimeSocket[session.targets()];
    }

    @Override
    public void open(Context context) {
        owner = context.loop();
        eventLoop = session.eventLoop(owner);
        sameThread = eventLoop.inEventLoop();
    }

    @Override
    public void call(Call call) {
        EventLoop loop = eventLoop;
        if (loop == null) {
            throw new IllegalStateException("open was not called");
        }
        int target = call.targetIndex();
        TimeSocket known = sockets[target];
        TimeSocket socket = known != null ? known : new TimeSocket(session, target, loop, this::ended);
        sockets[target] = socket;
        this.call = call;
        ticket = call.ticket();
        onEventLoop(socket::ask);
    }

    @Override
    public void cancel(Call call) {
        TimeSocket socket = sockets[call.targetIndex()];
        if (socket != null) {
            onEventLoop(socket::cancel);
        }
    }

    @Override
    public void close() {
        for (TimeSocket socket : sockets) {
            if (socket != null) {
                onEventLoop(socket::close);
            }
        }
    }

    private void onEventLoop(Runnable task) {
        if (sameThread || eventLoop == null) {
            task.run();
        } else {
            eventLoop.execute(task);
        }
    }

    /** Takes the end of a question, on the event loop. */
    private void ended(long bytes, @Nullable String failure) {
        if (sameThread || owner == null) {
            report(bytes, failure);
        } else {
            owner.execute(() -> report(bytes, failure));
        }
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
