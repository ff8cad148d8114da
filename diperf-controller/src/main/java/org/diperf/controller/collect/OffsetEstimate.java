package org.diperf.controller.collect;

import java.util.ArrayDeque;
import java.util.Optional;
import org.diperf.core.clock.Exchange;

/**
 * Estimates the offset of one tester's clock from its latest exchanges: the middle of the one with the least round trip
 * (Cristian, <i>Probabilistic clock synchronization</i>, 1989), kept within the bounds that all of them give together.
 * Confined to the collector's event loop.
 */
final class OffsetEstimate {

    private static final int KEPT = 64;

    private final ArrayDeque<Exchange> latest = new ArrayDeque<>(KEPT);

    /**
     * What is known.
     *
     * @param thetaNanos controller's clock minus tester's clock
     * @param errorNanos it is off by no more, but for the drift over the last exchanges
     */
    record Offset(long thetaNanos, long errorNanos) {}

    void add(Exchange exchange) {
        if (latest.size() == KEPT) {
            latest.removeFirst();
        }
        latest.addLast(exchange);
    }

    /** Gives the estimate; empty before the first exchange. */
    Optional<Offset> offset() {
        if (latest.isEmpty()) {
            return Optional.empty();
        }
        Exchange best = latest.getLast();
        // Offsets may be near the limits of a long: all are compared as differences from one of them.
        long origin = best.lowerNanos();
        long lower = 0;
        long upper = best.upperNanos() - origin;
        for (Exchange exchange : latest) {
            lower = Math.max(lower, exchange.lowerNanos() - origin);
            upper = Math.min(upper, exchange.upperNanos() - origin);
            if (exchange.roundTripNanos() < best.roundTripNanos()) {
                best = exchange;
            }
        }
        long middle = best.lowerNanos() - origin + best.roundTripNanos() / 2;
        if (lower > upper) {
            // The clocks drifted apart within the window; the best exchange alone still holds.
            return Optional.of(new Offset(origin + middle, (best.roundTripNanos() + 1) / 2));
        }
        long within = Math.max(lower, Math.min(upper, middle));
        return Optional.of(new Offset(origin + within, Math.max(within - lower, upper - within)));
    }
}
