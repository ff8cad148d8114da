package org.diperf.controller.relay;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.WireException;

/** Cuts a stream into whole frames, length field included, and looks at nothing else. Confined to its event loop. */
final class FrameCutter extends ByteToMessageDecoder {

    private static final int TYPE_AT = Frame.LENGTH_FIELD + 1;
    private static final int TESTER_AT = Frame.LENGTH_FIELD + 2;

    private int maxLength;
    private boolean broken;

    /** @param maxLength of a frame after its length field, in bytes */
    FrameCutter(int maxLength) {
        this.maxLength = maxLength;
    }

    /** Sets the bound for the frames that follow. */
    void maxLength(int newMaxLength) {
        maxLength = newMaxLength;
    }

    /** Gives the kind of a frame's message. */
    static int type(ByteBuf frame) {
        return frame.getUnsignedByte(frame.readerIndex() + TYPE_AT);
    }

    /** Gives the tester that a frame names. */
    static int tester(ByteBuf frame) {
        return frame.getInt(frame.readerIndex() + TESTER_AT);
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
            out.add(in.readRetainedSlice(Frame.LENGTH_FIELD + length));
        }
    }
}
