package org.diperf.plugins.tcp;

import java.nio.charset.StandardCharsets;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.Dialogue;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.netty.InFlightCall;
import org.diperf.plugins.lib.netty.OwnedLoop;
import org.jspecify.annotations.Nullable;

/**
 * One client, with a connection for each target. Confined to its owner's loop; where that is no Netty loop, its
 * connections live on one of the session's and the two exchange messages.
 */
final class TcpClient implements AsyncClient {

    private final TcpSession session;
    private final @Nullable TcpConnection[] connections;
    private final InFlightCall inFlight = new InFlightCall();

    TcpClient(TcpSession session) {
        this.session = session;
        this.connections = new TcpConnection[session.targets()];
    }

    @Override
    public void open(Context context) {
        inFlight.open(session.loops().of(context.loop()));
    }

    @Override
    public void call(Call call) {
        OwnedLoop loop = inFlight.loop();
        int target = call.targetIndex();
        TcpConnection known = connections[target];
        TcpConnection connection = known != null
                ? known
                : new TcpConnection(session, session.dialer(loop.eventLoop(), target, call.client()), this::ended);
        connections[target] = connection;
        inFlight.begin(call);
        byte[] message = session.message().of(call).getBytes(StandardCharsets.UTF_8);
        Dialogue dialogue = call.dialogue();
        loop.toSockets(() -> connection.exchange(message, dialogue));
    }

    @Override
    public void cancel(Call call) {
        TcpConnection connection = connections[call.targetIndex()];
        if (connection != null) {
            inFlight.loop().toSockets(() -> connection.broken("cancelled"));
        }
    }

    @Override
    public void close() {
        for (TcpConnection connection : connections) {
            if (connection != null) {
                inFlight.close(connection::close);
            }
        }
    }

    /** Takes the end of an exchange, on the event loop. */
    private void ended(boolean connected, long bytes, @Nullable Failure failure) {
        inFlight.loop().toOwner(() -> report(connected, bytes, failure));
    }

    private void report(boolean connected, long bytes, @Nullable Failure failure) {
        Call ending = inFlight.take();
        if (ending == null) {
            return;
        }
        ending.bytes(bytes);
        if (connected) {
            ending.firstOnConnection();
        }
        inFlight.end(ending, failure);
    }
}
