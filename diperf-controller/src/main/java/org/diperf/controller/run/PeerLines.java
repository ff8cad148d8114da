package org.diperf.controller.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.diperf.core.clock.NanoClock;

/**
 * Bounds what each tester and each testbed may write into a run's log: so many lines at once, and one a second from then on.
 * What is left out is counted and said. Thread-safe.
 */
final class PeerLines {

    /** Lines that a tester may send at once. */
    static final int OF_TESTER = 200;

    /** Lines that a testbed may send at once, of all its nodes. */
    static final int OF_TESTBED = 2_000;

    private static final long NANOS_A_LINE = 1_000_000_000L;

    private final NanoClock clock;
    private final Map<String, Allowance> allowances = new LinkedHashMap<>();

    /** Owned by the map's lock. */
    private static final class Allowance {
        /** How far the lines so far reach on the clock at one a second; a line that would reach beyond now is one too many. */
        private long usedUpToNanos;

        private long leftOut;
    }

    PeerLines(NanoClock clock) {
        this.clock = clock;
    }

    /**
     * Takes a line.
     *
     * @param atOnce how many lines the peer may send at once
     * @return what to write: the line, and before it how many were left out; nothing where there are too many
     */
    List<String> take(String peer, int atOnce, String line) {
        synchronized (allowances) {
            long now = clock.nanoTime();
            long earliest = now - atOnce * NANOS_A_LINE;
            Allowance allowance = allowances.get(peer);
            if (allowance == null) {
                allowance = new Allowance();
                allowance.usedUpToNanos = earliest;
                allowances.put(peer, allowance);
            }
            if (allowance.usedUpToNanos - earliest < 0) {
                allowance.usedUpToNanos = earliest;
            }
            if (allowance.usedUpToNanos + NANOS_A_LINE - now > 0) {
                allowance.leftOut++;
                return List.of();
            }
            allowance.usedUpToNanos += NANOS_A_LINE;
            if (allowance.leftOut == 0) {
                return List.of(line);
            }
            String leftOut = leftOut(allowance.leftOut);
            allowance.leftOut = 0;
            return List.of(leftOut, line);
        }
    }

    /** Says of each peer how many of its lines were left out and have not been told of. */
    List<String> leftOut() {
        List<String> lines = new ArrayList<>();
        synchronized (allowances) {
            allowances.forEach((peer, allowance) -> {
                if (allowance.leftOut > 0) {
                    lines.add(peer + ": " + leftOut(allowance.leftOut));
                    allowance.leftOut = 0;
                }
            });
        }
        return lines;
    }

    private static String leftOut(long lines) {
        return String.format(Locale.ROOT, "%,d lines were left out: too many at once", lines);
    }
}
