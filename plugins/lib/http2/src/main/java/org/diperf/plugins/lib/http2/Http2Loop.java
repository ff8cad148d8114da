package org.diperf.plugins.lib.http2;

import java.util.IdentityHashMap;
import java.util.Map;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.Recorder;
import org.diperf.plugins.lib.netty.LoopBuffers;
import org.diperf.plugins.lib.netty.OwnedLoop;
import org.diperf.plugins.lib.netty.RttSampler;

/** What the connections of one event loop have in common, and who shares which of them. Confined to that loop, but for its making. */
public final class Http2Loop {

    private final OwnedLoop loop;
    private final NanoClock clock;
    private final RttSampler sampler;
    private final LoopBuffers memory = new LoopBuffers();
    /** By peer: the last link, which may have a seat left. */
    private final Map<Http2Peer, Http2Link> links = new IdentityHashMap<>();
    /** Of the next connection that clients share: it chooses the address, as the number of a client does that shares none. */
    private int nextNumber;

    /**
     * @param loop of one of its clients; that of any other would do
     * @param recorder takes the round trips of handshakes
     * @param firstNumber of the connections that clients share
     */
    public Http2Loop(OwnedLoop loop, Recorder recorder, NanoClock clock, int firstNumber) {
        this.nextNumber = firstNumber;
        this.loop = loop;
        this.clock = clock;
        this.sampler = new RttSampler(recorder);
    }

    /**
     * Gives a client its seat at a connection to a peer, until it {@link Http2Link#leave leaves}.
     *
     * @param client its number
     */
    public Http2Link join(Http2Peer peer, int client) {
        Http2Link link = links.get(peer);
        if (link == null || !link.takeSeat()) {
            link = new Http2Link(this, peer, peer.seats() > 1 ? nextNumber++ : client);
            links.put(peer, link);
            link.takeSeat();
        }
        return link;
    }

    /** Forgets a link that nobody uses. */
    void left(Http2Peer peer, Http2Link link) {
        links.remove(peer, link);
    }

    OwnedLoop loop() {
        return loop;
    }

    NanoClock clock() {
        return clock;
    }

    RttSampler sampler() {
        return sampler;
    }

    LoopBuffers memory() {
        return memory;
    }
}
