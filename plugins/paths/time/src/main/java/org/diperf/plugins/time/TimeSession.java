package org.diperf.plugins.time;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;
import org.diperf.plugins.lib.netty.SessionLoops;

/** What the time clients of a tester share. Thread-safe. */
final class TimeSession implements Session {

    private final List<InetSocketAddress> addresses = new ArrayList<>();
    private final SessionLoops loops = new SessionLoops();

    TimeSession(SessionContext context) throws IOException {
        for (URI target : context.targets()) {
            addresses.add(TimePlugin.address(target).resolve().first());
        }
    }

    @Override
    public Client newClient() {
        return new TimeClient(this);
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
}
