package org.diperf.plugins.lib.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/**
 * Cuts what comes on a connection into frames. DATA is passed on as it comes, padding left out; every other frame once it is there as a
 * whole, so that no more than one is kept. Confined to its connection.
 */
final class FrameReader {

    /** A part of a frame for which so much was kept is rare, and the connections may be many. */
    private static final int MAX_ROOM_KEPT = 4_096;

    /** Takes the frames. */
    interface Receiver {

        /** A frame of DATA begins, of so many bytes with its padding. */
        void dataBegins(int stream, int flags, int length) throws ConnectionErrorException;

        /** More of its content has come; the buffer is valid during the call only. */
        void data(ByteBuf in, int from, int count);

        /** All of it has come. */
        void dataEnds();

        /** Any other frame has come; the buffer is valid during the call only. */
        void frame(int type, int flags, int stream, ByteBuf in, int from, int length) throws ConnectionErrorException;

        /** Returns whether frames are still wanted. */
        boolean isOpen();
    }

    private final Receiver receiver;
    private boolean begun;

    /** What has come of a frame that has not come whole. */
    private @Nullable ByteBuf partial;

    // The DATA frame under way.
    private int dataLeft;
    private int padding;
    private boolean paddingUnknown;

    FrameReader(Receiver receiver) {
        this.receiver = receiver;
    }

    /** Takes what came; the buffer is read to its end, unless no more frames are wanted before. */
    void read(ByteBuf in) throws ConnectionErrorException {
        while (in.isReadable() && receiver.isOpen()) {
            if (dataLeft > 0) {
                data(in);
            } else if (partial != null && partial.isReadable()) {
                complete(partial, in);
            } else {
                next(in);
            }
        }
    }

    private void next(ByteBuf in) throws ConnectionErrorException {
        int have = in.readableBytes();
        if (have < Frame.HEADER_BYTES) {
            keep(in, have);
            return;
        }
        int at = in.readerIndex();
        int lengthAndType = in.getInt(at);
        int length = lengthAndType >>> 8;
        check(in, at, lengthAndType);
        if ((lengthAndType & 0xff) == Frame.DATA) {
            in.readerIndex(at + Frame.HEADER_BYTES);
            dataBegins(in.getByte(at + 4), in.getInt(at + 5), length);
        } else if (have < Frame.HEADER_BYTES + length) {
            keep(in, have);
        } else {
            in.readerIndex(at + Frame.HEADER_BYTES + length);
            frame(in, at, lengthAndType);
        }
    }

    private void check(ByteBuf in, int at, int lengthAndType) throws ConnectionErrorException {
        if (!begun) {
            if (in.getByte(at) == 'H' && in.getByte(at + 1) == 'T' && in.getByte(at + 2) == 'T') {
                throw new ConnectionErrorException(ErrorCode.PROTOCOL_ERROR, "the server speaks HTTP/1.1");
            }
            if ((lengthAndType & 0xff) != Frame.SETTINGS) {
                throw new ConnectionErrorException(ErrorCode.PROTOCOL_ERROR, "the server does not speak it");
            }
        }
        if (lengthAndType >>> 8 > Frame.MAX_BYTES) {
            throw new ConnectionErrorException(ErrorCode.FRAME_SIZE_ERROR, "a frame that is too large");
        }
    }

    private void keep(ByteBuf in, int count) {
        ByteBuf kept = partial;
        if (kept == null) {
            kept = Unpooled.buffer(Math.max(64, count));
            partial = kept;
        }
        kept.writeBytes(in, count);
    }

    /** Completes a frame of which a part came before. */
    private void complete(ByteBuf kept, ByteBuf in) throws ConnectionErrorException {
        int have = kept.readableBytes();
        if (have < Frame.HEADER_BYTES) {
            keep(in, Math.min(in.readableBytes(), Frame.HEADER_BYTES - have));
            have = kept.readableBytes();
            if (have < Frame.HEADER_BYTES) {
                return;
            }
        }
        int lengthAndType = kept.getInt(0);
        int length = lengthAndType >>> 8;
        check(kept, 0, lengthAndType);
        if ((lengthAndType & 0xff) == Frame.DATA) {
            kept.clear();
            dataBegins(kept.getByte(4), kept.getInt(5), length);
            return;
        }
        keep(in, Math.min(in.readableBytes(), Frame.HEADER_BYTES + length - have));
        if (kept.readableBytes() == Frame.HEADER_BYTES + length) {
            frame(kept, 0, lengthAndType);
            partial = kept.capacity() > MAX_ROOM_KEPT ? null : kept.clear();
        }
    }

    private void frame(ByteBuf in, int at, int lengthAndType) throws ConnectionErrorException {
        begun = true;
        receiver.frame(
                lengthAndType & 0xff,
                in.getByte(at + 4),
                in.getInt(at + 5) & 0x7fff_ffff,
                in,
                at + Frame.HEADER_BYTES,
                lengthAndType >>> 8);
    }

    private void dataBegins(int flags, int streamWithBit, int length) throws ConnectionErrorException {
        boolean padded = (flags & Frame.PADDED) != 0;
        Frame.wantsLength(length > 0 || !padded, "DATA");
        receiver.dataBegins(streamWithBit & 0x7fff_ffff, flags, length);
        dataLeft = length;
        paddingUnknown = padded;
        padding = 0;
        if (length == 0 && receiver.isOpen()) {
            receiver.dataEnds();
        }
    }

    /** Takes the next bytes of a DATA frame. */
    private void data(ByteBuf in) throws ConnectionErrorException {
        if (paddingUnknown) {
            padding = in.readUnsignedByte();
            paddingUnknown = false;
            dataLeft--;
            if (padding > dataLeft) {
                throw new ConnectionErrorException(ErrorCode.PROTOCOL_ERROR, "padding larger than the frame");
            }
        }
        int count = Math.min(in.readableBytes(), dataLeft - padding);
        if (count > 0) {
            dataLeft -= count;
            int from = in.readerIndex();
            in.readerIndex(from + count);
            receiver.data(in, from, count);
        }
        if (dataLeft <= padding && receiver.isOpen()) {
            int skipped = Math.min(in.readableBytes(), dataLeft);
            in.skipBytes(skipped);
            dataLeft -= skipped;
            padding -= skipped;
            if (dataLeft == 0) {
                receiver.dataEnds();
            }
        }
    }
}
