package org.diperf.controller.relay;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.Ticket;
import org.diperf.core.wire.TimeServerSettings;
import org.diperf.tester.transport.Dialer;
import org.diperf.tester.transport.FrameDecoder;
import org.diperf.tester.transport.Sockets;
import org.diperf.tester.transport.TlsListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a {@link FrameForwarder} its event loop, its connection towards the controller and a place where testers, or further
 * relays, come in. All state is confined to the event loop; the public methods may be called from any thread.
 */
public final class Relay implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Relay.class);
    private static final long TICK_MILLIS = 100;

    private final Ticket ticket;
    private final NanoClock clock;
    private final EventLoopGroup group;
    private final EventLoop loop;
    private final Dialer dialer;
    private final TlsListener server;
    private final @Nullable TimeProxy time;
    private final FrameForwarder forwarding;

    /**
     * Listens, and begins to connect, unless the controller is to come.
     *
     * @param ticket of a relay of this run
     * @param listen where testers come in, and ask for the time by UDP
     */
    public Relay(Ticket ticket, InetSocketAddress listen, NanoClock clock) throws IOException {
        this.ticket = ticket;
        this.clock = clock;
        this.group = Sockets.oneLoop("diperf-relay");
        this.loop = group.next();
        this.forwarding = new FrameForwarder(ticket.token(), ticket.dialled(), clock, this::withOurTime);
        this.dialer = new Dialer(
                ticket, "relay " + ticket.tester(), loop, () -> FrameDecoder.cutting(Frame.MAX_LENGTH), new Upstream());
        try {
            this.server = listen(listen);
            // From where the controller must come nothing gets out, questions for the time neither.
            this.time = ticket.dialled() ? null : timeProxy();
        } catch (IOException e) {
            dialer.close();
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            throw e;
        }
        server.open();
        if (!ticket.dialled()) {
            loop.execute(dialer::connect);
        }
        var unused = loop.scheduleAtFixedRate(forwarding::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private TlsListener listen(InetSocketAddress address) throws IOException {
        TlsListener.Arrivals arrivals = new TlsListener.Arrivals() {
            @Override
            public void came(SocketChannel channel, TlsListener.Handshake handler) {
                accept(channel, handler);
            }

            @Override
            public void notAccepted(Throwable problem) {
                LOG.warn("relay {}: connections cannot be accepted: {}", ticket.tester(), problem.getMessage());
            }
        };
        try {
            return TlsListener.bind(
                    group, TlsListener.tls(ticket.key(), ticket.certificate(), ticket.authority()), address, arrivals);
        } catch (IOException e) {
            throw new IOException(
                    "Could not listen on " + address + ": " + e.getMessage() + ". Choose another address with --listen",
                    e);
        }
    }

    private @Nullable TimeProxy timeProxy() {
        try {
            return new TimeProxy(address());
        } catch (IOException e) {
            LOG.warn("relay {}: cannot forward time queries: {}", ticket.tester(), e.getMessage());
            return null;
        }
    }

    /** Returns where it listens. */
    public InetSocketAddress address() {
        return server.address();
    }

    // Testers

    private void accept(SocketChannel channel, TlsListener.Handshake handler) {
        FrameDecoder cutter = FrameDecoder.cutting(Frame.MAX_LENGTH_BEFORE_WELCOME);
        Downstream tester = new Downstream(forwarding, channel, handler, cutter, clock.nanoTime());
        if (forwarding.opened(tester)) {
            channel.pipeline().addLast(handler, cutter, tester.handler());
        } else {
            channel.close();
        }
    }

    // The controller

    private final class Upstream implements Dialer.Events {

        @Override
        public void connected(Channel channel) {
            LOG.info("relay {}: connected to {}", ticket.tester(), channel.remoteAddress());
            forwarding.connected(channel);
            dialer.welcomed();
        }

        @Override
        public void came(Channel channel, Object message) {
            forwarding.came(channel, message);
        }

        @Override
        public void writable(Channel channel) {
            forwarding.writable(channel);
        }

        @Override
        public boolean gone(Channel channel) {
            forwarding.controllerGone(channel);
            return true;
        }
    }

    /** Says in a welcome that testers are to ask us for the time, or nobody. */
    private ByteBuf withOurTime(ByteBuf frame, Channel from) {
        try {
            Frame decoded = Frame.decode(frame.nioBuffer(
                    frame.readerIndex() + Frame.LENGTH_FIELD, frame.readableBytes() - Frame.LENGTH_FIELD));
            if (time == null && !ticket.dialled()
                    || !(decoded.message() instanceof Message.Welcome welcome)
                    || welcome.time().port() == 0
                    || !(from.remoteAddress() instanceof InetSocketAddress controller)) {
                return frame;
            }
            if (time != null) {
                time.server(new InetSocketAddress(
                        controller.getAddress(), welcome.time().port()));
            }
            TimeServerSettings ours = new TimeServerSettings(
                    time == null ? 0 : time.port(),
                    welcome.time().syncNanos(),
                    welcome.time().key());
            ByteBuf changed = Unpooled.wrappedBuffer(new Frame(
                            decoded.tester(),
                            decoded.sentNanos(),
                            decoded.echoOfNanos(),
                            decoded.echoReceivedNanos(),
                            new Message.Welcome(welcome.durable(), welcome.leaseNanos(), ours))
                    .encode());
            frame.release();
            return changed;
        } catch (IOException e) {
            LOG.warn("relay {}: forwarding a welcome unchanged: {}", ticket.tester(), e.getMessage());
            return frame;
        }
    }

    /** Ends; idempotent. */
    @Override
    public void close() throws IOException {
        server.close();
        loop.submit(() -> {
                    dialer.stop();
                    forwarding.close();
                })
                .awaitUninterruptibly(1, TimeUnit.SECONDS);
        dialer.close();
        if (time != null) {
            time.close();
        }
        group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(3, TimeUnit.SECONDS);
    }
}
