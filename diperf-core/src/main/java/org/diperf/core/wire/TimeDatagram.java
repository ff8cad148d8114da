package org.diperf.core.wire;

import java.nio.ByteBuffer;

/**
 * A question to the time server and its answer: 64 bytes, big-endian, read and written in place. The answer is the
 * question with two more stamps, so it is never longer.
 *
 * <pre>
 *  0  int32  magic "DPTM"
 *  4  int8   version
 *  5  int8   kind: 1 question, 2 answer
 *  6  int16  1 in a question that another follows as soon as it is answered, else 0
 *  8  int32  tester, 0 where there is none
 * 12  int32  sequence, chosen by who asks
 * 16  int64  T1: the question was sent, on the asker's clock, ns
 * 24  int64  T2: the server received it, on the server's clock, ns; 0 in a question
 * 32  int64  T3: the server sent the answer; 0 in a question
 * 40  int64  epoch: which clock the server's is; 0 in a question
 * 48  16     tag of the 48 bytes before but T1; see {@link TimeTag}
 * </pre>
 *
 * <p>T1 is not under the tag, so that it can be written last, right before the sending. The asker does not take it from
 * the answer: it remembers what it sent under that sequence.
 */
public final class TimeDatagram {

    /** Length of every question and every answer. */
    public static final int BYTES = 64;

    static final int TAG = 48;
    static final int ASKED_AT = 16;

    private static final int MAGIC = 0x4450544D;
    private static final int VERSION = 1;
    private static final int QUESTION = kindWord(1);
    private static final int FOLLOWED_QUESTION = QUESTION + 1;
    private static final int ANSWER = kindWord(2);
    private static final int KIND_AT = 4;
    private static final int TESTER_AT = 8;
    private static final int SEQUENCE_AT = 12;
    private static final int RECEIVED_AT = 24;
    private static final int SENT_AT = 32;
    private static final int EPOCH_AT = 40;

    private TimeDatagram() {}

    private static int kindWord(int kind) {
        return VERSION << 24 | kind << 16;
    }

    /** Writes a question but for T1 and its tag, from index 0. */
    public static void ask(ByteBuffer datagram, int tester, int sequence) {
        ask(datagram, tester, sequence, false);
    }

    /**
     * Writes a question but for T1 and its tag, from index 0.
     *
     * @param followed whether another one follows as soon as this one is answered, so that waking for it is not worth while
     */
    public static void ask(ByteBuffer datagram, int tester, int sequence, boolean followed) {
        datagram.putInt(0, MAGIC);
        datagram.putInt(KIND_AT, followed ? FOLLOWED_QUESTION : QUESTION);
        datagram.putInt(TESTER_AT, tester);
        datagram.putInt(SEQUENCE_AT, sequence);
        datagram.putLong(ASKED_AT, 0);
        datagram.putLong(RECEIVED_AT, 0);
        datagram.putLong(SENT_AT, 0);
        datagram.putLong(EPOCH_AT, 0);
    }

    /** Writes T1, which is not under the tag. */
    public static void askedNanos(ByteBuffer datagram, long askedNanos) {
        datagram.putLong(ASKED_AT, askedNanos);
    }

    /** Makes a question its answer, but for the tag. */
    public static void answer(ByteBuffer datagram, long receivedNanos, long epoch, long sentNanos) {
        datagram.putInt(KIND_AT, ANSWER);
        datagram.putLong(RECEIVED_AT, receivedNanos);
        datagram.putLong(EPOCH_AT, epoch);
        datagram.putLong(SENT_AT, sentNanos);
    }

    /** Returns whether these bytes from index 0 are a question; of the tag nothing is said. */
    public static boolean isQuestion(ByteBuffer datagram, int length) {
        return length == BYTES
                && datagram.getInt(0) == MAGIC
                && (datagram.getInt(KIND_AT) == QUESTION || isFollowed(datagram))
                && datagram.getLong(RECEIVED_AT) == 0
                && datagram.getLong(SENT_AT) == 0
                && datagram.getLong(EPOCH_AT) == 0;
    }

    /** Returns whether a question promises another one. */
    public static boolean isFollowed(ByteBuffer datagram) {
        return datagram.getInt(KIND_AT) == FOLLOWED_QUESTION;
    }

    /** Returns whether these bytes from index 0 are an answer; of the tag nothing is said. */
    public static boolean isAnswer(ByteBuffer datagram, int length) {
        return length == BYTES && datagram.getInt(0) == MAGIC && datagram.getInt(KIND_AT) == ANSWER;
    }

    /** Returns who asked; 0: no tester. */
    public static int tester(ByteBuffer datagram) {
        return datagram.getInt(TESTER_AT);
    }

    /** Returns the asker's number of the question. */
    public static int sequence(ByteBuffer datagram) {
        return datagram.getInt(SEQUENCE_AT);
    }

    /** Returns T1, on the asker's clock. */
    public static long askedNanos(ByteBuffer datagram) {
        return datagram.getLong(ASKED_AT);
    }

    /** Returns T2, on the server's clock. */
    public static long receivedNanos(ByteBuffer datagram) {
        return datagram.getLong(RECEIVED_AT);
    }

    /** Returns T3, on the server's clock. */
    public static long sentNanos(ByteBuffer datagram) {
        return datagram.getLong(SENT_AT);
    }

    /** Returns the id of the server's clock. */
    public static long epoch(ByteBuffer datagram) {
        return datagram.getLong(EPOCH_AT);
    }
}
