package org.diperf.plugins.tcp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;
import org.diperf.core.spi.Text;
import org.diperf.plugins.lib.netty.SessionLoops;

/** What the TCP clients of a tester share. Thread-safe. */
final class TcpSession implements Session {

    private final List<InetSocketAddress> addresses = new ArrayList<>();
    private final Text message;
    private final boolean line;
    private final SessionLoops loops = new SessionLoops();

    TcpSession(SessionContext context) throws IOException {
        for (URI target : context.targets()) {
            addresses.add(resolve(target));
        }
        message = context.with().text("send");
        line = context.with().string("answer").equals("line");
    }

    static InetSocketAddress resolve(URI target) throws IOException {
        InetSocketAddress named = TcpPlugin.address(target);
        InetSocketAddress resolved = new InetSocketAddress(named.getHostString(), named.getPort());
        if (resolved.isUnresolved()) {
            throw new UnknownHostException(
                    "target: expected a host that is known, got '" + named.getHostString() + "'");
        }
        return resolved;
    }

    @Override
    public Client newClient() {
        return new TcpClient(this);
    }

    @Override
    public Class<? extends Client> kind() {
        return AsyncClient.class;
    }

    @Override
    public void close() {
        loops.close();
    }

    SessionLoops loops() {
        return loops;
    }

    InetSocketAddress address(int target) {
        return addresses.get(target);
    }

    int targets() {
        return addresses.size();
    }

    Text message() {
        return message;
    }

    /** Returns whether an answer ends with its line; else it is an echo. */
    boolean wantsLine() {
        return line;
    }
}
