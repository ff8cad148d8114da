package org.diperf.plugins.stamp;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.diperf.core.spi.Metric;

/** What is measured of a train. */
final class StampMetrics {

    static final Metric LOST = new Metric("lost", "datagrams", "datagrams that were not answered");
    static final Metric LOST_THERE = new Metric(
            "lost.there",
            "datagrams",
            "datagrams that did not reach the reflector, or were sent after the last answered one");
    static final Metric LOST_BACK = new Metric("lost.back", "datagrams", "datagrams whose reply was lost");
    static final Metric DUPLICATES = new Metric(
            "duplicates", "datagrams", "datagrams that were answered, or whose reply arrived, more than once");
    static final Metric REORDERED_THERE = new Metric(
            "reordered.there", "datagrams", "datagrams that reached the reflector after one that was sent later");
    static final Metric REORDERED_BACK = new Metric(
            "reordered.back", "datagrams", "datagrams whose reply arrived after a reply that was sent " + "later");
    static final Metric BOUND = new Metric("bound", "ms", "maximum clock error in any one-way delay of the train");
    static final Metric MTU =
            new Metric("mtu", "bytes", "size of the largest IP packet that reached the reflector unfragmented");

    static final Spread ROUND_TRIP = new Spread("round-trip", "in transit, in both directions");
    static final Spread THERE = new Spread("there", "in transit to the reflector; see bound");
    static final Spread BACK = new Spread("back", "in transit from the reflector; see bound");

    private StampMetrics() {}

    static List<Metric> all() {
        return List.of(
                ROUND_TRIP.median,
                ROUND_TRIP.least,
                ROUND_TRIP.most,
                THERE.median,
                THERE.least,
                THERE.most,
                BACK.median,
                BACK.least,
                BACK.most,
                BOUND,
                LOST,
                LOST_THERE,
                LOST_BACK,
                DUPLICATES,
                REORDERED_THERE,
                REORDERED_BACK,
                MTU);
    }

    /** Least, median and most of the delays of a train. */
    static final class Spread {

        private static final double NANOS_PER_MILLI = 1e6;

        private final Metric least;
        private final Metric median;
        private final Metric most;

        private Spread(String name, String what) {
            least = new Metric(name + ".min", "ms", "shortest time " + what);
            median = new Metric(name, "ms", "median time " + what);
            most = new Metric(name + ".max", "ms", "longest time " + what);
        }

        /** Adds the metrics of delays, of which there is at least one; they are sorted here. */
        void add(long[] nanos, Map<Metric, Double> into) {
            Arrays.sort(nanos);
            into.put(least, nanos[0] / NANOS_PER_MILLI);
            double middle = (nanos[(nanos.length - 1) / 2] + nanos[nanos.length / 2]) / 2.0;
            into.put(median, middle / NANOS_PER_MILLI);
            into.put(most, nanos[nanos.length - 1] / NANOS_PER_MILLI);
        }
    }
}
