package org.diperf.plugins.iperf;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.Quantity;
import org.diperf.core.spi.Recorder;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;
import org.diperf.plugins.lib.netty.SessionLoops;

/** What the clients of a tester share. Thread-safe. */
final class IperfSession implements Session {

    private final List<InetSocketAddress> addresses = new ArrayList<>();
    private final Settings settings;
    private final Recorder recorder;
    private final NanoClock clock;
    private final SessionLoops loops = new SessionLoops();

    IperfSession(SessionContext context, NanoClock clock) throws IOException {
        this.clock = clock;
        settings = Settings.of(context.with());
        recorder = context.recorder();
        Duration least = settings.leastTime();
        if (least.compareTo(context.timeout()) >= 0) {
            throw new IOException("time: expected tests that end before load.timeout, "
                    + Quantity.format(context.timeout()) + ", got " + Quantity.format(least)
                    + "; raise load.timeout, or shorten time and omit");
        }
        for (URI target : context.targets()) {
            addresses.add(Settings.address(target).resolve().first());
        }
    }

    @Override
    public Client newClient() {
        return new IperfClient(this);
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

    Settings settings() {
        return settings;
    }

    Recorder recorder() {
        return recorder;
    }

    NanoClock clock() {
        return clock;
    }
}
