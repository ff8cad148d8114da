package org.diperf.controller.page;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * Refuses a connection beyond those that are served: says so at once, reads what comes and forgets it, so that the answer is not
 * lost, and lets go after a second. One for each connection.
 */
final class ConnectionLimit extends ChannelInboundHandlerAdapter {

    private static final String BODY = "Too many viewers have this page open.\n";
    private static final byte[] ANSWER =
            ("HTTP/1.1 503 Service Unavailable\r\nretry-after: 5\r\nconnection: close\r\n"
                            + "content-type: text/plain\r\ncontent-length: " + BODY.length() + "\r\n\r\n" + BODY)
                    .getBytes(StandardCharsets.US_ASCII);

    @Override
    public void channelActive(ChannelHandlerContext context) {
        context.writeAndFlush(Unpooled.wrappedBuffer(ANSWER))
                .addListener(written -> ((SocketChannel) context.channel()).shutdownOutput());
        context.executor().schedule(() -> context.close(), 1, TimeUnit.SECONDS);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ReferenceCountUtil.release(message);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
