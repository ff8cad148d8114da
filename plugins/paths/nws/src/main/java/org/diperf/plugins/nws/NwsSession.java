package org.diperf.plugins.nws;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.diperf.core.spi.BlockingClient;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.Recorder;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;
import org.diperf.core.spi.Url;

/** What the clients of a tester share. Immutable. */
final class NwsSession implements Session {

    private final List<InetSocketAddress> addresses = new ArrayList<>();
    private final Settings settings;
    private final Recorder recorder;

    NwsSession(SessionContext context) throws IOException {
        settings = Settings.of(context.with());
        recorder = context.recorder();
        for (Url target : context.targets()) {
            addresses.add(NwsPlugin.resolve(target));
        }
    }

    @Override
    public Client newClient() {
        return new NwsClient(this);
    }

    @Override
    public Class<? extends Client> kind() {
        return BlockingClient.class;
    }

    int targets() {
        return addresses.size();
    }

    InetSocketAddress address(int target) {
        return addresses.get(target);
    }

    Settings settings() {
        return settings;
    }

    Recorder recorder() {
        return recorder;
    }
}
