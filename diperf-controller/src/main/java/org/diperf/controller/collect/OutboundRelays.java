package org.diperf.controller.collect;

import static java.util.Objects.requireNonNull;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.security.Role;
import org.diperf.core.wire.Frame;
import org.diperf.tester.transport.Dialer;
import org.diperf.tester.transport.FrameDecoder;
import org.diperf.tester.transport.Peers;
import org.jspecify.annotations.Nullable;

/**
 * Connections from the collector to relays that cannot connect to it. Each is made again when it is gone; what comes by it is as if
 * the relay had come. Confined to the collector's event loop, but where a method says otherwise.
 */
final class OutboundRelays {

    private final EventLoop loop;
    private final NanoClock clock;
    private final Sessions sessions;
    private final Tickets tickets;
    private final List<Dialer> dialers = new ArrayList<>();

    OutboundRelays(EventLoop loop, NanoClock clock, Sessions sessions, Tickets tickets) {
        this.loop = loop;
        this.clock = clock;
        this.sessions = sessions;
        this.tickets = tickets;
    }

    /**
     * Begins to connect to a relay. Any thread.
     *
     * @throws IOException when this JVM cannot use the run's keys
     */
    synchronized void dial(int number, String host, int port) throws IOException {
        Relay relay = new Relay(number);
        Dialer dialer = new Dialer(
                tickets.controller(number, host, port), "connection to relay " + number, loop, relay::decoder, relay);
        relay.dialer = dialer;
        dialers.add(dialer);
        loop.execute(dialer::connect);
    }

    /** Ends all of them. */
    synchronized void stop() {
        dialers.forEach(Dialer::stop);
    }

    /** Releases what they have; after {@link #stop}. Any thread. */
    synchronized void close() {
        dialers.forEach(Dialer::close);
    }

    private final class Relay implements Dialer.Events {

        private final int number;
        private @Nullable Dialer dialer;
        private FrameDecoder decoder = FrameDecoder.decoding(clock, Frame.MAX_LENGTH);

        Relay(int number) {
            this.number = number;
        }

        FrameDecoder decoder() {
            decoder = FrameDecoder.decoding(clock, Frame.MAX_LENGTH);
            return decoder;
        }

        @Override
        public void connected(Channel channel) {
            Role.Holder wanted = new Role.Holder(Role.RELAY, number);
            boolean isRelay = Peers.holder(channel.pipeline().get(SslHandler.class))
                    .filter(wanted::equals)
                    .isPresent();
            if (!isRelay) {
                requireNonNull(dialer, "dialer")
                        .trouble("expected the certificate of relay " + number
                                + ", got a different one: give each relay its own ticket");
                channel.close();
                return;
            }
            TlsPeer peer = new TlsPeer(sessions, channel, null, decoder, clock.nanoTime());
            if (!sessions.opened(peer)) {
                channel.close();
                return;
            }
            // Before the dialer's own, which then hears of the end alone.
            channel.pipeline().addAfter(channel.pipeline().context(decoder).name(), null, peer.handler());
            peer.identified(wanted);
            requireNonNull(dialer, "dialer").welcomed();
        }

        @Override
        public void came(Channel channel, Object message) {
            ReferenceCountUtil.release(message);
        }

        @Override
        public void writable(Channel channel) {
            // Peers say themselves when they leave too much unread.
        }

        @Override
        public boolean gone(Channel channel) {
            return true;
        }
    }
}
