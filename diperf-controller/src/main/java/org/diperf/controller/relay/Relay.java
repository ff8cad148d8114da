package org.diperf.controller.relay;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.diperf.controller.collect.Strangers;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.Ticket;
import org.diperf.core.wire.TimeService;
import org.diperf.core.wire.WireException;
import org.diperf.tester.transport.Dialer;
import org.diperf.tester.transport.FrameDecoder;
import org.diperf.tester.transport.Sockets;
import org.diperf.tester.transport.TlsListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes frames between testers, or further relays, and one connection towards the controller. When that one ends, all
 * testers are let go: they come again and send what was not acknowledged. All state is confined to the event loop; the
 * public methods may be called from any thread.
 */
public final class Relay implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Relay.class);
    private static final long TICK_MILLIS = 100;
    /** What is sent to a tester is short; who leaves so much of it unread is let go. */
    private static final long MAX_UNSENT_BYTES = 8 << 20;

    static final int HELLO = Frame.typeOf(Message.Hello.class);
    private static final int WELCOME = Frame.typeOf(Message.Welcome.class);

    private final Ticket ticket;
    private final NanoClock clock;
    private final EventLoopGroup group;
    private final EventLoop loop;
    private final Dialer dialer;
    private final TlsListener server;
    private final @Nullable TimeProxy time;
    private final Strangers strangers = new Strangers();
    private final Set<Downstream> testers = new HashSet<>();
    /** By which way each tester is reached. */
    private final Map<Integer, Downstream> routes = new HashMap<>();

    private @Nullable Channel upstream;
    private boolean paused;
    private boolean unflushed;

    /**
     * Listens, and begins to connect.
     *
     * @param ticket of a relay of this run
     * @param listen where testers come in, and ask for the time by UDP
     */
    public Relay(Ticket ticket, InetSocketAddress listen, NanoClock clock) throws IOException {
        this.ticket = ticket;
        this.clock = clock;
        this.group = Sockets.oneLoop("diperf-relay");
        this.loop = group.next();
        this.dialer = new Dialer(
                ticket, "relay " + ticket.tester(), loop, () -> FrameDecoder.cutting(Frame.MAX_LENGTH), new Upstream());
        try {
            this.server = listen(listen);
            this.time = timeProxy();
        } catch (IOException e) {
            dialer.close();
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            throw e;
        }
        server.open();
        loop.execute(dialer::connect);
        var unused = loop.scheduleAtFixedRate(
                () -> strangers.tick(clock.nanoTime()), TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private TlsListener listen(InetSocketAddress address) throws IOException {
        TlsListener.Arrivals arrivals = new TlsListener.Arrivals() {
            @Override
            public void came(SocketChannel channel, TlsListener.Handshake handler) {
                accept(channel, handler);
            }

            @Override
            public void notAccepted(Throwable problem) {
                LOG.warn("relay {}: no connection can be accepted: {}", ticket.tester(), problem.getMessage());
            }
        };
        try {
            return TlsListener.bind(
                    group, TlsListener.tls(ticket.key(), ticket.certificate(), ticket.authority()), address, arrivals);
        } catch (IOException e) {
            throw new IOException(
                    "Wanted to listen on " + address + ", found: " + e.getMessage()
                            + ". Choose another place with --listen",
                    e);
        }
    }

    private @Nullable TimeProxy timeProxy() {
        try {
            return new TimeProxy(address());
        } catch (IOException e) {
            LOG.warn("relay {}: no questions for the time are passed on: {}", ticket.tester(), e.getMessage());
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
        Downstream tester = new Downstream(this, channel, handler, cutter, clock.nanoTime());
        if (upstream != null && strangers.admit(tester, clock.nanoTime())) {
            testers.add(tester);
            channel.config().setAutoRead(!paused);
            channel.pipeline().addLast(handler, cutter, tester.handler());
        } else {
            channel.close();
        }
    }

    void refused(Downstream tester, String reason) {
        refused(tester, reason, false);
    }

    /** @param noise whether it cost next to nothing */
    void refused(Downstream tester, String reason, boolean noise) {
        strangers.refused(tester, reason, noise, clock.nanoTime());
        tester.close();
    }

    void known(Downstream tester) {
        strangers.forget(tester);
    }

    /** Returns whether a hello has the run's token. */
    boolean isOfThisRun(ByteBuf frame) {
        try {
            Frame decoded = Frame.decode(frame.nioBuffer(
                    frame.readerIndex() + Frame.LENGTH_FIELD, frame.readableBytes() - Frame.LENGTH_FIELD));
            return decoded.message() instanceof Message.Hello hello
                    && MessageDigest.isEqual(
                            hello.token().getBytes(StandardCharsets.UTF_8),
                            ticket.token().getBytes(StandardCharsets.UTF_8));
        } catch (WireException e) {
            return false;
        }
    }

    /** Passes a frame on towards the controller; consumed. */
    void up(Downstream from, ByteBuf frame) {
        int tester = FrameDecoder.tester(frame);
        if (FrameDecoder.type(frame) == HELLO) {
            Downstream before = routes.put(tester, from);
            if (before != null && before != from && !before.isRelay()) {
                before.close();
            }
        } else if (routes.get(tester) != from) {
            // It has come by another way since.
            frame.release();
            return;
        }
        Channel to = upstream;
        if (to == null) {
            frame.release();
            return;
        }
        to.write(frame, to.voidPromise());
        unflushed = true;
        if (!to.isWritable()) {
            pause(true);
        }
    }

    /** Sends what was passed on. */
    void flush() {
        Channel to = upstream;
        if (unflushed && to != null) {
            unflushed = false;
            to.flush();
        }
    }

    private void pause(boolean wanted) {
        if (paused != wanted) {
            paused = wanted;
            testers.forEach(tester -> tester.channel().config().setAutoRead(!wanted));
            // Last: when the socket takes all of it, this calls us again before it returns.
            flush();
        }
    }

    void gone(Downstream tester) {
        strangers.forget(tester);
        testers.remove(tester);
        if (tester.isRelay()) {
            routes.values().removeIf(way -> way == tester);
        } else {
            routes.remove(tester.number(), tester);
        }
    }

    // The controller

    private final class Upstream implements Dialer.Events {

        @Override
        public void connected(Channel channel) {
            LOG.info("relay {}: connected to {}", ticket.tester(), channel.remoteAddress());
            upstream = channel;
            dialer.welcomed();
        }

        @Override
        public void came(Channel channel, Object message) {
            if (message instanceof ByteBuf frame && channel == upstream) {
                down(frame);
            } else {
                ReferenceCountUtil.release(message);
            }
        }

        @Override
        public void writable(Channel channel) {
            if (channel == upstream && channel.isWritable()) {
                pause(false);
            }
        }

        @Override
        public boolean gone(Channel channel) {
            if (channel == upstream) {
                upstream = null;
                paused = false;
                unflushed = false;
                routes.clear();
                // Nobody knows what of theirs has arrived: they come again and are told.
                Set.copyOf(testers).forEach(Downstream::close);
            }
            return true;
        }
    }

    private void down(ByteBuf frame) {
        Downstream to = routes.get(FrameDecoder.tester(frame));
        if (to == null) {
            frame.release();
            return;
        }
        Channel channel = to.channel();
        ByteBuf sent = FrameDecoder.type(frame) == WELCOME ? withOurTime(frame) : frame;
        if (to.isRelay()) {
            channel.write(sent, channel.voidPromise());
            to.flushSoon();
        } else {
            channel.writeAndFlush(sent, channel.voidPromise());
        }
        if (!channel.isWritable() && channel.bytesBeforeWritable() > MAX_UNSENT_BYTES) {
            channel.close();
        }
    }

    /** Says in a welcome that testers are to ask us for the time. */
    private ByteBuf withOurTime(ByteBuf frame) {
        Channel from = upstream;
        try {
            Frame decoded = Frame.decode(frame.nioBuffer(
                    frame.readerIndex() + Frame.LENGTH_FIELD, frame.readableBytes() - Frame.LENGTH_FIELD));
            if (time == null
                    || from == null
                    || !(decoded.message() instanceof Message.Welcome welcome)
                    || welcome.time().port() == 0
                    || !(from.remoteAddress() instanceof InetSocketAddress controller)) {
                return frame;
            }
            time.server(new InetSocketAddress(
                    controller.getAddress(), welcome.time().port()));
            TimeService ours = new TimeService(
                    time.port(), welcome.time().syncNanos(), welcome.time().key());
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
            LOG.warn("relay {}: a welcome is passed on as it is: {}", ticket.tester(), e.getMessage());
            return frame;
        }
    }

    /** Ends; idempotent. */
    @Override
    public void close() throws IOException {
        server.close();
        loop.submit(() -> {
                    dialer.stop();
                    Set.copyOf(testers).forEach(Downstream::close);
                    if (upstream != null) {
                        upstream.close();
                    }
                })
                .awaitUninterruptibly(1, TimeUnit.SECONDS);
        dialer.close();
        if (time != null) {
            time.close();
        }
        group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(3, TimeUnit.SECONDS);
    }
}
