package org.diperf.plugins.stamp;

import io.netty.buffer.ByteBuf;

/** The unauthenticated datagrams of RFC 8762, sections 4.2.1 and 4.3.1, with times as those of NTP. */
final class Packet {

    /** What a sender's datagram and its answer have at least. */
    static final int BYTES = 44;
    /** What those of TWAMP Light have at least. */
    static final int MIN_SENT_BYTES = 14;

    static final int MIN_ANSWER_BYTES = 41;

    private static final int TIME_AT = 4;
    private static final int ERROR_AT = 12;
    private static final int RECEIVED_AT = 16;
    private static final int SENDER_NUMBER_AT = 24;

    /** Not synchronised to UTC, times of NTP, an error of about a second: nobody needs to believe more. */
    private static final int ERROR_ESTIMATE = 32 << 8 | 1;

    /** From 1900, where NTP's time begins, to 1970. */
    private static final long EPOCH_SECONDS = 2_208_988_800L;

    private static final long NANOS = 1_000_000_000L;
    private static final int TTL = 255;

    private Packet() {}

    /**
     * Writes a sender's datagram.
     *
     * @param unixNanos on the sender's clock
     * @param bytes of the whole datagram
     */
    static ByteBuf sent(ByteBuf into, int number, long unixNanos, int bytes) {
        into.writeInt(number).writeLong(ntp(unixNanos)).writeShort(ERROR_ESTIMATE);
        return into.writeZero(bytes - MIN_SENT_BYTES);
    }

    /**
     * Writes the answer to a sender's datagram.
     *
     * @param number the reflector's own
     * @param receivedNanos Unix time on the reflector's clock, as {@code sentNanos}
     */
    static ByteBuf answer(ByteBuf into, ByteBuf question, int number, long receivedNanos, long sentNanos) {
        int at = question.readerIndex();
        into.writeInt(number)
                .writeLong(ntp(sentNanos))
                .writeShort(ERROR_ESTIMATE)
                .writeShort(0);
        into.writeLong(ntp(receivedNanos));
        into.writeInt(question.getInt(at)).writeLong(question.getLong(at + TIME_AT));
        into.writeShort(question.getShort(at + ERROR_AT)).writeShort(0).writeByte(TTL);
        return into.writeZero(Math.max(0, question.readableBytes() - MIN_ANSWER_BYTES));
    }

    /** Returns whether a datagram is long enough for an answer. */
    static boolean isAnswer(ByteBuf packet) {
        return packet.readableBytes() >= MIN_ANSWER_BYTES;
    }

    /** Returns the number that the reflector, or the sender, gave this datagram. */
    static int number(ByteBuf packet) {
        return packet.getInt(packet.readerIndex());
    }

    /** Returns the number of the datagram that is answered. */
    static int answered(ByteBuf answer) {
        return answer.getInt(answer.readerIndex() + SENDER_NUMBER_AT);
    }

    /** Returns when the reflector received what it answers, Unix time on its clock. */
    static long receivedNanos(ByteBuf answer) {
        return nanos(answer.getLong(answer.readerIndex() + RECEIVED_AT), isPtp(answer));
    }

    /** Returns when the reflector sent the answer, Unix time on its clock. */
    static long sentNanos(ByteBuf answer) {
        return nanos(answer.getLong(answer.readerIndex() + TIME_AT), isPtp(answer));
    }

    /** The bit Z of the error estimate says that times are those of PTP, truncated to 64 bits. */
    private static boolean isPtp(ByteBuf packet) {
        return (packet.getShort(packet.readerIndex() + ERROR_AT) & 1 << 14) != 0;
    }

    static long ntp(long unixNanos) {
        long seconds = Math.floorDiv(unixNanos, NANOS) + EPOCH_SECONDS;
        long fraction = (Math.floorMod(unixNanos, NANOS) << 32) / NANOS;
        return seconds << 32 | fraction;
    }

    static long nanos(long time, boolean ptp) {
        long seconds = time >>> 32;
        long fraction = time & 0xffff_ffffL;
        return ptp ? seconds * NANOS + fraction : (seconds - EPOCH_SECONDS) * NANOS + (fraction * NANOS >>> 32);
    }
}
