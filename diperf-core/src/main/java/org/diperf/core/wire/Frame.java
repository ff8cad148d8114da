package org.diperf.core.wire;

import java.nio.ByteBuffer;

/**
 * One message with its stamps. See the package for the layout.
 *
 * @param tester whom it is from or for; from 1
 * @param sentNanos the sender's clock when this was written
 * @param echoOfNanos the peer's {@code sentNanos} of the last frame that the sender received; 0: none
 * @param echoReceivedNanos the sender's clock when it received that one
 */
public record Frame(int tester, long sentNanos, long echoOfNanos, long echoReceivedNanos, Message message) {

    /** Version of the wire that this code speaks, and the only one. */
    public static final int VERSION = 2;

    /** Bytes of the length field, which does not count itself. */
    public static final int LENGTH_FIELD = 4;

    /** No frame is longer, in bytes after the length field. */
    public static final int MAX_LENGTH = 2 << 20;

    /** No frame is longer before its sender is known. */
    public static final int MAX_LENGTH_BEFORE_WELCOME = 64 << 10;

    /** Where the number of the message's type is, in bytes after the length field. */
    public static final int TYPE_AT = 1;

    /** Where the tester's number is, in bytes after the length field. */
    public static final int TESTER_AT = 2;

    private static final int HEADER = 1 + 1 + 4 + 3 * 8;

    /**
     * Lays out the frame, length field included.
     *
     * @throws IllegalArgumentException when the message is too long to be sent, or holds a value that has no place on
     *     the wire
     */
    public ByteBuffer encode() {
        WireOutput out = new WireOutput(MAX_LENGTH + LENGTH_FIELD);
        out.int32(0);
        out.int8(VERSION);
        out.int8(MessageCodec.typeOf(message.getClass()));
        out.int32(tester);
        out.int64(sentNanos);
        out.int64(echoOfNanos);
        out.int64(echoReceivedNanos);
        MessageCodec.write(message, out);
        ByteBuffer frame = out.finish();
        frame.putInt(0, frame.remaining() - LENGTH_FIELD);
        return frame;
    }

    /** Returns the number on the wire of a type of message. */
    public static int typeOf(Class<? extends Message> message) {
        return MessageCodec.typeOf(message);
    }

    /**
     * Checks a length field before anything is allocated for it.
     *
     * @param maxLength in bytes after the length field
     * @throws WireException when no frame has such a length
     */
    public static void checkLength(int length, int maxLength) throws WireException {
        if (length < HEADER || length > maxLength) {
            throw new WireException("Expected a frame of " + HEADER + " to " + maxLength + " bytes, got a length of "
                    + Integer.toUnsignedLong(length));
        }
    }

    /**
     * Reads a frame.
     *
     * @param frame what follows the length field, consumed; nothing of it is kept
     * @throws WireException when it is no frame of this version
     */
    public static Frame decode(ByteBuffer frame) throws WireException {
        checkLength(frame.remaining(), MAX_LENGTH);
        WireInput in = new WireInput(frame);
        int version = in.uint8();
        if (version != VERSION) {
            throw new WireException("Expected wire version " + VERSION + ", got version " + version
                    + ": use the same DiPerF version for controller and testers");
        }
        int type = in.uint8();
        int tester = in.int32();
        if (tester < 1) {
            throw new WireException("Expected a tester number of at least 1, got " + tester);
        }
        long sentNanos = in.int64();
        long echoOfNanos = in.int64();
        long echoReceivedNanos = in.int64();
        Message message;
        try {
            message = MessageCodec.read(type, in);
        } catch (IllegalArgumentException e) {
            throw new WireException(
                    "Expected a valid message of type " + type + ", got an invalid one: " + e.getMessage(), e);
        }
        in.end();
        return new Frame(tester, sentNanos, echoOfNanos, echoReceivedNanos, message);
    }
}
