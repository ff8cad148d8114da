package org.diperf.plugins.emulated.netem;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** Messages by which the kernel tells of all queueing disciplines of a network (Linux, rtnetlink(7), {@code linux/gen_stats.h}). Stateless. */
final class DisciplineMessages {

    private static final int HEADER_BYTES = 16;
    private static final int ATTRIBUTE_BYTES = 4;
    private static final int ALIGNED = 4;

    private static final short NLMSG_ERROR = 2;
    private static final short NLMSG_DONE = 3;
    private static final short RTM_NEWQDISC = 36;
    private static final short RTM_GETQDISC = 38;
    private static final short NLM_F_REQUEST_DUMP = 0x301;

    // struct tcmsg
    private static final int TC_BYTES = 20;
    private static final int TC_DEVICE_AT = 4;
    private static final int TC_HANDLE_AT = 8;
    private static final int MAJOR_SHIFT = 16;

    private static final int TCA_STATS2 = 7;
    private static final int NESTED = 0x8000;
    // struct gnet_stats_queue: packets, bytes, dropped
    private static final int TCA_STATS_QUEUE = 3;
    private static final int DROPPED_AT = 8;
    private static final long UNSIGNED = 0xffff_ffffL;

    private DisciplineMessages() {}

    /** Writes the question for all of them, in the order of bytes that the buffer has. */
    static void ask(ByteBuffer into) {
        into.putInt(HEADER_BYTES + TC_BYTES).putShort(RTM_GETQDISC).putShort(NLM_F_REQUEST_DUMP);
        into.putInt(1).putInt(0);
        into.put(new byte[TC_BYTES]);
    }

    /**
     * Reads messages of an answer, from a buffer whose limit is their end.
     *
     * @param found gets what they tell
     * @return whether these were the last
     * @throws IOException if the kernel does not want to tell
     */
    static boolean read(ByteBuffer from, List<DisciplineCounts> found) throws IOException {
        int at = from.position();
        while (from.limit() - at >= HEADER_BYTES) {
            int length = from.getInt(at);
            if (length < HEADER_BYTES || length > from.limit() - at) {
                throw new IOException(
                        "the kernel reported queueing disciplines in a malformed message of " + length + " bytes");
            }
            short type = from.getShort(at + Integer.BYTES);
            if (type == NLMSG_DONE) {
                return true;
            }
            if (type == NLMSG_ERROR && length >= HEADER_BYTES + Integer.BYTES) {
                throw new IOException(
                        "the kernel does not report queueing disciplines: error " + -from.getInt(at + HEADER_BYTES));
            }
            if (type == RTM_NEWQDISC && length >= HEADER_BYTES + TC_BYTES) {
                found.add(counts(from, at + HEADER_BYTES, at + length));
            }
            at += aligned(length);
        }
        return false;
    }

    private static int aligned(int length) {
        return length + ALIGNED - 1 & -ALIGNED;
    }

    private static DisciplineCounts counts(ByteBuffer from, int at, int end) {
        int device = from.getInt(at + TC_DEVICE_AT);
        int handle = from.getInt(at + TC_HANDLE_AT) >>> MAJOR_SHIFT;
        int all = find(from, at + TC_BYTES, end, TCA_STATS2);
        int queue = all < 0 ? -1 : find(from, all + ATTRIBUTE_BYTES, all + length(from, all), TCA_STATS_QUEUE);
        return queue < 0 || length(from, queue) < ATTRIBUTE_BYTES + DROPPED_AT + Integer.BYTES
                ? new DisciplineCounts(device, handle, 0, 0)
                : new DisciplineCounts(
                        device,
                        handle,
                        from.getInt(queue + ATTRIBUTE_BYTES + DROPPED_AT) & UNSIGNED,
                        from.getInt(queue + ATTRIBUTE_BYTES) & UNSIGNED);
    }

    private static int length(ByteBuffer from, int attribute) {
        return from.getShort(attribute) & 0xffff;
    }

    /** Returns where an attribute is; -1: there is none. */
    private static int find(ByteBuffer from, int begin, int end, int type) {
        int at = begin;
        while (end - at >= ATTRIBUTE_BYTES && length(from, at) >= ATTRIBUTE_BYTES && length(from, at) <= end - at) {
            if ((from.getShort(at + Short.BYTES) & ~NESTED & 0xffff) == type) {
                return at;
            }
            at += aligned(length(from, at));
        }
        return -1;
    }
}
