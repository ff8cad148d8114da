package org.diperf.plugins.lib.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/** Takes the header blocks of a connection out of their frames. Confined to its connection. */
final class HeaderBlocks {

    /** Most that a header block may take, before it is decoded. */
    static final int MAX_BLOCK_BYTES = 64 << 10;

    /** Most CONTINUATION frames of one block. */
    static final int MAX_CONTINUATIONS = 100;

    /** Takes the blocks. */
    interface Receiver {

        /** A block has come whole; the buffer is valid during the call only. */
        void headerBlock(ByteBuf in, int from, int length, int stream, boolean ends) throws ConnectionErrorException;
    }

    private final Receiver receiver;
    private int stream;
    private boolean ends;
    private int continuations;
    private @Nullable ByteBuf block;

    HeaderBlocks(Receiver receiver) {
        this.receiver = receiver;
    }

    /** Returns whether a frame cannot come now: only more of the same block may. */
    boolean forbids(int type, int ofStream) {
        return stream != 0 && (type != Frame.CONTINUATION || ofStream != stream);
    }

    /** Takes a HEADERS frame. */
    void begins(ByteBuf in, int from, int length, int flags, int ofStream) throws ConnectionErrorException {
        int at = from;
        int end = from + length;
        if ((flags & Frame.PADDED) != 0) {
            Frame.wantsLength(length >= 1, "HEADERS");
            end -= in.getUnsignedByte(at);
            at++;
        }
        if ((flags & Frame.WITH_PRIORITY) != 0) {
            at += 5;
        }
        if (at > end) {
            throw new ConnectionErrorException(ErrorCode.PROTOCOL_ERROR, "padding larger than the frame");
        }
        boolean last = (flags & Frame.END_STREAM) != 0;
        if ((flags & Frame.END_HEADERS) != 0) {
            receiver.headerBlock(in, at, end - at, ofStream, last);
            return;
        }
        stream = ofStream;
        ends = last;
        continuations = 0;
        ByteBuf begun = Unpooled.buffer(2 * Math.max(64, end - at));
        block = begun;
        begun.writeBytes(in, at, end - at);
    }

    /** Takes a CONTINUATION frame. */
    void goesOn(ByteBuf in, int from, int length, int flags) throws ConnectionErrorException {
        ByteBuf whole = block;
        if (stream == 0 || whole == null) {
            throw new ConnectionErrorException(ErrorCode.PROTOCOL_ERROR, "a CONTINUATION without a header block");
        }
        if (whole.readableBytes() + length > MAX_BLOCK_BYTES || ++continuations > MAX_CONTINUATIONS) {
            throw new ConnectionErrorException(ErrorCode.ENHANCE_YOUR_CALM, "a header block that is too long");
        }
        whole.writeBytes(in, from, length);
        if ((flags & Frame.END_HEADERS) == 0) {
            return;
        }
        int of = stream;
        stream = 0;
        block = null;
        receiver.headerBlock(whole, 0, whole.readableBytes(), of, ends);
    }
}
