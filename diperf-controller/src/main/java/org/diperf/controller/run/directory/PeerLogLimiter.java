package org.diperf.controller.run.directory;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.diperf.controller.collect.RateLimit;
import org.diperf.core.clock.NanoClock;

/**
 * Bounds what each tester and each testbed may write into a run's log: so many lines at once, and one a second from then on.
 * What is left out is counted and said. Thread-safe.
 */
public final class PeerLogLimiter {

    /** Lines that a tester may send at once. */
    public static final int OF_TESTER = 200;

    /** Lines that a testbed may send at once, of all its nodes. */
    public static final int OF_TESTBED = 2_000;

    private static final int LINES_PER_SECOND = 1;

    private final NanoClock clock;
    private final Map<String, Peer> peers = new LinkedHashMap<>();

    /** Owned by the map's lock. */
    private static final class Peer {
        final RateLimit lines;
        long leftOut;

        Peer(RateLimit lines) {
            this.lines = lines;
        }
    }

    public PeerLogLimiter(NanoClock clock) {
        this.clock = clock;
    }

    /**
     * Takes a line.
     *
     * @param atOnce how many lines the peer may send at once
     * @return what to write: the line, and before it how many were left out; nothing where there are too many
     */
    public List<String> take(String peer, int atOnce, String line) {
        synchronized (peers) {
            long now = clock.nanoTime();
            Peer from = peers.computeIfAbsent(peer, name -> new Peer(new RateLimit(atOnce, LINES_PER_SECOND, now)));
            if (!from.lines.take(now)) {
                from.leftOut++;
                return List.of();
            }
            if (from.leftOut == 0) {
                return List.of(line);
            }
            String leftOut = leftOut(from.leftOut);
            from.leftOut = 0;
            return List.of(leftOut, line);
        }
    }

    /** Says of each peer how many of its lines were left out and have not been told of. */
    public List<String> leftOut() {
        List<String> lines = new ArrayList<>();
        synchronized (peers) {
            peers.forEach((name, peer) -> {
                if (peer.leftOut > 0) {
                    lines.add(name + ": " + leftOut(peer.leftOut));
                    peer.leftOut = 0;
                }
            });
        }
        return lines;
    }

    private static String leftOut(long lines) {
        return String.format(Locale.ROOT, "%,d lines were dropped: too many at once", lines);
    }
}
