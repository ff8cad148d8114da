package org.diperf.plugins.tcp;

import io.netty.channel.EventLoop;
import java.io.IOException;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.SessionContext;
import org.diperf.core.spi.Text;
import org.diperf.plugins.lib.netty.Dialer;
import org.diperf.plugins.lib.netty.LoopSession;
import org.diperf.plugins.lib.netty.SessionLoops;

/** What the TCP clients of a tester share. Thread-safe. */
final class TcpSession extends LoopSession {

    private final Text message;
    private final boolean line;

    TcpSession(SessionContext context) throws IOException {
        super(new SessionLoops(context.timeout(), NanoClock.SYSTEM, null), context.targets(), TcpPlugin::address);
        message = context.with().text("send");
        line = context.with().string("answer").equals("line");
    }

    @Override
    public Client newClient() {
        return new TcpClient(this);
    }

    /** Returns what connects a client to a target. */
    Dialer dialer(EventLoop loop, int target, int client) {
        return loops().dialer(loop, addresses(target), client);
    }

    Text message() {
        return message;
    }

    /** Returns whether an answer ends with its line; else it is an echo. */
    boolean wantsLine() {
        return line;
    }
}
