package org.diperf.controller.relay;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.diperf.controller.collect.UnauthenticatedPeers;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.WireException;
import org.diperf.tester.transport.FrameDecoder;
import org.jspecify.annotations.Nullable;

/**
 * Passes frames between testers, or further relays, and one connection towards the controller. When that one ends, all
 * testers are let go: they come again and send what was not acknowledged. Confined to the relay's event loop.
 */
final class FrameForwarder {

    /** What is sent to a tester is short; who leaves so much of it unread is let go. */
    private static final long MAX_UNSENT_BYTES = 8 << 20;

    static final int HELLO = Frame.typeOf(Message.Hello.class);
    private static final int WELCOME = Frame.typeOf(Message.Welcome.class);

    private final String token;
    private final NanoClock clock;
    private final Welcomes welcomes;
    private final boolean isDialled;
    private final UnauthenticatedPeers strangers = new UnauthenticatedPeers();
    private final Set<Downstream> testers = new HashSet<>();
    /** By which way each tester is reached. */
    private final Map<Integer, Downstream> routes = new HashMap<>();

    private @Nullable Channel upstream;
    private boolean paused;
    private boolean unflushed;

    /** Changes what a tester is told when it is let in. */
    interface Welcomes {

        /**
         * Returns the frame to be passed on instead.
         *
         * @param frame of a welcome; consumed
         * @param from the connection towards the controller
         */
        ByteBuf passedOn(ByteBuf frame, Channel from);
    }

    /**
     * @param token of the run
     * @param isDialled whether the controller comes to us, instead of us to it
     */
    FrameForwarder(String token, boolean isDialled, NanoClock clock, Welcomes welcomes) {
        this.token = token;
        this.isDialled = isDialled;
        this.clock = clock;
        this.welcomes = welcomes;
    }

    // Testers

    /** Takes note of a new connection; false when it is not let in. */
    boolean opened(Downstream tester) {
        if (upstream == null && !isDialled || !strangers.admit(tester, clock.nanoTime())) {
            return false;
        }
        testers.add(tester);
        tester.channel().config().setAutoRead(!paused);
        return true;
    }

    /** Ends connections that take too long to join. */
    void tick() {
        strangers.tick(clock.nanoTime());
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
        if (upstream == null) {
            // It comes again, when the controller is there.
            tester.close();
        }
    }

    boolean isDialled() {
        return isDialled;
    }

    /** Takes note that who came is the controller; one that came before has lost its connection. */
    void controllerCame(Downstream controller) {
        strangers.forget(controller);
        testers.remove(controller);
        Channel before = upstream;
        if (before != null) {
            controllerGone(before);
            before.close();
        }
        controller.channel().config().setAutoRead(true);
        connected(controller.channel());
    }

    /** Returns whether a hello has the run's token. */
    boolean isOfThisRun(ByteBuf frame) {
        try {
            Frame decoded = Frame.decode(frame.nioBuffer(
                    frame.readerIndex() + Frame.LENGTH_FIELD, frame.readableBytes() - Frame.LENGTH_FIELD));
            return decoded.message() instanceof Message.Hello hello
                    && MessageDigest.isEqual(
                            hello.token().getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
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

    /** Takes note of the connection towards the controller. */
    void connected(Channel channel) {
        upstream = channel;
    }

    /** Takes what came from the controller; consumed. */
    void came(Channel channel, Object message) {
        if (message instanceof ByteBuf frame && channel == upstream) {
            down(frame, channel);
        } else {
            ReferenceCountUtil.release(message);
        }
    }

    /** Takes note that the connection takes more, or less. */
    void writable(Channel channel) {
        if (channel == upstream && channel.isWritable()) {
            pause(false);
        }
    }

    /** Takes note that the connection is gone. */
    void controllerGone(Channel channel) {
        if (channel == upstream) {
            upstream = null;
            paused = false;
            unflushed = false;
            routes.clear();
            // Nobody knows what of theirs has arrived: they come again and are told.
            Set.copyOf(testers).forEach(Downstream::close);
        }
    }

    private void down(ByteBuf frame, Channel from) {
        Downstream to = routes.get(FrameDecoder.tester(frame));
        if (to == null) {
            frame.release();
            return;
        }
        Channel channel = to.channel();
        ByteBuf sent = FrameDecoder.type(frame) == WELCOME ? welcomes.passedOn(frame, from) : frame;
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

    /** Ends all connections. */
    void close() {
        Set.copyOf(testers).forEach(Downstream::close);
        if (upstream != null) {
            upstream.close();
        }
    }
}
