package org.diperf.plugins.stamp;

import java.io.IOException;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.clock.WallClock;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.Quantity;
import org.diperf.core.spi.SessionContext;
import org.diperf.plugins.lib.netty.LoopSession;
import org.diperf.plugins.lib.netty.SessionLoops;

/** What the clients of a tester share. Thread-safe. */
final class StampSession extends LoopSession {

    private final Settings settings;
    private final NanoClock clock;
    private final long unixBaseNanos;

    StampSession(SessionContext context, NanoClock clock, WallClock wall) throws IOException {
        super(new SessionLoops(), context.targets(), Settings::address);
        this.clock = clock;
        // Read once: a wall clock that is set during the run changes nothing.
        unixBaseNanos = Math.round(wall.unixSeconds() * 1e9) - clock.nanoTime();
        settings = Settings.of(context.with());
        if (settings.mostTime().compareTo(context.timeout()) >= 0) {
            throw new IOException("count: expected trains that end before load.timeout, "
                    + Quantity.format(context.timeout()) + ", got up to " + Quantity.format(settings.mostTime())
                    + "; raise load.timeout, or lower count, interval or wait");
        }
    }

    @Override
    public Client newClient() {
        return new StampClient(this);
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
