package org.diperf.tester.transport;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.WireException;

/** Cuts a stream into frames and passes them on as {@link Arrival}s. Confined to its channel's event loop. */
public final class FrameDecoder extends ByteToMessageDecoder {

    /**
     * A frame that came.
     *
     * @param atNanos this side's clock when its last bytes were read
     */
    public record Arrival(Frame frame, long atNanos) {}

    /**
     * A frame whose length was right and whose content makes no sense; the next one can be read.
     *
     * @param tester whose it claims to be
     * @param reason what was wanted and what was found
     */
    public record Nonsense(int tester, String reason) {}

    /** Version and type, then the tester. */
    private static final int TESTER_AT = 2;

    private final NanoClock clock;
    private int maxLength;
    private long readNanos;
    private boolean broken;

    /** @param maxLength of a frame after its length field, in bytes */
    public FrameDecoder(NanoClock clock, int maxLength) {
        this.clock = clock;
        this.maxLength = maxLength;
    }

    /** Sets the bound for the frames that follow, in bytes after the length field. */
    public void maxLength(int newMaxLength) {
        maxLength = newMaxLength;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
        readNanos = clock.nanoTime();
        super.channelRead(context, message);
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) throws WireException {
        if (broken || context.isRemoved()) {
            in.skipBytes(in.readableBytes());
            return;
        }
        if (in.readableBytes() < Frame.LENGTH_FIELD) {
            return;
        }
        int length = in.getInt(in.readerIndex());
        try {
            Frame.checkLength(length, maxLength);
            if (in.readableBytes() - Frame.LENGTH_FIELD < length) {
                return;
            }
            in.skipBytes(Frame.LENGTH_FIELD);
            out.add(decode(in, length));
        } catch (WireException e) {
            // After this nobody knows where the next frame begins.
            broken = true;
            in.skipBytes(in.readableBytes());
            throw e;
        }
    }

    private Object decode(ByteBuf in, int length) {
        int at = in.readerIndex();
        in.skipBytes(length);
        try {
            return new Arrival(Frame.decode(in.nioBuffer(at, length)), readNanos);
        } catch (WireException e) {
            return new Nonsense(in.getInt(at + TESTER_AT), String.valueOf(e.getMessage()));
        }
    }
}
