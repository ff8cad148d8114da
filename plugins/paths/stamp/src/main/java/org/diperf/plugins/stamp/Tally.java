package org.diperf.plugins.stamp;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.diperf.core.clock.Exchange;
import org.diperf.core.spi.Metric;

/**
 * Counts the answers to the datagrams of one train. Which of the two ways lost a datagram is told by the reflector's own
 * numbers, if it counts. Confined to its event loop.
 */
final class Tally {

    private final boolean counts;
    private final BitSet answered = new BitSet();
    private final BitSet reflections = new BitSet();
    private final List<Exchange> exchanges = new ArrayList<>();
    private int highestAnswered = -1;
    private int highestReflected = -1;
    private int atHighestReflected = -1;
    private int duplicates;
    private int reorderedThere;
    private int reorderedBack;

    /** @param counts whether the reflector numbers its answers by itself, as RFC 8762 calls stateful */
    Tally(boolean counts) {
        this.counts = counts;
    }

    /**
     * Takes an answer.
     *
     * @param number of the datagram that is answered, from 0
     * @param reflected number of the answer, from 0
     */
    void take(int number, int reflected, Exchange exchange) {
        if (answered.get(number)) {
            duplicates++;
        } else {
            answered.set(number);
            exchanges.add(exchange);
        }
        if (counts) {
            reflections.set(reflected);
        }
        if (!counts) {
            reorderedBack += number < highestAnswered ? 1 : 0;
        } else if (reflected > highestReflected) {
            // Answers in order whose questions are not: those came in another order.
            reorderedThere += number < atHighestReflected ? 1 : 0;
            highestReflected = reflected;
            atHighestReflected = Math.max(atHighestReflected, number);
        } else if (reflected < highestReflected) {
            reorderedBack++;
        }
        highestAnswered = Math.max(highestAnswered, number);
    }

    /** Counts the datagrams that were answered. */
    int answered() {
        return answered.cardinality();
    }

    /**
     * Says what became of a train, and how long its datagrams took.
     *
     * @param clocks which have learned from its exchanges
     */
    Map<Metric, Double> metrics(int sent, ReflectorClock clocks) {
        Map<Metric, Double> metrics = new LinkedHashMap<>();
        int lost = sent - answered();
        metrics.put(StampMetrics.LOST, (double) lost);
        metrics.put(StampMetrics.DUPLICATES, (double) duplicates);
        metrics.put(StampMetrics.REORDERED_BACK, (double) reorderedBack);
        if (counts) {
            int back = Math.min(lost, highestReflected + 1 - reflections.cardinality());
            metrics.put(StampMetrics.LOST_BACK, (double) back);
            metrics.put(StampMetrics.LOST_THERE, (double) lost - back);
            metrics.put(StampMetrics.REORDERED_THERE, (double) reorderedThere);
        }
        if (!exchanges.isEmpty()) {
            delays(clocks, metrics);
        }
        return metrics;
    }

    private void delays(ReflectorClock clocks, Map<Metric, Double> metrics) {
        long[] roundTrips = exchanges.stream()
                .mapToLong(each -> Math.max(0, each.roundTripNanos()))
                .toArray();
        StampMetrics.ROUND_TRIP.add(roundTrips, metrics);
        ReflectorClock.Ways[] ways = clocks.ways(exchanges.toArray(Exchange[]::new));
        if (ways == null) {
            return;
        }
        long[] there = new long[ways.length];
        long[] back = new long[ways.length];
        long bound = 0;
        for (int i = 0; i < ways.length; i++) {
            there[i] = ways[i].there().delayNanos();
            back[i] = ways[i].back().delayNanos();
            bound = Math.max(
                    bound, Math.max(ways[i].there().boundNanos(), ways[i].back().boundNanos()));
        }
        if (bound < Long.MAX_VALUE) {
            StampMetrics.THERE.add(there, metrics);
            StampMetrics.BACK.add(back, metrics);
            metrics.put(StampMetrics.BOUND, bound / 1e6);
        }
    }
}
