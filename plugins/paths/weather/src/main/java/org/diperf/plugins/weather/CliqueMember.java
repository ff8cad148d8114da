package org.diperf.plugins.weather;

import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.diperf.core.clock.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * One sensor's part in one clique. A round begins when a member has been promised it by more than half of all; the promise lasts a period, and all
 * of the round happens within it: the token goes from member to member with the time that is left, which each holder counts from before it
 * was sent. So there is one token at most, whoever is lost, slow or cut off, as long as clocks run at the same rate to one per cent. A
 * round whose token is lost is followed by the next one a period after it began; if its leader is lost, the members that follow it in the
 * ring take over one after another.
 *
 * <p>{@link #step} is called by one thread, which waits until {@link #nextNanos}; what other members ask is answered on any thread.
 */
final class CliqueMember {

    /** Of a promise: the rest is for clocks that run at other rates. */
    private static final double USED = 0.99;

    private static final double TAKE_OVER = 0.1;
    private static final double TAKE_OVER_EACH = 0.9;
    private static final Duration MAX_WAIT = Duration.ofSeconds(10);

    private final Clique clique;
    private final int me;
    private final NanoClock clock;
    private final Peers peers;
    private final Grants grants;
    private final Map<Integer, AdaptiveTimeOut> timeOuts = new HashMap<>();

    private @Nullable Token token;
    private List<Integer> targets = List.of();
    private int nextTarget;
    /** Whom it probes first in its next turn, so that all have their turn where there is not time for all. */
    private int firstTarget;

    private long turnEndsNanos;
    private long campaignNanos;
    private boolean first;
    private boolean stopped;

    /**
     * The right to probe.
     *
     * @param leader who was promised the round
     * @param live the members that may have the token in it
     * @param visited those that had it
     * @param deadlineNanos when all of the round is over, by the holder's clock
     */
    record Token(int leader, long round, BitSet live, BitSet visited, long deadlineNanos) {}

    /** How a token went to another member. */
    enum Passed {
        TAKEN,
        /** It was not sent. */
        REFUSED,
        /** It may have been taken; this member has it no more. */
        UNKNOWN
    }

    /** The other members, and what is done to them. Called by the thread of {@link #step}; may block. */
    interface Peers {

        /**
         * Asks all others for a round.
         *
         * @return for each member, by its index: 0 if it promised, how long to wait in ns if it did not, -1 if nothing was heard
         */
        long[] ask(Clique clique, int me, long round, boolean first, Duration lasts);

        /** Takes the promises back. */
        void release(Clique clique, int me, long round);

        /** Passes the token on. */
        Passed pass(Clique clique, int to, Token token);

        /**
         * Probes a member.
         *
         * @return how long it took in ns; negative if it failed
         */
        long probe(Clique clique, int target, Token token, Duration within);
    }

    /**
     * @param startedNanos when the sensor started
     * @param untilNanos when what it promised of an earlier clique of this name is over
     * @param begins whether it begins the clique
     */
    CliqueMember(
            Clique clique, int me, Peers peers, NanoClock clock, long startedNanos, long untilNanos, boolean begins) {
        this.clique = clique;
        this.me = me;
        this.peers = peers;
        this.clock = clock;
        grants = new Grants(startedNanos, untilNanos);
        first = begins;
        long now = clock.nanoTime();
        campaignNanos = begins ? now : now + period();
    }

    Clique clique() {
        return clique;
    }

    private long period() {
        return clique.period().toNanos();
    }

    /** Answers a member that wants to lead a round: 0 to promise it, or how long it has to wait in ns. */
    synchronized long ask(int candidate, long round, boolean of, long lastsNanos) {
        long now = clock.nanoTime();
        if (stopped
                || lastsNanos > period()
                || token != null && token.deadlineNanos() > now && candidate != token.leader()) {
            return period();
        }
        long wait = grants.ask(candidate, round, of, lastsNanos, now);
        if (wait == 0) {
            first = false;
            campaignNanos = takeOverNanos();
        }
        return wait;
    }

    private long takeOverNanos() {
        int n = clique.members().size();
        int rank = (me - grants.leader() - 1 + 2 * n) % n;
        return grants.untilNanos() + (long) (period() * (TAKE_OVER + TAKE_OVER_EACH * rank / n));
    }

    /** Takes a promise back. */
    synchronized void release(int candidate, long round) {
        grants.release(candidate, round, clock.nanoTime());
    }

    /**
     * Answers a member that passes the token on.
     *
     * @param readyNanos when this sensor said that it was ready for it: before it was sent
     * @param leftNanos of the round when it was sent
     * @return whether it was taken
     */
    synchronized boolean take(int leader, long round, BitSet live, BitSet visited, long readyNanos, long leftNanos) {
        long now = clock.nanoTime();
        long deadline = readyNanos + Math.min(leftNanos, period());
        if (stopped || token != null || deadline - now <= 0 || !grants.holds(leader, round, now) || visited.get(me)) {
            return false;
        }
        begin(new Token(leader, round, live, visited, deadline));
        return true;
    }

    private void begin(Token of) {
        of.visited().set(me);
        BitSet left = (BitSet) of.live().clone();
        left.andNot(of.visited());
        long now = clock.nanoTime();
        turnEndsNanos = now + (of.deadlineNanos() - now) / (left.cardinality() + 1);
        // Who did not answer comes last: to wait for it must not cost the others their probes.
        List<Integer> all = new ArrayList<>();
        List<Integer> silent = new ArrayList<>();
        int n = clique.members().size();
        for (int i = 0; i < n; i++) {
            int target = (firstTarget + i) % n;
            if (target != me) {
                (of.live().get(target) ? all : silent).add(target);
            }
        }
        all.addAll(silent);
        targets = all;
        nextTarget = 0;
        token = of;
    }

    /** Ends its part for good: it neither promises nor probes. */
    synchronized void stop() {
        stopped = true;
        token = null;
    }

    synchronized boolean isStopped() {
        return stopped;
    }

    /** Ends its part for a later generation; returns when what it promised is over. */
    synchronized long retired() {
        stop();
        return grants.untilNanos();
    }

    /** Returns the round that it leads while it has the token, else -1. */
    synchronized long leads() {
        return token != null && token.leader() == me ? token.round() : -1;
    }

    /** Returns when {@link #step} has something to do. */
    synchronized long nextNanos() {
        return stopped ? Long.MAX_VALUE : token != null ? clock.nanoTime() : campaignNanos;
    }

    /** Does one thing: probes one member, passes the token on, or asks to lead a round. */
    void step() {
        Token held;
        int target = -1;
        synchronized (this) {
            if (stopped) {
                return;
            }
            held = token;
            if (held != null && nextTarget < targets.size() && turnEndsNanos - clock.nanoTime() > 0) {
                target = targets.get(nextTarget++);
                firstTarget = (target + 1) % clique.members().size();
            } else if (held == null && campaignNanos - clock.nanoTime() > 0) {
                return;
            }
        }
        if (held == null) {
            campaign();
        } else if (target >= 0) {
            probe(held, target);
        } else {
            pass(held);
        }
    }

    private void probe(Token held, int target) {
        AdaptiveTimeOut timeOut = timeOuts.computeIfAbsent(target, each -> new AdaptiveTimeOut(MAX_WAIT));
        long left = turnEndsNanos - clock.nanoTime();
        Duration within = Duration.ofNanos(Math.min(left, timeOut.current().toNanos()));
        if (left <= 0) {
            return;
        }
        long took = peers.probe(clique, target, held, within);
        if (took < 0) {
            timeOut.missed();
        } else {
            timeOut.took(took);
        }
    }

    private void pass(Token held) {
        int n = clique.members().size();
        // It is this member's no more from here on, however it goes.
        synchronized (this) {
            token = null;
        }
        for (int i = 1; i < n; i++) {
            int to = (me + i) % n;
            if (!held.live().get(to) || held.visited().get(to) || held.deadlineNanos() - clock.nanoTime() <= 0) {
                continue;
            }
            if (peers.pass(clique, to, held) != Passed.REFUSED) {
                return;
            }
            held.visited().set(to);
        }
    }

    private void campaign() {
        long began;
        long round;
        boolean isFirst;
        synchronized (this) {
            began = clock.nanoTime();
            round = grants.round() + 1;
            isFirst = first;
            long wait = grants.ask(me, round, isFirst, period(), began);
            if (wait > 0) {
                campaignNanos = began + wait;
                return;
            }
        }
        int n = clique.members().size();
        long[] answers = peers.ask(clique, me, round, isFirst, clique.period());
        BitSet live = new BitSet(n);
        live.set(me);
        long wait = 0;
        for (int i = 0; i < n; i++) {
            if (i != me && answers[i] == 0) {
                live.set(i);
            } else if (i != me) {
                wait = Math.max(wait, answers[i]);
            }
        }
        boolean leads = live.cardinality() > n / 2;
        synchronized (this) {
            long deadline = began + (long) (USED * period());
            if (leads && grants.holds(me, round, clock.nanoTime()) && !stopped) {
                campaignNanos = began + period();
                first = false;
                begin(new Token(me, round, live, new BitSet(n), deadline));
                return;
            }
            grants.release(me, round, clock.nanoTime());
            // Those that lose to each other try again one after another.
            campaignNanos = clock.nanoTime() + Math.max(wait, period() / 10) + period() * me / (2L * n);
        }
        peers.release(clique, me, round);
    }
}
