package org.diperf.plugins.lib.gridftp.control;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.netty.Sockets;
import org.jspecify.annotations.Nullable;

/**
 * A control channel: sends commands, gives each its replies, in order, and says once when it is lost. Commands may be sent
 * ahead of the replies to earlier ones. Confined to its event loop.
 */
public final class ControlChannel {

    private final ReplyReader replies = new ReplyReader(this::answered);
    private final ReplyReader unwrapped = new ReplyReader(this::take);
    private final Deque<Pending> pending = new ArrayDeque<>();
    private final Consumer<Failure> whenLost;
    private final Dialogue dialogue;
    private final Channel channel;
    private @Nullable Protection protection;
    private long receivedBytes;
    private boolean over;

    private record Pending(String command, Exchange exchange) {}

    /**
     * Begins to connect; the greeting is the first thing that is answered.
     *
     * @param loop that the channel is confined to
     * @param connector makes the TCP connection, on that loop
     * @param whenConnected told when the connection is made
     * @param greeting takes the server's first reply
     * @param whenLost takes why, once, unless this side closes
     */
    public ControlChannel(
            EventLoop loop,
            Connector connector,
            InetSocketAddress server,
            Dialogue dialogue,
            Runnable whenConnected,
            Exchange greeting,
            Consumer<Failure> whenLost) {
        this.whenLost = whenLost;
        this.dialogue = dialogue;
        pending.add(new Pending("connect", greeting));
        ChannelFuture connecting = connector.connect(server, new Receiver());
        channel = connecting.channel();
        Sockets.then(connecting, loop, () -> connected(connecting.cause(), whenConnected));
    }

    private void connected(@Nullable Throwable cause, Runnable whenConnected) {
        if (over) {
            return;
        }
        if (cause == null) {
            whenConnected.run();
        } else {
            lose(Failures.of(cause).in("connect"));
        }
    }

    public Channel channel() {
        return channel;
    }

    public InetSocketAddress localAddress() {
        return (InetSocketAddress) channel.localAddress();
    }

    /** Counts the bytes that the server has sent. */
    public long receivedBytes() {
        return receivedBytes;
    }

    /** Names the command whose last reply is awaited, {@code null} where none is; the first one is {@code connect}. */
    public @Nullable String awaited() {
        Pending first = pending.peek();
        return first == null ? null : first.command;
    }

    /** Returns the first word of a command, which names it in failures. */
    public static String word(String command) {
        int end = command.indexOf(' ');
        return end < 0 ? command : command.substring(0, end);
    }

    /** From here on everything goes through this. */
    public void protect(Protection with) {
        protection = with;
    }

    /** Sends a command, at once. */
    public void send(String command, Exchange exchange) {
        if (over) {
            return;
        }
        pending.add(new Pending(word(command), exchange));
        dialogue.sent(command);
        String line = command;
        if (protection != null) {
            try {
                line = protection.wrap(command + "\r\n");
            } catch (IOException e) {
                lose(Failures.of(e).in("protection"));
                return;
            }
        }
        channel.writeAndFlush(CommandBuffer.line(line), channel.voidPromise());
    }

    private void answered(Reply reply) {
        Protection by = protection;
        if (by == null || reply.code() < 631 || reply.code() > 633) {
            take(reply);
            return;
        }
        try {
            for (String line : reply.lines()) {
                unwrapped.read(Unpooled.wrappedBuffer(by.unwrap(line.substring(Math.min(4, line.length())))));
            }
        } catch (IOException | ReplyReader.MalformedReplyException e) {
            lose(Failures.of(e).in("protection"));
        }
    }

    private void take(Reply reply) {
        dialogue.received(reply);
        if (over) {
            return;
        }
        Pending first = pending.peek();
        if (first == null) {
            // Nobody asked: a server that says goodbye, such as 421 after a time of silence.
            lose(Failure.ofService("unasked " + reply.cause()));
        } else if (reply.isPreliminary()) {
            first.exchange.preliminary(reply);
        } else {
            pending.remove();
            first.exchange.completed(reply);
        }
    }

    private void lose(Failure why) {
        if (!over) {
            close();
            whenLost.accept(why);
        }
    }

    private Failure inCommand(Failure why) {
        Pending first = pending.peek();
        return first == null ? why : why.in(first.command);
    }

    /** Closes the connection; nobody is told. Idempotent. */
    public void close() {
        if (!over) {
            over = true;
            dialogue.closed();
            Sockets.close(channel);
        }
    }

    private final class Receiver extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext context, Object in) {
            ByteBuf bytes = (ByteBuf) in;
            try {
                if (!over) {
                    receivedBytes += bytes.readableBytes();
                    replies.read(bytes);
                }
            } catch (ReplyReader.MalformedReplyException e) {
                lose(inCommand(Failures.of(e)));
            } finally {
                bytes.release();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            lose(inCommand(Failure.ofService("control connection closed")));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            lose(inCommand(Failures.of(cause).in("control connection")));
        }
    }
}
