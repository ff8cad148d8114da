package org.diperf.plugins.emulated.engine;

/** What has come to a link in one direction; packets as they are on the wire. Not thread-safe. */
final class PipeCounts {

    /** All that came. */
    long packets;

    /** Of those that were sent. */
    long bytes;

    long lost;
    long overflowed;

    /** Of those that came, or were on their way, while the link was cut or when it was. */
    long cut;

    /** For which it has had packets to send: that long, in nanoseconds, it takes to send {@link #bytes}. */
    double busyNanos;

    /** Most packets in the queue at a time since the last report, with the one that is being sent. */
    int mostQueuedLately;
}
