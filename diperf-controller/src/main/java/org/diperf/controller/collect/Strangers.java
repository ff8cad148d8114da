package org.diperf.controller.collect;

import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Peers that have not said yet who they are: how many there may be at once, how long they may take, and how often one
 * address may fail. Each refusal is logged once per address and reason. Confined to the collector's event loop.
 */
public final class Strangers {

    private static final Logger LOG = LoggerFactory.getLogger(Strangers.class);
    private static final int MOST = 256;
    private static final long HELLO_NANOS = TimeUnit.SECONDS.toNanos(10);
    /** Who has taken so long makes way for others when there are too many: a handshake takes milliseconds. */
    private static final long MAKES_WAY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final int MAX_REFUSALS_TOLD = 1_000;
    private static final int MAX_ADDRESSES = 1_024;
    /** An address may fail so often at once; then so many connections of it are let in a second. */
    private static final int FAILURES = 200;

    private static final double FAILURES_PER_SECOND = 50;

    private final Set<Stranger> waiting = new LinkedHashSet<>();
    private final Set<String> told = new HashSet<>();
    private final Map<String, Credit> credits = new LinkedHashMap<>();

    /** Who has not said yet who it is. */
    public interface Stranger {

        /** Names its address, without the port. */
        String address();

        /** Says when it came. */
        long openedNanos();

        /** Ends it. */
        void close();
    }

    /** What an address may still fail. */
    private static final class Credit {
        private double left = FAILURES;
        private long atNanos;

        Credit(long atNanos) {
            this.atNanos = atNanos;
        }

        void refill(long nowNanos) {
            left = Math.min(FAILURES, left + Math.max(0, nowNanos - atNanos) / 1e9 * FAILURES_PER_SECOND);
            atNanos = nowNanos;
        }
    }

    /** Returns whether a peer that has just come may try; who has taken longest may have to go for it. */
    public boolean admit(Stranger peer, long nowNanos) {
        Credit credit = credits.get(peer.address());
        if (credit != null) {
            credit.refill(nowNanos);
            if (credit.left < 1) {
                refused(peer, "too many connections from there that did not join", nowNanos);
                return false;
            }
        }
        if (waiting.size() >= MOST) {
            Stranger oldest = waiting.iterator().next();
            if (nowNanos - oldest.openedNanos() < MAKES_WAY_NANOS) {
                refused(peer, "too many connections that have not joined (limit " + MOST + ")", nowNanos);
                return false;
            }
            waiting.remove(oldest);
            refused(oldest, "took too long to join while others waited", nowNanos);
            oldest.close();
        }
        waiting.add(peer);
        return true;
    }

    /** Forgets a peer that has gone or has joined. */
    public void forget(Stranger peer) {
        waiting.remove(peer);
    }

    /** Logs why a peer was not let in, and remembers that its address failed. */
    public void refused(Stranger peer, String reason, long nowNanos) {
        String address = peer.address();
        if (!credits.containsKey(address) && credits.size() >= MAX_ADDRESSES) {
            Iterator<String> eldest = credits.keySet().iterator();
            eldest.next();
            eldest.remove();
        }
        Credit credit = credits.computeIfAbsent(address, fresh -> new Credit(nowNanos));
        credit.refill(nowNanos);
        credit.left = Math.max(0, credit.left - 1);
        tell(peer, reason);
    }

    /** Logs what was refused to one who has joined, such as a relay that passes on what testers say: that is no failure of its. */
    public void tell(Stranger peer, String reason) {
        if (told.size() < MAX_REFUSALS_TOLD && told.add(peer.address() + ' ' + reason)) {
            LOG.warn("refused {}: {}", peer.address(), reason);
        }
    }

    /** Ends those who have taken too long. */
    public void tick(long nowNanos) {
        while (!waiting.isEmpty()) {
            Stranger oldest = waiting.iterator().next();
            if (nowNanos - oldest.openedNanos() <= HELLO_NANOS) {
                return;
            }
            waiting.remove(oldest);
            refused(oldest, "did not join within " + HELLO_NANOS / 1_000_000_000 + " s", nowNanos);
            oldest.close();
        }
    }
}
