package org.diperf.analyzer.result;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The network that the testbed made: what it carried, and how well. Times in ms. What it did itself is {@code null} where it
 * could not be asked at the end, as after a kill of the controller.
 *
 * @param engine what carried the packets
 * @param packets that it gave to hosts
 * @param lateness of packets, or of probes, after the instants at which they should have come
 * @param probes packets of a link beside those that are declared, whose lateness that is; {@code null}: it is that of all packets
 * @param turns in which the engine did what was due; {@code null}: also where it has none
 * @param shortestRoundTrip least that is declared between a tester and the service; {@code null}: none
 * @param droppedBefore packets that hosts dropped because the engine did not take them in time; {@code null}: also where that could not be read
 * @param refused packets that hosts did not take, or for which there was no memory
 * @param strays packets for nobody in the network
 * @param reroutings what followed changes of links where routers find the ways; empty: they do not
 */
public record NetworkSummary(
        @Nullable String engine,
        @Nullable Long packets,
        @Nullable Times lateness,
        @Nullable Long probes,
        @Nullable Times turns,
        @Nullable Double shortestRoundTrip,
        @Nullable Long droppedBefore,
        @Nullable Long refused,
        @Nullable Long strays,
        List<LinkUse> links,
        List<Rerouting> reroutings) {

    public NetworkSummary {
        links = List.copyOf(links);
        // Summaries of before know none.
        reroutings = reroutings == null ? List.of() : List.copyOf(reroutings);
    }

    /**
     * What followed a change of links until the next one. Times but {@code at} are after the change.
     *
     * @param cause the change
     * @param at after the start of the load
     * @param outage longest time of a tester without a call that ended well; {@code null}: none had calls before
     * @param outageBefore the same in the 10 s before the first change; {@code null}: of others, or not known
     * @param broke whether testers and service could not reach one another by the ways that routers knew
     * @param restored when the ways last became whole again; {@code null}: they did not, or always were
     * @param settled when a router last changed a way to a host; {@code null}: none did
     */
    public record Rerouting(
            String cause,
            double at,
            @Nullable Double outage,
            @Nullable Double outageBefore,
            boolean broke,
            @Nullable Double restored,
            @Nullable Double settled) {}

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
