package org.diperf.plugins.gram;

import io.netty.channel.EventLoop;
import java.net.InetAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.diperf.core.spi.Recorder;

/** What the clients of one loop share. Confined to that loop, but for {@link #close}. */
final class LoopResources {

    private final GramSession session;
    private final EventLoop loop;
    private final Recorder recorder;
    private final Map<InetAddress, Listener> listeners = new ConcurrentHashMap<>(2);

    LoopResources(GramSession session, Recorder recorder, EventLoop loop) {
        this.session = session;
        this.loop = loop;
        this.recorder = recorder;
    }

    /** Returns where job managers of these gatekeepers find the jobs of this loop. */
    Listener listener(Gatekeeper gatekeeper) {
        return listeners.computeIfAbsent(
                gatekeeper.local(),
                local -> new Listener(
                        session.credentials(),
                        session.settings().callbacks(),
                        loop,
                        local,
                        new LateJobStates(session, recorder)));
    }

    void close() {
        listeners.values().forEach(Listener::close);
    }
}
