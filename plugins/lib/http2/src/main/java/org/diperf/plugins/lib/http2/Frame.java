package org.diperf.plugins.lib.http2;

import io.netty.buffer.ByteBuf;

/** The types of frames, their flags and their headers (RFC 9113, sections 4.1 and 6). */
final class Frame {

    static final int HEADER_BYTES = 9;

    /** Most that a frame's payload may take where nobody has said otherwise, and on the way to this side. */
    static final int MAX_BYTES = 16_384;

    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int PRIORITY = 2;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PUSH_PROMISE = 5;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int WINDOW_UPDATE = 8;
    static final int CONTINUATION = 9;

    static final int END_STREAM = 1;
    static final int ACK = 1;
    static final int END_HEADERS = 4;
    static final int PADDED = 8;
    static final int WITH_PRIORITY = 0x20;

    private Frame() {}

    /** Writes the header of a frame. */
    static void begin(ByteBuf out, int length, int type, int flags, int stream) {
        out.writeInt(length << 8 | type).writeByte(flags).writeInt(stream);
    }

    static void wantsLength(boolean right, String frame) throws ConnectionErrorException {
        if (!right) {
            throw new ConnectionErrorException(ErrorCode.FRAME_SIZE_ERROR, "a frame of the wrong size: " + frame);
        }
    }
}
