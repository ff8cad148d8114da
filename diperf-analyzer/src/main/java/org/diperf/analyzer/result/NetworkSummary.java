package org.diperf.analyzer.result;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The network that the testbed made: what it carried, and how well. Times in ms. What it did itself is {@code null} where it
 * could not be asked at the end, as after a kill of the controller.
 *
 * @param packets that it gave to hosts
 * @param lateness of packets, after the instants at which they should have come
 * @param turns in which the engine did what was due
 * @param shortestRoundTrip least that is declared between a tester and the service; {@code null}: none
 * @param droppedBefore packets that hosts dropped because the engine did not take them in time
 * @param refused packets that hosts did not take
 * @param strays packets for nobody in the network
 */
public record NetworkSummary(
        @Nullable Long packets,
        @Nullable Times lateness,
        @Nullable Times turns,
        @Nullable Double shortestRoundTrip,
        @Nullable Long droppedBefore,
        @Nullable Long refused,
        @Nullable Long strays,
        List<LinkUse> links) {

    /** Times, ms. */
    public record Times(double p50, double p99, double max) {}

    /** A link, or {@code count} that are alike. */
    public record LinkUse(String name, int count, String from, String to, WayUse there, WayUse back) {}

    /**
     * One direction of a link.
     *
     * @param rate that is declared, bit/s; {@code null}: not limited
     * @param latency that is declared
     * @param packets that came, over the whole run as the numbers below
     * @param lost as declared
     * @param overflowed that found no room in the queue
     * @param use share of the rate, percent, over {@code measured}; {@code null}: not limited, or not sampled
     * @param sent bit/s over {@code measured}; {@code null}: not sampled
     * @param longestQueue most packets in a queue at a time, in {@code measured}
     */
    public record WayUse(
            @Nullable Double rate,
            double latency,
            long packets,
            long bytes,
            long lost,
            long overflowed,
            @Nullable Part use,
            @Nullable Part sent,
            @Nullable Long longestQueue) {}

    /** Mean by time, and largest of a sample. */
    public record Part(double mean, double max) {}
}
