package org.diperf.plugins.gram;

import io.netty.channel.Channel;
import org.diperf.core.clock.NanoClock;
import org.diperf.plugins.lib.gsi.GsiCredentials;

/** On whose behalf requests are made. Thread-safe. */
interface CallerIdentity {

    GsiCredentials credentials();

    NanoClock clock();

    /** Returns how long a step of a request may take. */
    long stepNanos();

    /** Returns whether gatekeepers get a limited proxy, by which nobody can start further jobs. */
    boolean delegatesLimited();

    /** Takes note of a connection that was made at an instant and took so long; on its event loop. */
    default void connected(Channel channel, long atNanos, long tookNanos) {}
}
