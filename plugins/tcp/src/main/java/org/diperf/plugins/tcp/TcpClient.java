package org.diperf.plugins.tcp;

import java.nio.charset.StandardCharsets;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Context;
import org.diperf.plugins.lib.netty.OwnedLoop;
import org.jspecify.annotations.Nullable;

/**
 * One client, with a connection for each target. Confined to its owner's loop; where that is no Netty loop, its
 * connections live on one of the session's and the two exchange messages.
 */
final class TcpClient implements AsyncClient {

    private final TcpSession session;
    private final @Nullable TcpConnection[] connections;
    private @Nullable OwnedLoop loop;
    private @Nullable Call call;
    private long ticket;

    TcpClient(TcpSession session) {
        this.session = session;
        this.connections = new TcpConnection[session.targets()];
    }

    @Override
    public void open(Context context) {
        loop = session.loops().of(context.loop());
    }

    @Override
    public void call(Call call) {
        OwnedLoop loop = opened();
        int target = call.targetIndex();
        TcpConnection known = connections[target];
        TcpConnection connection =
                known != null ? known : new TcpConnection(session, target, loop.eventLoop(), this::ended);
        connections[target] = connection;
        this.call = call;
        ticket = call.ticket();
        byte[] message = session.message().of(call).getBytes(StandardCharsets.UTF_8);
        loop.toSockets(() -> connection.exchange(message));
    }

    @Override
    public void cancel(Call call) {
        TcpConnection connection = connections[call.targetIndex()];
        if (connection != null) {
            opened().toSockets(() -> connection.broken("cancelled"));
        }
    }

    @Override
    public void close() {
        for (TcpConnection connection : connections) {
            if (connection != null) {
                opened().toSockets(connection::close);
            }
        }
    }

    private OwnedLoop opened() {
        if (loop == null) {
            throw new IllegalStateException("open was not called");
        }
        return loop;
    }

    /** Takes the end of an exchange, on the event loop. */
    private void ended(boolean connected, long bytes, @Nullable String failure) {
        opened().toOwner(() -> report(connected, bytes, failure));
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
