package org.diperf.controller.collect;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Optional;
import org.diperf.core.security.Role;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.WireException;
import org.diperf.tester.transport.FrameDecoder;
import org.diperf.tester.transport.Peers;
import org.diperf.tester.transport.TlsListener;
import org.jspecify.annotations.Nullable;

/** A peer at the other end of a connection with TLS. Confined to the collector's event loop. */
final class TlsPeer extends Peer {

    private final Sessions sessions;
    /** Of a connection that has come; {@code null}: we made it, and the relay has shown who it is. */
    private final TlsListener.@Nullable Handshake tls;

    private final FrameDecoder decoder;
    private final Channel channel;
    private Role.@Nullable Holder holder;
    private boolean flushing;

    TlsPeer(
            Sessions sessions,
            Channel channel,
            TlsListener.@Nullable Handshake tls,
            FrameDecoder decoder,
            long openedNanos) {
        super(openedNanos);
        this.sessions = sessions;
        this.channel = channel;
        this.tls = tls;
        this.decoder = decoder;
    }

    /** Makes what turns the channel's events into the collector's. */
    ChannelInboundHandlerAdapter handler() {
        return new Handler();
    }

    /** Takes note of whose certificate the handshake has shown; {@code null}: of nobody who takes part. */
    void identified(Role.@Nullable Holder found) {
        holder = found;
        if (found == null || found.role() == Role.CONTROLLER) {
            sessions.refused(
                    this,
                    "expected a tester's certificate, got "
                            + (found == null ? "a different one" : "a controller's certificate"));
            channel.close();
        } else if (isRelay()) {
            // Its certificate says enough: it has nothing to say for itself.
            authenticated();
            sessions.relayCame(this, found.number());
        }
    }

    @Override
    void authenticated() {
        super.authenticated();
        decoder.maxLength(Frame.MAX_LENGTH);
    }

    @Override
    boolean maySpeakFor(int tester) {
        return holder != null
                && (holder.role() == Role.RELAY || holder.role() == Role.TESTER && holder.number() == tester);
    }

    @Override
    boolean isRelay() {
        return holder != null && holder.role() == Role.RELAY;
    }

    @Override
    public String address() {
        SocketAddress address = channel.remoteAddress();
        return address instanceof InetSocketAddress internet && internet.getAddress() != null
                ? internet.getAddress().getHostAddress()
                : String.valueOf(address);
    }

    @Override
    boolean isActive() {
        return channel.isActive();
    }

    @Override
    void send(ByteBuf frame) {
        if (isRelay()) {
            // Many testers are answered in one turn of the loop: by one call of the system, in few records.
            channel.write(frame, channel.voidPromise());
            if (!flushing) {
                flushing = true;
                channel.eventLoop().execute(this::flush);
            }
        } else {
            channel.writeAndFlush(frame, channel.voidPromise());
        }
        if (channel.isActive() && !channel.isWritable() && channel.bytesBeforeWritable() > MAX_UNSENT_BYTES) {
            tellUnread();
            channel.close();
        }
    }

    /** Makes keys for datagrams in this peer's name. */
    Optional<Message.Enrolled> enrol(Datagrams ways) {
        return holder != null && channel.remoteAddress() instanceof InetSocketAddress internet
                ? Optional.of(ways.enrol(holder, internet))
                : Optional.empty();
    }

    private void flush() {
        flushing = false;
        channel.flush();
    }

    @Override
    void pause(boolean wanted) {
        channel.config().setAutoRead(!wanted);
    }

    @Override
    public void close() {
        if (channel.isActive()) {
            channel.writeAndFlush(channel.alloc().buffer(0)).addListener(ChannelFutureListener.CLOSE);
        } else {
            channel.close();
        }
    }

    private final class Handler extends ChannelInboundHandlerAdapter {

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (tls != null && event instanceof SslHandshakeCompletionEvent completion) {
                if (!completion.isSuccess()) {
                    sessions.refused(
                            TlsPeer.this,
                            "the TLS handshake failed: " + completion.cause().getMessage(),
                            tls.wasNoise());
                    context.close();
                    return;
                }
                identified(Peers.holder(tls).orElse(null));
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (!channel.isActive() || holder == null) {
                return;
            }
            if (message instanceof FrameDecoder.Arrival arrival) {
                sessions.received(TlsPeer.this, arrival.frame(), arrival.atNanos());
            } else if (message instanceof FrameDecoder.MalformedFrame nonsense) {
                sessions.nonsense(TlsPeer.this, nonsense.tester(), nonsense.reason());
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable problem) {
            Throwable cause =
                    problem instanceof DecoderException && problem.getCause() != null ? problem.getCause() : problem;
            if (cause instanceof WireException) {
                sessions.broken(TlsPeer.this, String.valueOf(cause.getMessage()));
            } else if (!isAuthenticated()) {
                sessions.refused(TlsPeer.this, String.valueOf(cause.getMessage()), tls != null && tls.wasNoise());
            }
            context.close();
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            sessions.closed(TlsPeer.this);
            // Behind us is who made the connection, where it was not the peer.
            context.fireChannelInactive();
        }
    }
}
