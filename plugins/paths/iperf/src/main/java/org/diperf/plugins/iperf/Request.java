package org.diperf.plugins.iperf;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a client asks of a server, as the control connection carries it.
 *
 * @param udp whether datagrams are sent, else streams of TCP
 * @param omitSeconds at the beginning, that do not count
 * @param seconds that count; 0 where bytes or blocks end the test
 * @param bytes to send on all streams of a direction together; 0 for no limit
 * @param blocks to send, likewise
 * @param parallel streams in each direction
 * @param block bytes of a write or of a datagram
 * @param bitsPerSecond limit of each stream; 0 for none
 * @param window bytes of the socket buffers; 0 for the system's choice
 * @param mss bytes of a segment; 0 for the system's choice
 * @param noDelay whether small segments are sent at once
 * @param reverse whether the server sends
 * @param bidirectional whether both send
 * @param wideCounters whether datagrams are numbered in 64 bits, else in 32
 * @param congestion algorithm, {@code null} for the system's choice
 */
record Request(
        boolean udp,
        int omitSeconds,
        int seconds,
        long bytes,
        long blocks,
        int parallel,
        int block,
        long bitsPerSecond,
        int window,
        int mss,
        boolean noDelay,
        boolean reverse,
        boolean bidirectional,
        boolean wideCounters,
        @Nullable String congestion) {

    static final int MAX_PARALLEL = 128;
    static final int MAX_BLOCK = 1 << 20;
    static final int MIN_DATAGRAM = 16;
    static final int MAX_DATAGRAM = 65_507;
    static final int MAX_WINDOW = 512 << 20;
    static final int MAX_MSS = 9_216;
    static final int MAX_SECONDS = 86_400;
    static final int MAX_OMIT_SECONDS = 600;
    static final int DEFAULT_BLOCK = 128 << 10;
    static final int DEFAULT_DATAGRAM = 1_460;

    /** How often a sender with a limit looks whether it may go on, in microseconds. */
    private static final int PACING_MICROS = 1_000;
    /** The version of iperf3 whose messages these are. */
    private static final String VERSION = "3.17";

    /** A parameter that a server does not take; the number is iperf3's. */
    static final class RefusedException extends Exception {

        private static final long serialVersionUID = 1;

        private final int number;

        RefusedException(int number) {
            super(ServerErrors.text(number));
            this.number = number;
        }

        int number() {
            return number;
        }
    }

    /** Says how many streams send from the client. */
    int upward() {
        return reverse && !bidirectional ? 0 : parallel;
    }

    /** Says how many streams send from the server. */
    int downward() {
        return reverse || bidirectional ? parallel : 0;
    }

    /** Returns whether a number of bytes or blocks ends it. */
    boolean hasQuota() {
        return bytes > 0 || blocks > 0;
    }

    String toJson() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put(udp ? "udp" : "tcp", true);
        all.put("omit", omitSeconds);
        all.put("time", seconds);
        all.put("num", bytes);
        all.put("blockcount", blocks);
        all.put("parallel", parallel);
        all.put("len", block);
        all.put("pacing_timer", PACING_MICROS);
        if (mss > 0) {
            all.put("MSS", mss);
        }
        if (window > 0) {
            all.put("window", window);
        }
        if (bitsPerSecond > 0) {
            all.put("bandwidth", bitsPerSecond);
        }
        if (noDelay) {
            all.put("nodelay", true);
        }
        // A server of iperf3 takes the first of these as an order, so only one may be there.
        if (bidirectional) {
            all.put("bidirectional", true);
        } else if (reverse) {
            all.put("reverse", true);
        }
        if (udp && wideCounters) {
            all.put("udp_counters_64bit", 1);
        }
        if (congestion != null) {
            all.put("congestion", congestion);
        }
        all.put("client_version", VERSION);
        return Json.write(all);
    }

    /**
     * Reads what a client asks.
     *
     * @throws MalformedMessageException when it cannot be read
     * @throws RefusedException when it cannot be had
     */
    static Request parse(String json) throws MalformedMessageException, RefusedException {
        Map<String, Object> all = Json.read(json);
        if (Json.truth(all, "sctp")) {
            throw new RefusedException(ServerErrors.NO_SCTP);
        }
        boolean udp = Json.truth(all, "udp");
        long block = Json.whole(all, "len", 0);
        if (udp && block == 0) {
            block = DEFAULT_DATAGRAM;
        }
        if (udp && (block < MIN_DATAGRAM || block > MAX_DATAGRAM)) {
            throw new RefusedException(ServerErrors.DATAGRAM_SIZE);
        }
        String congestion = all.get("congestion") instanceof String name ? name : null;
        return new Request(
                udp,
                (int) within(all, "omit", 0, MAX_OMIT_SECONDS, ServerErrors.OMIT),
                (int) within(all, "time", 0, MAX_SECONDS, ServerErrors.DURATION),
                within(all, "num", 0, Long.MAX_VALUE, ServerErrors.PARAMETERS),
                within(all, "blockcount", 0, Long.MAX_VALUE, ServerErrors.PARAMETERS),
                (int) within(all, "parallel", 1, MAX_PARALLEL, ServerErrors.STREAMS),
                block == 0 ? DEFAULT_BLOCK : (int) within(all, "len", 1, MAX_BLOCK, ServerErrors.BLOCK_SIZE, block),
                within(all, "bandwidth", 0, Long.MAX_VALUE, ServerErrors.PARAMETERS),
                (int) within(all, "window", 0, MAX_WINDOW, ServerErrors.BUFFER_SIZE),
                (int) within(all, "MSS", 0, MAX_MSS, ServerErrors.SEGMENT_SIZE),
                Json.truth(all, "nodelay"),
                Json.truth(all, "reverse"),
                Json.truth(all, "bidirectional"),
                all.containsKey("udp_counters_64bit"),
                congestion);
    }

    private static long within(Map<String, Object> all, String name, long least, long most, int refusal)
            throws RefusedException {
        return within(all, name, least, most, refusal, least);
    }

    private static long within(Map<String, Object> all, String name, long least, long most, int refusal, long otherwise)
            throws RefusedException {
        long value = Json.whole(all, name, otherwise);
        if (value < least || value > most) {
            throw new RefusedException(refusal);
        }
        return value;
    }
}
