package org.diperf.plugins.http;

import org.diperf.plugins.lib.netty.LoopMemory;

/** What the connections of one event loop share, so that each costs little. Confined to that loop. */
final class LoopResources {

    private final KnownHead knownHead = new KnownHead();
    private final LoopMemory memory = new LoopMemory();

    /** Returns the head of the last response on this loop. */
    KnownHead knownHead() {
        return knownHead;
    }

    /** Returns what its sockets read into and write from. */
    LoopMemory memory() {
        return memory;
    }
}
