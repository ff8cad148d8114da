package org.diperf.controller.collect;

import java.util.HashMap;
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
 * Peers that have not said yet who they are: how many there may be at once, how long they may take, and what one address may
 * cost. Testers may share their address with whoever sends garbage, because a loopback, a NAT or a tunnel stands between: so what
 * costs next to nothing counts next to nothing, and a newcomer never waits for those who came before. Each refusal is logged once
 * per address and reason. Confined to the collector's event loop.
 */
public final class UnauthenticatedPeers {

    private static final Logger LOG = LoggerFactory.getLogger(UnauthenticatedPeers.class);
    static final int MOST = 256;
    private static final long HELLO_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int MAX_REFUSALS_TOLD = 1_000;
    private static final int MAX_ADDRESSES = 1_024;
    /** An address may fail so often at once; then so many failed handshakes of it are paid for a second. */
    static final int FAILURES = 200;

    static final int FAILURES_PER_SECOND = 200;
    /** So many connections that say nothing, or nothing of TLS, cost no more than a failed handshake. */
    static final int NOISE_PER_FAILURE = 20;

    private final Set<PendingPeer> waiting = new LinkedHashSet<>();
    private final Set<String> told = new HashSet<>();
    private final Map<String, RateLimit> allowances = new LinkedHashMap<>();

    /** Who has not said yet who it is. */
    public interface PendingPeer {

        /** Names its address, without the port. */
        String address();

        /** Says when it came. */
        long openedNanos();

        /** Ends it. */
        void close();
    }

    /** Returns whether a peer that has just come may try; who has taken longest may have to go for it. */
    public boolean admit(PendingPeer peer, long nowNanos) {
        RateLimit allowance = allowances.get(peer.address());
        if (allowance != null && !allowance.isLeft(nowNanos)) {
            tell(peer, "too many connections from this address that did not join");
            return false;
        }
        if (waiting.size() >= MOST) {
            PendingPeer goes = mostCrowded();
            waiting.remove(goes);
            refused(goes, "took too long to join while others waited", false, nowNanos);
            goes.close();
        }
        waiting.add(peer);
        return true;
    }

    /** Finds who has waited longest of the address with the most that wait: a tester elsewhere need not go for its flood. */
    private PendingPeer mostCrowded() {
        Map<String, Integer> crowds = new HashMap<>();
        String most = "";
        for (PendingPeer each : waiting) {
            int crowd = crowds.merge(each.address(), 1, Integer::sum);
            most = crowd > crowds.getOrDefault(most, 0) || most.isEmpty() ? each.address() : most;
        }
        String of = most;
        return waiting.stream()
                .filter(each -> each.address().equals(of))
                .findFirst()
                .orElseThrow();
    }

    /** Forgets a peer that has gone or has joined. */
    public void forget(PendingPeer peer) {
        waiting.remove(peer);
    }

    /**
     * Logs why a peer was not let in, and remembers what its address has cost.
     *
     * @param noise whether it said nothing, or nothing of TLS, so that it cost next to nothing
     */
    public void refused(PendingPeer peer, String reason, boolean noise, long nowNanos) {
        String address = peer.address();
        if (!allowances.containsKey(address) && allowances.size() >= MAX_ADDRESSES) {
            Iterator<String> eldest = allowances.keySet().iterator();
            eldest.next();
            eldest.remove();
        }
        allowances
                .computeIfAbsent(address, fresh -> new RateLimit(FAILURES, FAILURES_PER_SECOND, nowNanos))
                .spend(noise ? 1.0 / NOISE_PER_FAILURE : 1, nowNanos);
        tell(peer, reason);
    }

    /** Logs what was refused to one who has joined, such as a relay that passes on what testers say: that is no failure of its. */
    public void tell(PendingPeer peer, String reason) {
        if (told.size() < MAX_REFUSALS_TOLD && told.add(peer.address() + ' ' + reason)) {
            LOG.warn("refused {}: {}", peer.address(), reason);
        }
    }

    /** Ends those who have taken too long. */
    public void tick(long nowNanos) {
        while (!waiting.isEmpty()) {
            PendingPeer oldest = waiting.iterator().next();
            if (nowNanos - oldest.openedNanos() <= HELLO_NANOS) {
                return;
            }
            waiting.remove(oldest);
            refused(oldest, "did not join within " + HELLO_NANOS / 1_000_000_000 + " s", false, nowNanos);
            oldest.close();
        }
    }
}
