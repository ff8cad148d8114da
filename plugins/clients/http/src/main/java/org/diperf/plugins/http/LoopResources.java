package org.diperf.plugins.http;

import org.diperf.plugins.lib.netty.LoopBuffers;

/** What the connections of one event loop share, so that each costs little. Confined to that loop. */
final class LoopResources {

    private final HeaderCache knownHead = new HeaderCache();
    private final LoopBuffers memory = new LoopBuffers();

    /** Returns the head of the last response on this loop. */
    HeaderCache knownHead() {
        return knownHead;
    }

    /** Returns what its sockets read into and write from. */
    LoopBuffers memory() {
        return memory;
    }
}
