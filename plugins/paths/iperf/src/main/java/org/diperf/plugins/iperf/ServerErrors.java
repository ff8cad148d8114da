package org.diperf.plugins.iperf;

import java.util.Map;
import org.diperf.core.spi.Failure;

/** The numbers by which servers of iperf3 say why they end a test; the same in all versions since 3.1. */
final class ServerErrors {

    static final int DURATION = 5;
    static final int STREAMS = 6;
    static final int BLOCK_SIZE = 7;
    static final int BUFFER_SIZE = 8;
    static final int SEGMENT_SIZE = 10;
    static final int OMIT = 12;
    static final int NO_SCTP = 18;
    static final int DATAGRAM_SIZE = 20;
    static final int MESSAGE = 110;
    static final int PARAMETERS = 114;
    static final int RESULTS = 117;
    static final int SET_SEGMENT_SIZE = 123;
    static final int SET_CONGESTION = 134;
    static final int SET_BUFFER = 141;
    static final int NO_DATA = 144;

    /** What an experiment asked for and the server does not give. */
    private static final Map<Integer, String> REFUSALS = Map.ofEntries(
            Map.entry(DURATION, "time"),
            Map.entry(STREAMS, "parallel"),
            Map.entry(BLOCK_SIZE, "block"),
            Map.entry(BUFFER_SIZE, "window"),
            Map.entry(SEGMENT_SIZE, "mss"),
            Map.entry(11, "zero copy"),
            Map.entry(OMIT, "omit"),
            Map.entry(15, "burst"),
            Map.entry(NO_SCTP, "SCTP"),
            Map.entry(DATAGRAM_SIZE, "UDP block size"),
            Map.entry(21, "type of service"),
            Map.entry(27, "rate above the server's limit"),
            Map.entry(37, "time above the server's limit"),
            Map.entry(PARAMETERS, "parameters"),
            Map.entry(SET_SEGMENT_SIZE, "mss"),
            Map.entry(124, "window"),
            Map.entry(SET_CONGESTION, "congestion"),
            Map.entry(SET_BUFFER, "window above the server's kernel limit"));

    private static final Map<Integer, String> OTHERS = Map.of(
            MESSAGE,
            "unknown message",
            RESULTS,
            "results not understood",
            142,
            "authentication expected",
            NO_DATA,
            "no data received",
            160,
            "time limit reached");

    private ServerErrors() {}

    static String text(int number) {
        String refused = REFUSALS.get(number);
        return refused != null
                ? "refused: " + refused
                : "server error: " + OTHERS.getOrDefault(number, "number " + number);
    }

    /** Says what a server's number means for a call. */
    static Failure failure(int number) {
        return REFUSALS.containsKey(number) ? Failure.ofExperiment(text(number)) : Failure.ofService(text(number));
    }
}
