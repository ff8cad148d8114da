package org.diperf.plugins.emulated.topology;

import java.util.ArrayList;
import java.util.List;

/**
 * Traffic that is made up: a host sends requests to another one, which answers each at once. Immutable.
 *
 * @param from number of the host that sends requests
 * @param to number of the host that answers
 * @param startNanos of the first request
 * @param requests at least 1
 * @param requestBytes of the IP packet of a request
 * @param answerBytes of the IP packet of an answer; 0: there is none
 * @param gapNanos between requests, at least 1
 * @param isSteady whether all gaps are equal; else they are exponential with that mean
 */
public record Flow(
        int from,
        int to,
        long startNanos,
        int requests,
        int requestBytes,
        int answerBytes,
        long gapNanos,
        boolean isSteady) {

    private static final int MIN_BYTES = 20;
    private static final int WORDS = 8;

    public Flow {
        check(from != to && from >= 0 && to >= 0, "two different hosts", from + " and " + to);
        check(startNanos >= 0, "a start of 0 ns or later", startNanos + " ns");
        check(requests >= 1, "one request or more", requests);
        check(gapNanos >= 1, "a gap of 1 ns or longer", gapNanos + " ns");
        check(isPacket(requestBytes), "requests of " + MIN_BYTES + " to " + Topology.MTU + " bytes", requestBytes);
        check(
                answerBytes == 0 || isPacket(answerBytes),
                "answers of 0 or " + MIN_BYTES + " to " + Topology.MTU + " bytes",
                answerBytes);
    }

    private static boolean isPacket(int bytes) {
        return bytes >= MIN_BYTES && bytes <= Topology.MTU;
    }

    private static void check(boolean holds, String expected, Object got) {
        if (!holds) {
            throw new IllegalArgumentException("expected a flow with " + expected + ", got " + got);
        }
    }

    /** Writes flows as lines, for a process that is to carry them. */
    public static List<String> write(List<Flow> flows) {
        List<String> lines = new ArrayList<>();
        for (Flow flow : flows) {
            lines.add(flow.from + " " + flow.to + " " + flow.startNanos + " " + flow.requests + " " + flow.requestBytes
                    + " " + flow.answerBytes + " " + flow.gapNanos + " " + flow.isSteady);
        }
        return lines;
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @throws IllegalArgumentException if it is anything else
     */
    public static List<Flow> read(List<String> lines) {
        List<Flow> flows = new ArrayList<>();
        for (String line : lines) {
            String[] words = line.split(" ");
            if (words.length != WORDS) {
                throw new IllegalArgumentException("Expected a flow, got '" + line + "'");
            }
            flows.add(new Flow(
                    Integer.parseInt(words[0]),
                    Integer.parseInt(words[1]),
                    Long.parseLong(words[2]),
                    Integer.parseInt(words[3]),
                    Integer.parseInt(words[4]),
                    Integer.parseInt(words[5]),
                    Long.parseLong(words[6]),
                    Boolean.parseBoolean(words[7])));
        }
        return flows;
    }
}
