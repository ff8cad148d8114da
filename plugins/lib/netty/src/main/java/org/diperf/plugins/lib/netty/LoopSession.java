package org.diperf.plugins.lib.netty;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.Url;

/** What the clients of a tester share whose sockets are on event loops. Thread-safe. */
public abstract class LoopSession implements Session {

    private final SessionLoops loops;
    private final List<Addresses> addresses = new ArrayList<>();

    /** Makes one that has the addresses of its targets elsewhere. */
    protected LoopSession(SessionLoops loops) {
        this.loops = loops;
    }

    /**
     * Makes one that looks up its targets.
     *
     * @param server reads a target
     * @throws IOException when a name is not known
     */
    protected LoopSession(SessionLoops loops, List<Url> targets, Function<Url, TargetAddress> server)
            throws IOException {
        this.loops = loops;
        for (Url target : targets) {
            addresses.add(server.apply(target).resolve());
        }
    }

    @Override
    public Class<? extends Client> kind() {
        return AsyncClient.class;
    }

    /** Closes the loops; called last by sessions that have more to close. */
    @Override
    public void close() {
        loops.close();
    }

    /** Returns the loops of the clients' sockets. */
    public final SessionLoops loops() {
        return loops;
    }

    /** Returns the number of targets. */
    public final int targets() {
        return addresses.size();
    }

    /** Returns the addresses of a target, from 0. */
    public final Addresses addresses(int target) {
        return addresses.get(target);
    }
}
