package org.diperf.controller.relay;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import java.net.InetSocketAddress;
import org.diperf.controller.collect.UnauthenticatedPeers;
import org.diperf.core.security.Role;
import org.diperf.core.wire.Frame;
import org.diperf.tester.transport.FrameDecoder;
import org.diperf.tester.transport.Peers;
import org.diperf.tester.transport.TlsListener;
import org.jspecify.annotations.Nullable;

/** A tester, another relay, or the controller, that came to this relay. Confined to the relay's event loop. */
final class Downstream implements UnauthenticatedPeers.PendingPeer {

    private final FrameForwarder relay;
    private final Channel channel;
    private final TlsListener.Handshake tls;
    private final FrameDecoder cutter;
    private final long openedNanos;
    private Role.@Nullable Holder holder;
    private boolean known;
    private boolean flushing;

    Downstream(
            FrameForwarder relay, Channel channel, TlsListener.Handshake tls, FrameDecoder cutter, long openedNanos) {
        this.relay = relay;
        this.channel = channel;
        this.tls = tls;
        this.cutter = cutter;
        this.openedNanos = openedNanos;
    }

    Channel channel() {
        return channel;
    }

    /** Flushes once for all that is written in this turn of the loop. */
    void flushSoon() {
        if (!flushing) {
            flushing = true;
            channel.eventLoop().execute(() -> {
                flushing = false;
                channel.flush();
            });
        }
    }

    boolean isRelay() {
        return holder != null && holder.role() == Role.RELAY;
    }

    private boolean isController() {
        return holder != null && holder.role() == Role.CONTROLLER && relay.isDialled();
    }

    /** Returns the tester's number; 0: not known, or a relay. */
    int number() {
        return holder == null || holder.role() != Role.TESTER ? 0 : holder.number();
    }

    @Override
    public long openedNanos() {
        return openedNanos;
    }

    @Override
    public String address() {
        return channel.remoteAddress() instanceof InetSocketAddress internet && internet.getAddress() != null
                ? internet.getAddress().getHostAddress()
                : String.valueOf(channel.remoteAddress());
    }

    @Override
    public void close() {
        channel.close();
    }

    /** Takes note of whose certificate the handshake has shown; {@code null}: of nobody who takes part. */
    void identified(Role.@Nullable Holder found) {
        holder = found;
        if (found != null && found.role() == Role.CONTROLLER && relay.isDialled()) {
            cutter.maxLength(Frame.MAX_LENGTH);
            relay.controllerCame(this);
        } else if (found == null || found.role() == Role.CONTROLLER) {
            relay.refused(this, "expected a tester's certificate, got a different one");
        } else if (found.role() == Role.RELAY) {
            letIn();
        }
    }

    private void letIn() {
        known = true;
        cutter.maxLength(Frame.MAX_LENGTH);
        relay.known(this);
    }

    ChannelInboundHandlerAdapter handler() {
        return new Handler();
    }

    private final class Handler extends ChannelInboundHandlerAdapter {

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event instanceof SslHandshakeCompletionEvent completion) {
                if (!completion.isSuccess()) {
                    relay.refused(
                            Downstream.this,
                            "the TLS handshake failed: " + completion.cause().getMessage(),
                            tls.wasNoise());
                    return;
                }
                identified(Peers.holder(tls).orElse(null));
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (!(message instanceof ByteBuf frame) || holder == null || !channel.isActive()) {
                ReferenceCountUtil.release(message);
                return;
            }
            if (isController()) {
                relay.came(channel, frame);
                return;
            }
            if (!isRelay() && FrameDecoder.tester(frame) != holder.number()) {
                frame.release();
                relay.refused(Downstream.this, "its certificate does not allow it to act for another tester");
                return;
            }
            if (!known) {
                if (FrameDecoder.type(frame) != FrameForwarder.HELLO || !relay.isOfThisRun(frame)) {
                    frame.release();
                    relay.refused(Downstream.this, "expected a hello with this run's token, got something else");
                    return;
                }
                letIn();
            }
            relay.up(Downstream.this, frame);
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            if (isController()) {
                relay.writable(channel);
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            relay.flush();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable problem) {
            Throwable cause =
                    problem instanceof DecoderException && problem.getCause() != null ? problem.getCause() : problem;
            if (!known) {
                relay.refused(Downstream.this, String.valueOf(cause.getMessage()), tls.wasNoise());
            }
            context.close();
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (isController()) {
                relay.controllerGone(channel);
            } else {
                relay.gone(Downstream.this);
            }
        }
    }
}
