package org.diperf.plugins.stamp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.clock.WallClock;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.Quantity;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;
import org.diperf.plugins.lib.netty.SessionLoops;

/** What the clients of a tester share. Thread-safe. */
final class StampSession implements Session {

    private final List<InetSocketAddress> addresses = new ArrayList<>();
    private final Settings settings;
    private final NanoClock clock;
    private final long unixBaseNanos;
    private final SessionLoops loops = new SessionLoops();

    StampSession(SessionContext context, NanoClock clock, WallClock wall) throws IOException {
        this.clock = clock;
        // Read once: a wall clock that is set during the run changes nothing.
        unixBaseNanos = Math.round(wall.unixSeconds() * 1e9) - clock.nanoTime();
        settings = Settings.of(context.with());
        if (settings.mostTime().compareTo(context.timeout()) >= 0) {
            throw new IOException("count: expected trains that end before load.timeout, "
                    + Quantity.format(context.timeout()) + ", got up to " + Quantity.format(settings.mostTime())
                    + "; raise load.timeout, or lower count, interval or wait");
        }
        for (URI target : context.targets()) {
            addresses.add(Settings.address(target).resolve().first());
        }
    }

    @Override
    public Client newClient() {
        return new StampClient(this);
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

    int targets() {
        return addresses.size();
    }

    InetSocketAddress address(int target) {
        return addresses.get(target);
    }

    Settings settings() {
        return settings;
    }

    NanoClock clock() {
        return clock;
    }

    long unixBaseNanos() {
        return unixBaseNanos;
    }
}
