package org.diperf.plugins.time;

import java.io.IOException;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.SessionContext;
import org.diperf.plugins.lib.netty.LoopSession;
import org.diperf.plugins.lib.netty.SessionLoops;

/** What the time clients of a tester share. Thread-safe. */
final class TimeSession extends LoopSession {

    TimeSession(SessionContext context) throws IOException {
        super(new SessionLoops(), context.targets(), TimePlugin::address);
    }

    @Override
    public Client newClient() {
        return new TimeClient(this);
    }
}
