package org.diperf.tester.transport;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.WireException;

/**
 * Cuts a stream into frames and passes them on, decoded or as they came. A length that no frame can have ends the stream:
 * nobody knows where the next frame begins. Confined to its channel's event loop.
 */
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
    public record MalformedFrame(int tester, String reason) {}

    /** Turns a whole frame into what is passed on. */
    @FunctionalInterface
    private interface Form {

        /**
         * @param in at the frame's length field; is read past the frame
         * @param length of the frame after its length field, all of it readable
         * @param readNanos when the last bytes of the stream were read
         */
        Object of(ByteBuf in, int length, long readNanos);
    }

    private final NanoClock clock;
    private final Form form;
    private int maxLength;
    private long readNanos;
    private boolean broken;

    private FrameDecoder(NanoClock clock, Form form, int maxLength) {
        this.clock = clock;
        this.form = form;
        this.maxLength = maxLength;
    }

    /**
     * Makes one that passes on each frame as an {@link Arrival} or as {@link MalformedFrame}.
     *
     * @param maxLength of a frame after its length field, in bytes
     */
    public static FrameDecoder decoding(NanoClock clock, int maxLength) {
        return new FrameDecoder(clock, FrameDecoder::decode, maxLength);
    }

    /**
     * Makes one that passes on each frame as a buffer of its bytes, length field included, which the receiver releases.
     *
     * @param maxLength of a frame after its length field, in bytes
     */
    public static FrameDecoder cutting(int maxLength) {
        return new FrameDecoder(
                () -> 0, (in, length, readNanos) -> in.readRetainedSlice(Frame.LENGTH_FIELD + length), maxLength);
    }

    /** Sets the bound for the frames that follow, in bytes after the length field. */
    public void maxLength(int newMaxLength) {
        maxLength = newMaxLength;
    }

    /** Returns the number of the message's type in a frame that was cut, see {@link Frame#typeOf}. */
    public static int type(ByteBuf frame) {
        return frame.getUnsignedByte(frame.readerIndex() + Frame.LENGTH_FIELD + Frame.TYPE_AT);
    }

    /** Returns the tester that a frame names that was cut. */
    public static int tester(ByteBuf frame) {
        return frame.getInt(frame.readerIndex() + Frame.LENGTH_FIELD + Frame.TESTER_AT);
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
        } catch (WireException e) {
            broken = true;
            in.skipBytes(in.readableBytes());
            throw e;
        }
        if (in.readableBytes() - Frame.LENGTH_FIELD >= length) {
            out.add(form.of(in, length, readNanos));
        }
    }

    private static Object decode(ByteBuf in, int length, long readNanos) {
        int at = in.readerIndex() + Frame.LENGTH_FIELD;
        in.skipBytes(Frame.LENGTH_FIELD + length);
        try {
            return new Arrival(Frame.decode(in.nioBuffer(at, length)), readNanos);
        } catch (WireException e) {
            return new MalformedFrame(in.getInt(at + Frame.TESTER_AT), String.valueOf(e.getMessage()));
        }
    }
}
