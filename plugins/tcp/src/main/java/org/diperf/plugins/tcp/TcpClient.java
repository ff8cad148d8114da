package org.diperf.plugins.tcp;

import io.netty.channel.EventLoop;
import java.nio.charset.StandardCharsets;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.Loop;
import org.jspecify.annotations.Nullable;

/**
 * One client, with a connection for each target. Confined to its owner's loop; where that is no Netty loop, its
 * connections live on one of the session's and the two exchange messages.
 */
final class TcpClient implements AsyncClient {

    private final TcpSession session;
    private final @Nullable TcpConnection[] connections;
    private @Nullable Loop owner;
    private @Nullable EventLoop eventLoop;
    private boolean sameThread;
    private @Nullable Call call;
    private long ticket;

    TcpClient(TcpSession session) {
        this.session = session;
        this.connections = new TcpConnection[session.targets()];
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
        TcpConnection known = connections[target];
        TcpConnection connection = known != null ? known : new TcpConnection(session, target, loop, this::ended);
        connections[target] = connection;
        this.call = call;
        ticket = call.ticket();
        byte[] message = session.message().of(call).getBytes(StandardCharsets.UTF_8);
        onEventLoop(() -> connection.exchange(message));
    }

    @Override
    public void cancel(Call call) {
        TcpConnection connection = connections[call.targetIndex()];
        if (connection != null) {
            onEventLoop(() -> connection.broken("cancelled"));
        }
    }

    @Override
    public void close() {
        for (TcpConnection connection : connections) {
            if (connection != null) {
                onEventLoop(connection::close);
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

    /** Takes the end of an exchange, on the event loop. */
    private void ended(boolean connected, long bytes, @Nullable String failure) {
        if (sameThread || owner == null) {
            report(connected, bytes, failure);
        } else {
            owner.execute(() -> report(connected, bytes, failure));
        }
    }

    private void report(boolean connected, long bytes, @Nullable String failure) {
        Call ending = call;
        if (ending == null) {
            return;
        }
        call = null;
        ending.bytes(bytes);
        if (connected) {
            ending.firstOnConnection();
        }
        if (failure == null) {
            ending.ok(ticket);
        } else {
            ending.fail(ticket, failure);
        }
    }
}
