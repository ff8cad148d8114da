package org.diperf.controller.collect;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.diperf.core.security.Role;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.WireException;
import org.diperf.tester.link.FrameDecoder;
import org.diperf.tester.link.Peers;
import org.jspecify.annotations.Nullable;

/** One connection of a tester or of a relay. Confined to the collector's event loop. */
final class Connection extends ChannelInboundHandlerAdapter {

    private final Sessions sessions;
    private final SslHandler tls;
    private final FrameDecoder decoder;
    private final Channel channel;
    private final long openedNanos;
    private Role.@Nullable Holder holder;
    private boolean authenticated;

    Connection(Sessions sessions, Channel channel, SslHandler tls, FrameDecoder decoder, long openedNanos) {
        this.sessions = sessions;
        this.channel = channel;
        this.tls = tls;
        this.decoder = decoder;
        this.openedNanos = openedNanos;
    }

    Channel channel() {
        return channel;
    }

    /** Says when it came, on the controller's clock. */
    long openedNanos() {
        return openedNanos;
    }

    boolean isAuthenticated() {
        return authenticated;
    }

    /** Lets frames of full length in from now on. */
    void authenticated() {
        authenticated = true;
        decoder.maxLength(Frame.MAX_LENGTH);
    }

    /** Says whether the certificate allows to speak for this tester; a relay speaks for many. */
    boolean maySpeakFor(int tester) {
        return holder != null
                && (holder.role() == Role.RELAY || holder.role() == Role.TESTER && holder.number() == tester);
    }

    /** Names the peer's address, without its port. */
    String peer() {
        SocketAddress address = channel.remoteAddress();
        return address instanceof InetSocketAddress internet && internet.getAddress() != null
                ? internet.getAddress().getHostAddress()
                : String.valueOf(address);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof SslHandshakeCompletionEvent completion) {
            if (!completion.isSuccess()) {
                sessions.refused(this, "no TLS handshake: " + completion.cause().getMessage());
                context.close();
                return;
            }
            holder = Peers.holder(tls).orElse(null);
            if (holder == null || holder.role() == Role.CONTROLLER) {
                sessions.refused(
                        this,
                        "wanted the certificate of a tester, found "
                                + (holder == null ? "another one" : "that of a controller"));
                context.close();
            }
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof FrameDecoder.Arrival arrival && channel.isActive() && holder != null) {
            sessions.received(this, arrival.frame(), arrival.atNanos());
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable problem) {
        Throwable cause =
                problem instanceof DecoderException && problem.getCause() != null ? problem.getCause() : problem;
        if (cause instanceof WireException) {
            sessions.broken(this, String.valueOf(cause.getMessage()));
        } else if (!authenticated) {
            sessions.refused(this, String.valueOf(cause.getMessage()));
        }
        context.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        sessions.closed(this);
    }
}
