package org.diperf.core.clock;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.diperf.core.clock.ClockBounds.Observed;

/**
 * A bound on the offset at one instant of the client's clock. Instants and offsets are nanoseconds after the corridor's
 * bases.
 *
 * @param at on the client's clock
 * @param server stamp of the server, for the order in which things happened
 */
record Bound(double at, double server, double offset, boolean upper) {

    /**
     * An exchange that bounds the offset from both sides.
     *
     * @param at middle, on the client's clock
     * @param server stamp of the server
     * @param roundTrip without the time for which an end held it; the width that it leaves open
     * @param wallMinusClient jump-free part of the wall clock, ms; {@code NaN}: unknown
     */
    record Middle(double at, double server, double upper, double lower, Source source, double wallMinusClient) {

        double offset() {
            return (upper + lower) / 2;
        }

        double roundTrip() {
            return upper - lower;
        }
    }

    /** All bounds of a clock, in the order of the server's clock. */
    record All(long clientBase, long offsetBase, List<Bound> bounds, List<Middle> middles) {

        static All of(List<Observed> exchanges) {
            Exchange first = exchanges.stream()
                    .map(Observed::exchange)
                    .filter(Exchange::hasUpper)
                    .findFirst()
                    .orElseThrow();
            long clientBase = first.clientSent();
            long offsetBase = first.upperNanos();
            long serverBase = first.serverReceived();
            List<Bound> bounds = new ArrayList<>(2 * exchanges.size());
            List<Middle> middles = new ArrayList<>(exchanges.size());
            for (Observed one : exchanges) {
                Exchange exchange = one.exchange();
                double sent = exchange.clientSent() - clientBase;
                double received = exchange.clientReceived() - clientBase;
                double upper = exchange.upperNanos() - offsetBase;
                double lower = exchange.lowerNanos() - offsetBase;
                double serverReceived = exchange.serverReceived() - serverBase;
                double serverSent = exchange.serverSent() - serverBase;
                if (exchange.hasUpper()) {
                    bounds.add(new Bound(sent, serverReceived, upper, true));
                }
                if (exchange.hasLower()) {
                    bounds.add(new Bound(received, serverSent, lower, false));
                }
                if (exchange.hasUpper() && exchange.hasLower()) {
                    double wall = one.wallMillis() == 0 ? Double.NaN : one.wallMillis() - sent / 1e6;
                    middles.add(new Middle(
                            (sent + received) / 2,
                            (serverReceived + serverSent) / 2,
                            upper,
                            lower,
                            one.source(),
                            wall));
                }
            }
            bounds.sort(Comparator.comparingDouble(Bound::server).thenComparingDouble(Bound::at));
            middles.sort(Comparator.comparingDouble(Middle::server));
            return new All(clientBase, offsetBase, bounds, middles);
        }
    }
}
