package org.diperf.controller.collect;

import java.util.Optional;
import java.util.function.Consumer;
import org.diperf.core.clock.Exchange;
import org.diperf.core.clock.Source;
import org.diperf.core.wire.TimeExchange;
import org.jspecify.annotations.Nullable;

/**
 * Compares one tester's clock with the controller's: writes the exchanges by which the analyzer reconciles the two, and
 * estimates the offset from which the tester's start is computed. Confined to the collector's event loop.
 */
final class ClockComparison {

    private static final long SECOND_NANOS = 1_000_000_000;

    private final long epoch;
    private final ClockRows rows;
    private final OffsetEstimate offset = new OffsetEstimate();
    /** Whether the tester knows its start; the estimate was for that alone. */
    private boolean started;

    private String host = "";
    /** Half the round trip of the exchange that bounds the offset best by now, and when it ended. */
    private long bestNanos = Long.MAX_VALUE;

    private long bestAtNanos;
    private @Nullable Exchange tightest;
    private long tightestSecond;
    /** Whether a row is written: what the tester measures must not be kept without one. */
    private boolean written;

    /**
     * @param epoch which clock the controller's is
     * @param rows takes rows of the clock file
     */
    ClockComparison(int tester, long epoch, Consumer<String> rows) {
        this.epoch = epoch;
        this.rows = new ClockRows(tester, rows);
    }

    /** Names the tester's machine in the rows from now on. */
    void host(String name) {
        host = name;
    }

    /** Takes a ping's exchange: the tester answered at once, and with nothing else in the frame. */
    void ping(Exchange exchange) {
        if (exchange.isPlausible()) {
            bound(exchange);
            estimate(exchange);
            write(exchange);
        }
    }

    /**
     * Takes the exchange of a block or a status, which may be late: of each second the tightest one is kept, and the first one
     * of all at once.
     */
    void report(Exchange exchange) {
        if (!exchange.isPlausible()) {
            return;
        }
        bound(exchange);
        if (!written) {
            write(exchange);
            return;
        }
        long second = Math.floorDiv(exchange.serverReceived(), SECOND_NANOS);
        if (second != tightestSecond) {
            flush();
            tightestSecond = second;
        }
        if (tightest == null || exchange.roundTripNanos() < tightest.roundTripNanos()) {
            tightest = exchange;
        }
    }

    /** Takes an exchange of the tester with the time server; says whether its stamps can be true. */
    boolean timeServer(TimeExchange asked) {
        if (!asked.exchange().isPlausible()) {
            return false;
        }
        if (asked.epoch() == epoch) {
            bound(asked.exchange());
            estimate(asked.exchange());
        }
        written = true;
        rows.write(host, Source.UDP, asked.epoch(), asked.wallMillis(), asked.exchange());
        return true;
    }

    /** Writes the tightest exchange of the current second. */
    void flush() {
        if (tightest != null) {
            write(tightest);
            tightest = null;
        }
    }

    /** Ends the estimate, and gives its memory back. */
    void started() {
        started = true;
        offset.clear();
    }

    /** Returns the controller's clock minus the tester's; empty before the first exchange and after the start. */
    Optional<OffsetEstimate.Offset> offset() {
        return offset.offset();
    }

    /**
     * Returns by how much the tester's clock may be off at an instant of the controller's: half the round trip of the exchange that
     * says most by then, and what two clocks may have drifted since.
     *
     * @return {@link Long#MAX_VALUE} before the first exchange
     */
    long errorNanos(long atNanos) {
        return bestNanos == Long.MAX_VALUE ? bestNanos : bestNanos + OffsetEstimate.driftNanos(atNanos - bestAtNanos);
    }

    private void bound(Exchange exchange) {
        long half = (exchange.roundTripNanos() + 1) / 2;
        if (half <= errorNanos(exchange.serverReceived())) {
            bestNanos = half;
            bestAtNanos = exchange.serverReceived();
        }
    }

    private void estimate(Exchange exchange) {
        if (!started) {
            offset.add(exchange);
        }
    }

    private void write(Exchange exchange) {
        written = true;
        rows.write(host, Source.FRAME, epoch, 0, exchange);
    }
}
