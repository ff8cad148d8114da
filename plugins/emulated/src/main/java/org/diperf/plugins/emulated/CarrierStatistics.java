package org.diperf.plugins.emulated;

import java.util.List;
import java.util.OptionalLong;
import org.diperf.plugins.emulated.engine.EngineReport;
import org.diperf.plugins.emulated.engine.LatenessWindow;

/** What the carrier of the packets has done, as far as is known. Thread-safe. */
interface CarrierStatistics {

    /** Returns what had been done at the last instant of which it is known; that instant is 0 where nothing is. */
    EngineReport last();

    /** Waits, but not for long, until {@link #last} is of an instant that is not before another one. */
    void awaitReport(long atNanos) throws InterruptedException;

    /** Returns by physical link the most packets that were seen in its queue, and begins to look for that anew. */
    long[] takeMostQueued();

    /** Returns how late packets were, in the order of time, and forgets it. Nothing where there are {@link #probes}. */
    List<LatenessWindow> takeLate();

    /** Returns on how many packets of a link of their own the lateness was seen; empty: on all packets. */
    OptionalLong probes();

    /**
     * Says it for people.
     *
     * @param names of the physical links, by their numbers
     */
    List<String> words(List<String> names);
}
