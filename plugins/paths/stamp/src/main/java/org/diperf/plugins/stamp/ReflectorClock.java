package org.diperf.plugins.stamp;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.diperf.core.clock.ClockBounds;
import org.diperf.core.clock.Corridor;
import org.diperf.core.clock.Exchange;
import org.diperf.core.clock.Source;
import org.jspecify.annotations.Nullable;

/**
 * How a reflector's clock and this machine's are to each other, by the latest exchanges of datagrams themselves: no datagram
 * arrives before it was sent, which bounds what one clock shows when the other shows something ({@link Corridor}). Confined to
 * its event loop.
 */
final class ReflectorClock {

    private static final int MAX_EXCHANGES = 512;

    private final Deque<Exchange> latest = new ArrayDeque<>();

    /**
     * A way of one datagram.
     *
     * @param delayNanos estimated
     * @param boundNanos how far the estimate may be off because of the clocks; {@link Long#MAX_VALUE} if nothing bounds it
     */
    record Delay(long delayNanos, long boundNanos) {}

    /** The ways of an answered datagram. */
    record Ways(Delay there, Delay back) {}

    /** Learns from an exchange. */
    void add(Exchange exchange) {
        if (latest.size() == MAX_EXCHANGES) {
            latest.removeFirst();
        }
        latest.addLast(exchange);
    }

    /**
     * Says how long the datagrams of these exchanges were on their ways.
     *
     * @return one each; {@code null} when nothing relates the clocks
     */
    Ways @Nullable [] ways(Exchange[] exchanges) {
        ClockBounds bounds = new ClockBounds();
        latest.forEach(exchange -> bounds.add(exchange, Source.UDP, 0));
        Corridor corridor = Corridor.of(bounds).orElse(null);
        if (corridor == null) {
            return null;
        }
        Corridor.Reader there = corridor.reader();
        Corridor.Reader back = corridor.reader();
        return Arrays.stream(exchanges)
                .map(one -> new Ways(
                        new Delay(
                                one.serverReceived() - there.globalNanos(one.clientSent()),
                                there.boundNanos(one.clientSent())),
                        new Delay(
                                back.globalNanos(one.clientReceived()) - one.serverSent(),
                                back.boundNanos(one.clientReceived()))))
                .toArray(Ways[]::new);
    }
}
