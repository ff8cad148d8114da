package org.diperf.plugins.lib.gridftp.gsi;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import java.util.function.Consumer;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.gridftp.control.DataTransferException;
import org.diperf.plugins.lib.gridftp.control.Failures;
import org.diperf.plugins.lib.gsi.GsiCredentials;
import org.diperf.plugins.lib.gsi.GsiFailures;
import org.diperf.plugins.lib.gsi.GsiTls;

/**
 * Authenticates a data channel (GFD.20, DCAU): the side that connected is the client of a TLS handshake and then says that it
 * delegates nothing; after that the data goes as it is. Confined to its event loop.
 */
public final class GsiDataHandler extends ChannelInboundHandlerAdapter {

    private static final int MAX_RECORD_BYTES = 18 << 10;

    private final GsiCredentials credentials;
    private final boolean client;
    private final Consumer<Channel> whenReady;
    private final Consumer<Failure> whenFailed;
    private final GsiTls tls;
    private final ByteBuf records = Unpooled.buffer();
    private boolean done;

    public GsiDataHandler(
            GsiCredentials credentials, boolean client, Consumer<Channel> whenReady, Consumer<Failure> whenFailed)
            throws IOException {
        this.credentials = credentials;
        this.client = client;
        this.whenReady = whenReady;
        this.whenFailed = whenFailed;
        this.tls = new GsiTls(client ? credentials.client() : credentials.server());
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        if (client) {
            step(context, new byte[0]);
        }
        context.fireChannelActive();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object in) {
        ByteBuf bytes = (ByteBuf) in;
        if (done) {
            context.fireChannelRead(bytes);
            return;
        }
        records.writeBytes(bytes);
        bytes.release();
        while (!done && records.readableBytes() >= GsiTls.RECORD_HEADER_BYTES) {
            int length = GsiTls.RECORD_HEADER_BYTES + records.getUnsignedShort(records.readerIndex() + 3);
            if (length > MAX_RECORD_BYTES) {
                fail(context, new DataTransferException("data connection: no TLS"));
            } else if (records.readableBytes() < length) {
                return;
            } else {
                byte[] record = new byte[length];
                records.readBytes(record);
                step(context, record);
            }
        }
        if (done && records.isReadable()) {
            context.fireChannelRead(records.readBytes(records.readableBytes()));
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        tls.close();
        records.release();
    }

    private void step(ChannelHandlerContext context, byte[] record) {
        try {
            if (!client && tls.isEstablished()) {
                tls.unwrap(record); // the client's word on delegation
                ready(context);
                return;
            }
            byte[] answer = tls.handshake(record);
            if (answer.length > 0) {
                context.writeAndFlush(Unpooled.wrappedBuffer(answer), context.voidPromise());
            }
            if (tls.isEstablished()) {
                requireSelf();
                if (client) {
                    context.writeAndFlush(Unpooled.wrappedBuffer(tls.wrap(new byte[] {'0'})), context.voidPromise());
                    ready(context);
                }
            }
        } catch (IOException | RuntimeException e) {
            fail(context, e);
        }
    }

    private void requireSelf() throws IOException {
        if (!credentials.isSelf(tls.peer())) {
            throw new DataTransferException("data connection: authenticated as a different identity");
        }
    }

    private void ready(ChannelHandlerContext context) {
        done = true;
        whenReady.accept(context.channel());
    }

    private void fail(ChannelHandlerContext context, Exception e) {
        done = true;
        records.clear();
        whenFailed.accept(
                e instanceof DataTransferException
                        ? Failures.of(e)
                        : GsiFailures.of(e).in("data connection"));
        context.close();
    }
}
