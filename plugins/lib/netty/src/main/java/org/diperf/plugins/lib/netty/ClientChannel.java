package org.diperf.plugins.lib.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.Failure;
import org.jspecify.annotations.Nullable;

/**
 * One TCP connection to a server, with TLS where that is wanted. Tells its owner at most once that it is gone, and nothing afterwards. Confined to
 * its event loop.
 */
public final class ClientChannel implements Dialer.Owner {

    /** Is told what happens. */
    public interface Owner {

        /** The connection is there, and secured where it is to be from its beginning. */
        void opened();

        /** Bytes came, or what a decoder made of them; the owner does not keep them. */
        void received(Object message);

        /**
         * The connection could not be made, or broke.
         *
         * @param why {@code null} where the server closed it
         */
        void lost(@Nullable Failure why);
    }

    private static final String RECEIVER = "receiver";

    private final Dialer dialer;
    private final @Nullable Security security;
    private final boolean secureAtOnce;
    private final NanoClock clock;
    private final Owner owner;

    private long connectNanos = -1;
    private long tlsNanos = -1;
    private @Nullable Channel channel;
    private boolean inHandshake;
    private boolean over;

    /**
     * @param dialer of the owner's client, which may make one connection at a time
     * @param security {@code null}: none
     * @param secureAtOnce whether the connection is secured from its beginning; else {@link #secure} may do so
     */
    public ClientChannel(
            Dialer dialer, @Nullable Security security, boolean secureAtOnce, NanoClock clock, Owner owner) {
        this.dialer = dialer;
        this.security = security;
        this.secureAtOnce = secureAtOnce;
        this.clock = clock;
        this.owner = owner;
    }

    /** Begins to connect. */
    public void connect() {
        dialer.dial(this);
    }

    @Override
    public void dialled(Channel made) {
        channel = made;
        connectNanos = dialer.connectNanos();
        made.pipeline().addLast(RECEIVER, new Receiver());
        if (secureAtOnce) {
            secure(owner::opened);
        } else {
            owner.opened();
        }
    }

    @Override
    public void unreachable(Throwable cause) {
        lose(Failures.of(cause));
    }

    /** Begins TLS on the connection. */
    public void secure(Runnable then) {
        Security how = security;
        if (how == null) {
            throw new IllegalStateException("TLS has not been set up");
        }
        long began = clock.nanoTime();
        inHandshake = true;
        SslHandler tls;
        try {
            tls = how.handler(channel().alloc());
        } catch (IOException e) {
            lose(how.handshakeFailure(e));
            return;
        }
        tls.handshakeFuture().addListener(done -> {
            if (over) {
                return;
            }
            inHandshake = false;
            if (done.cause() == null) {
                tlsNanos = clock.nanoTime() - began;
                then.run();
            } else {
                lose(how.handshakeFailure(done.cause()));
            }
        });
        channel().pipeline().addFirst(tls);
    }

    /** Puts a decoder between the connection and the owner; to be called when the connection has been opened. */
    public void decodeBy(ChannelHandler decoder) {
        channel().pipeline().addBefore(RECEIVER, null, decoder);
    }

    private Channel channel() {
        if (channel == null) {
            throw new IllegalStateException("Not connected");
        }
        return channel;
    }

    /** Returns what connecting took, attempts at other addresses included. */
    public long connectNanos() {
        return connectNanos;
    }

    /** Returns what the TLS handshake took, -1 where there was none. */
    public long tlsNanos() {
        return tlsNanos;
    }

    /** Returns whether it may be written to. */
    public boolean isOpen() {
        return !over && channel != null && channel.isActive();
    }

    /** Makes a buffer to be written. */
    public ByteBuf buffer(int bytes) {
        return channel().alloc().directBuffer(bytes);
    }

    /** Writes without sending; see {@link #flush}. */
    public void write(ByteBuf buffer) {
        // A failure to write comes back through exceptionCaught.
        channel().write(buffer, channel().voidPromise());
    }

    /** Sends what was written. */
    public void flush() {
        if (!over) {
            channel().flush();
        }
    }

    /** Closes the connection, or gives up making it; the owner is told nothing more. Idempotent. */
    public void close() {
        if (!over && channel == null) {
            dialer.cancel();
        }
        over = true;
        Sockets.close(channel);
    }

    /** Sends this and closes the connection; the owner is told nothing more. */
    public void closeAfter(ByteBuf last) {
        over = true;
        channel().writeAndFlush(last).addListener(ChannelFutureListener.CLOSE);
    }

    private void lose(@Nullable Failure why) {
        if (!over) {
            close();
            owner.lost(why);
        }
    }

    private final class Receiver extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            try {
                if (!over) {
                    owner.received(message);
                }
            } finally {
                ReferenceCountUtil.release(message);
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            lose(inHandshake && security != null ? security.handshakeFailure(new ClosedChannelException()) : null);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            lose(inHandshake && security != null ? security.handshakeFailure(cause) : Failures.of(cause));
        }
    }
}
