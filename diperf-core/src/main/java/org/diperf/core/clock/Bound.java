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
 * @param order in which things happened: on the client's clock, on the server's where the client's was set back
 * @param exchange number of the exchange that it is of
 */
record Bound(double at, double order, double offset, boolean upper, int exchange) {

    /**
     * An exchange that bounds the offset from both sides.
     *
     * @param at middle, on the client's clock
     * @param order as of bounds
     * @param roundTrip without the time for which an end held it; the width that it leaves open
     * @param wallMinusClient jump-free part of the wall clock, ms; {@code NaN}: unknown
     */
    record Middle(
            double at, double order, double upper, double lower, Source source, double wallMinusClient, int exchange) {

        double offset() {
            return (upper + lower) / 2;
        }

        double roundTrip() {
            return upper - lower;
        }
    }

    /** All bounds of a clock, in their order. */
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
            boolean byServer = wasSetBack(exchanges);
            List<Bound> bounds = new ArrayList<>(2 * exchanges.size());
            List<Middle> middles = new ArrayList<>(exchanges.size());
            for (int i = 0; i < exchanges.size(); i++) {
                Observed one = exchanges.get(i);
                Exchange exchange = one.exchange();
                double sent = exchange.clientSent() - clientBase;
                double received = exchange.clientReceived() - clientBase;
                double upper = exchange.upperNanos() - offsetBase;
                double lower = exchange.lowerNanos() - offsetBase;
                double upperOrder = byServer ? exchange.serverReceived() - serverBase : sent;
                double lowerOrder = byServer ? exchange.serverSent() - serverBase : received;
                if (exchange.hasUpper()) {
                    bounds.add(new Bound(sent, upperOrder, upper, true, i));
                }
                if (exchange.hasLower()) {
                    bounds.add(new Bound(received, lowerOrder, lower, false, i));
                }
                if (exchange.hasUpper() && exchange.hasLower()) {
                    double wall = one.wallMillis() == 0 ? Double.NaN : one.wallMillis() - sent / 1e6;
                    middles.add(new Middle(
                            (sent + received) / 2, (upperOrder + lowerOrder) / 2, upper, lower, one.source(), wall, i));
                }
            }
            bounds.sort(Comparator.comparingDouble(Bound::order).thenComparingDouble(Bound::at));
            middles.sort(Comparator.comparingDouble(Middle::order));
            return new All(clientBase, offsetBase, bounds, middles);
        }

        /** Returns whether the client's clock went back by more than an exchange takes, while the server's went on. */
        private static boolean wasSetBack(List<Observed> exchanges) {
            List<Exchange> inOrder = exchanges.stream()
                    .map(Observed::exchange)
                    .filter(exchange -> exchange.hasUpper() && exchange.hasLower())
                    .sorted(Comparator.comparingLong(Exchange::serverReceived))
                    .toList();
            long latest = Long.MIN_VALUE;
            for (Exchange exchange : inOrder) {
                long margin = Math.abs(exchange.roundTripNanos()) + 1_000_000;
                if (latest != Long.MIN_VALUE && exchange.clientSent() - latest < -margin) {
                    return true;
                }
                latest =
                        latest == Long.MIN_VALUE || exchange.clientSent() - latest > 0 ? exchange.clientSent() : latest;
            }
            return false;
        }
    }
}
