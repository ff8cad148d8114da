package org.diperf.plugins.gram;

import io.netty.channel.EventLoop;
import org.diperf.core.clock.NanoClock;
import org.diperf.plugins.lib.gsi.GsiCredentials;
import org.diperf.plugins.lib.netty.RttSampler;
import org.jspecify.annotations.Nullable;

/** On whose behalf requests are made. Thread-safe. */
interface CallerIdentity {

    GsiCredentials credentials();

    NanoClock clock();

    /** Returns how long a step of a request may take. */
    long stepNanos();

    /** Returns whether gatekeepers get a limited proxy, by which nobody can start further jobs. */
    boolean delegatesLimited();

    /** Returns what takes the round trips of handshakes on a loop; {@code null}: nobody does. */
    default @Nullable RttSampler sampler(EventLoop loop) {
        return null;
    }
}
