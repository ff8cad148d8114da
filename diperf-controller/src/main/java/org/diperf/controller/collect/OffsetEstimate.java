package org.diperf.controller.collect;

import java.util.ArrayDeque;
import java.util.Optional;
import org.diperf.core.clock.Exchange;

/**
 * Estimates the offset of one tester's clock now from its latest exchanges: the middle of the one that says most, which
 * is the one with the least round trip (Cristian, <i>Probabilistic clock synchronization</i>, 1989) plus what the clocks
 * may have drifted since, kept within the bounds that all of them give together. Confined to the collector's event loop.
 */
final class OffsetEstimate {

    private static final int KEPT = 64;
    /** Two crystals drift apart by no more: 100 ppm each. */
    private static final int AGE_PER_DRIFT = 5_000;

    /** Small for as long as little came: there may be very many testers. */
    private ArrayDeque<Exchange> latest = new ArrayDeque<>(0);

    /**
     * What is known.
     *
     * @param thetaNanos controller's clock minus tester's clock
     * @param errorNanos it is off by no more, unless a clock was set or drifts by more than 200 ppm
     */
    record Offset(long thetaNanos, long errorNanos) {}

    /** Returns what two clocks may have drifted apart in so long a time. */
    static long driftNanos(long ageNanos) {
        return Math.max(0, ageNanos) / AGE_PER_DRIFT;
    }

    void add(Exchange exchange) {
        if (latest.size() == KEPT) {
            latest.removeFirst();
        }
        latest.addLast(exchange);
    }

    /** Forgets all exchanges, and the room that they took. */
    void clear() {
        latest = new ArrayDeque<>(0);
    }

    /** Returns the estimate; empty before the first exchange. */
    Optional<Offset> offset() {
        if (latest.isEmpty()) {
            return Optional.empty();
        }
        long nowNanos = latest.getLast().serverReceived();
        // Offsets may be near the limits of a long: all are compared as differences from one of them.
        long origin = latest.getLast().lowerNanos();
        long lower = Long.MIN_VALUE;
        long upper = Long.MAX_VALUE;
        long middle = 0;
        long leastError = Long.MAX_VALUE;
        for (Exchange exchange : latest) {
            long driftNanos = driftNanos(nowNanos - exchange.serverReceived());
            lower = Math.max(lower, exchange.lowerNanos() - origin - driftNanos);
            upper = Math.min(upper, exchange.upperNanos() - origin + driftNanos);
            long error = (exchange.roundTripNanos() + 1) / 2 + driftNanos;
            if (error <= leastError) {
                leastError = error;
                middle = exchange.lowerNanos() - origin + exchange.roundTripNanos() / 2;
            }
        }
        if (lower > upper) {
            // A clock was set within the window; the best exchange alone still holds.
            return Optional.of(new Offset(origin + middle, leastError));
        }
        long within = Math.max(lower, Math.min(upper, middle));
        return Optional.of(new Offset(origin + within, Math.max(within - lower, upper - within)));
    }
}
