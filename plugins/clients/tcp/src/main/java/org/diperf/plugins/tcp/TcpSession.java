package org.diperf.plugins.tcp;

import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;
import org.diperf.core.spi.Text;
import org.diperf.plugins.lib.netty.Addresses;
import org.diperf.plugins.lib.netty.Dialer;
import org.diperf.plugins.lib.netty.SessionLoops;

/** What the TCP clients of a tester share. Thread-safe. */
final class TcpSession implements Session {

    private final List<Addresses> addresses = new ArrayList<>();
    private final Text message;
    private final boolean line;
    private final SessionLoops loops;

    TcpSession(SessionContext context) throws IOException {
        for (URI target : context.targets()) {
            addresses.add(TcpPlugin.address(target).resolve());
        }
        loops = new SessionLoops(context.timeout(), NanoClock.SYSTEM, null);
        message = context.with().text("send");
        line = context.with().string("answer").equals("line");
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

    /** Returns what connects a client to a target. */
    Dialer dialer(EventLoop loop, int target, int client) {
        return loops.dialer(loop, addresses.get(target), client);
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
