package org.diperf.plugins.mds;

/** A way to one target: opened when a query needs it, opened again when it was lost. Confined to its event loop. */
interface Connection {

    /** Begins a query, and ends it once. */
    void ask(Query query);

    /** Gives up a query, which ends it; nothing happens where it has ended. */
    void cancel(Query query);

    /** Takes leave of one client that asked. */
    void close();
}
