package org.diperf.plugins.emulated.engine;

/** What has come to a link in one direction; packets as they are on the wire. Not thread-safe. */
final class PipeCounts {

    /** All that came. */
    long packets;

    /** Of those that were sent. */
    long bytes;

    long lost;
    long overflowed;

    /** For which it has had packets to send: that long, in nanoseconds, it takes to send {@link #bytes}. */
    double busyNanos;

    /** Most packets in the queue at a time since the last report, with the one that is being sent. */
    int mostQueuedLately;
}
