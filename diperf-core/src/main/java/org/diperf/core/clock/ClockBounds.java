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

    private final List<Observed> exchanges = new ArrayList<>();
    private final List<ClockEvent> events = new ArrayList<>();
    private long added;

    /**
     * An exchange with what is known of it.
     *
     * @param wallMillis the client's wall clock when it sent, 0: unknown
     */
    record Observed(Exchange exchange, Source source, long wallMillis) {}

    /** Adds an exchange by frames; one that bounds nothing is passed over. */
    public void add(Exchange exchange) {
        add(exchange, Source.FRAME, 0);
    }

    /**
     * Adds an exchange; one that bounds nothing is passed over.
     *
     * @param clientWallMillis the client's wall clock when it sent, 0: unknown. It only helps to give a jump its name: a wall
     *     clock that is wrong, or stepped, changes no time.
     */
    public void add(Exchange exchange, Source source, long clientWallMillis) {
        if (!exchange.hasLower() && !exchange.hasUpper()) {
            return;
        }
        added++;
        exchanges.add(new Observed(exchange, source, clientWallMillis));
        if (exchanges.size() >= CAPACITY) {
            thin();
        }
    }

    /** Adds all exchanges of another set with the same clock. */
    public void addAll(ClockBounds other) {
        other.exchanges.forEach(one -> add(one.exchange(), one.source(), one.wallMillis()));
        events.addAll(other.events);
    }

    /** Takes in what is known to have happened. */
    void note(ClockEvent event) {
        events.add(event);
    }

    /** Counts the exchanges added, also those that were left out later. */
    public long added() {
        return added;
    }

    List<Observed> exchanges() {
        return exchanges;
    }

    List<ClockEvent> events() {
        return events;
    }

    private void thin() {
        List<Observed> kept = new ArrayList<>(CAPACITY);
        for (int from = 0; from < exchanges.size(); from += NEIGHBOURS) {
            List<Observed> group = exchanges.subList(from, Math.min(from + NEIGHBOURS, exchanges.size()));
            Observed upper = group.get(0);
            Observed lower = group.get(0);
            for (Observed one : group) {
                Exchange exchange = one.exchange();
                if (exchange.hasUpper()
                        && (!upper.exchange().hasUpper()
                                || exchange.upperNanos() < upper.exchange().upperNanos())) {
                    upper = one;
                }
                if (exchange.hasLower()
                        && (!lower.exchange().hasLower()
                                || exchange.lowerNanos() > lower.exchange().lowerNanos())) {
                    lower = one;
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
