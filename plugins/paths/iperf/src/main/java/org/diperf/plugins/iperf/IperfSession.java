package org.diperf.plugins.iperf;

import java.io.IOException;
import java.time.Duration;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.Quantity;
import org.diperf.core.spi.Recorder;
import org.diperf.core.spi.SessionContext;
import org.diperf.plugins.lib.netty.LoopSession;
import org.diperf.plugins.lib.netty.SessionLoops;

/** What the clients of a tester share. Thread-safe. */
final class IperfSession extends LoopSession {

    private final Settings settings;
    private final Recorder recorder;
    private final NanoClock clock;

    IperfSession(SessionContext context, NanoClock clock) throws IOException {
        super(new SessionLoops(), context.targets(), Settings::address);
        this.clock = clock;
        settings = Settings.of(context.with());
        recorder = context.recorder();
        Duration least = settings.leastTime();
        if (least.compareTo(context.timeout()) >= 0) {
            throw new IOException("time: expected tests that end before load.timeout, "
                    + Quantity.format(context.timeout()) + ", got " + Quantity.format(least)
                    + "; raise load.timeout, or shorten time and omit");
        }
    }

    @Override
    public Client newClient() {
        return new IperfClient(this);
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
