package org.diperf.plugins.emulated.engine;

/**
 * How much earlier than it is due a packet's thread asks to be woken, because a processor that sleeps takes its time: as long
 * as that took lately. Not thread-safe.
 */
final class WakeupLeadTime {

    /** What lasts longer has other causes, and would be waited for busily. */
    private static final long MAX_NANOS = 60_000;

    /** Of the last wake-ups, each counts so much. */
    private static final int WEIGHT = 16;

    private long nanos;

    long nanos() {
        return nanos;
    }

    /** Learns from a wake-up: when it was asked for, and when it came. */
    void woke(long askedNanos, long atNanos) {
        long took = Math.max(0, Math.min(MAX_NANOS, atNanos - askedNanos));
        nanos += (took - nanos) / WEIGHT;
    }
}
