package org.diperf.core.clock;

import java.util.ArrayList;
import java.util.List;

/**
 * The exchanges with one clock, in bounded memory: when there are too many, half of each neighbourhood goes, the ones
 * that bound the offset best from above and from below stay. Leaving out a bound never makes a corridor wrong, only
 * wider. Confined to one thread.
 */
public final class ClockBounds {

    private static final int CAPACITY = 1 << 14;
    private static final int NEIGHBOURS = 4;

    private final List<Exchange> exchanges = new ArrayList<>();
    private long added;

    /** Adds an exchange; one that bounds nothing is passed over. */
    public void add(Exchange exchange) {
        if (!exchange.hasLower() && !exchange.hasUpper()) {
            return;
        }
        added++;
        exchanges.add(exchange);
        if (exchanges.size() >= CAPACITY) {
            thin();
        }
    }

    /** Adds all exchanges of another set with the same clock. */
    public void addAll(ClockBounds other) {
        other.exchanges.forEach(this::add);
    }

    /** Counts the exchanges added, also those that were left out later. */
    public long added() {
        return added;
    }

    List<Exchange> exchanges() {
        return exchanges;
    }

    private void thin() {
        List<Exchange> kept = new ArrayList<>(CAPACITY);
        for (int from = 0; from < exchanges.size(); from += NEIGHBOURS) {
            List<Exchange> group = exchanges.subList(from, Math.min(from + NEIGHBOURS, exchanges.size()));
            Exchange upper = group.get(0);
            Exchange lower = group.get(0);
            for (Exchange exchange : group) {
                if (exchange.hasUpper() && (!upper.hasUpper() || exchange.upperNanos() < upper.upperNanos())) {
                    upper = exchange;
                }
                if (exchange.hasLower() && (!lower.hasLower() || exchange.lowerNanos() > lower.lowerNanos())) {
                    lower = exchange;
                }
            }
            kept.add(upper);
            if (!lower.equals(upper)) {
                kept.add(lower);
            }
        }
        exchanges.clear();
        exchanges.addAll(kept);
    }
}
