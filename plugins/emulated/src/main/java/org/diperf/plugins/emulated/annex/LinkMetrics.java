package org.diperf.plugins.emulated.annex;

/** Metrics of the network's monitor. */
public final class LinkMetrics {

    /** Name and kind of the monitor. */
    public static final String MONITOR = "network";

    /** Of a physical link in one direction: share of its time in which it sends, percent; absent where its rate is not limited. */
    public static final String USE = "use";

    /** Of the same: what it sends, bit/s. */
    public static final String RATE = "rate";

    /** Of the same: packets that it loses as declared or because it is cut, packets/s. */
    public static final String LOST = "lost";

    /** Of the same: packets that found no room in its queue, packets/s. */
    public static final String OVERFLOWED = "overflowed";

    /** Of the same: packets in its queue when it was looked at. */
    public static final String QUEUE = "queue";

    /** Of the same: most packets in its queue at a time since it was looked at before. */
    public static final String LONGEST_QUEUE = "queue.most";

    /** Of the whole network: share of a slice of time in which any packet was overdue, percent, at the end of the slice. */
    public static final String LATE = "late";

    /** Of the whole network: by how much the latest packet was late of those given to hosts in such a slice, ms; at its end. */
    public static final String LATEST = "late.most";

    private LinkMetrics() {}

    /**
     * Names a metric. One that was 0 from the begin need not be reported until it is something else.
     *
     * @param part physical link and direction
     * @param what such as {@link #USE}
     */
    public static String of(String part, String what) {
        return part + "." + what;
    }
}
