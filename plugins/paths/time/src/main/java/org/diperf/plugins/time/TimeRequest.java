package org.diperf.plugins.time;

import java.nio.ByteBuffer;

/** The time server's datagram without a tag, as the documentation of the wire has it: 64 bytes, big-endian. */
final class TimeRequest {

    static final int BYTES = 64;

    private static final int MAGIC = 0x4450544D;
    private static final int ASK = 0x0101_0000;
    private static final int ANSWER = 0x0102_0000;
    private static final int KIND_AT = 4;
    private static final int SEQUENCE_AT = 12;
    private static final int RECEIVED_AT = 24;
    private static final int SENT_AT = 32;
    private static final int EPOCH_AT = 40;

    private TimeRequest() {}

    /** Makes a question of no tester. */
    static byte[] of(int sequence) {
        return ByteBuffer.allocate(BYTES)
                .putInt(0, MAGIC)
                .putInt(KIND_AT, ASK)
                .putInt(SEQUENCE_AT, sequence)
                .array();
    }

    /** Makes the answer to a question of ours. */
    static byte[] answer(byte[] question, long receivedNanos, long sentNanos) {
        return ByteBuffer.wrap(question.clone())
                .putInt(KIND_AT, ANSWER)
                .putLong(RECEIVED_AT, receivedNanos)
                .putLong(SENT_AT, sentNanos)
                .putLong(EPOCH_AT, 1)
                .array();
    }

    /** Returns whether these bytes, from index 0, are an answer. */
    static boolean isAnswer(ByteBuffer bytes, int length) {
        return length == BYTES && bytes.getInt(0) == MAGIC && bytes.getInt(KIND_AT) == ANSWER;
    }

    /** Returns which question an answer is for. */
    static int sequence(ByteBuffer bytes) {
        return bytes.getInt(SEQUENCE_AT);
    }
}
