package org.diperf.plugins.weather;

/**
 * What one member has promised of one clique: until its time is up, no other member than {@link #leader} may lead a round. Who has such promises
 * from more than half of the members leads alone for as long as the shortest of them lasts from when it was asked for. Confined to its
 * owner; times are the member's own clock.
 */
final class Grants {

    private static final int NOBODY = -1;

    private final long startedNanos;
    private int leader = NOBODY;
    private long round = -1;
    private long untilNanos;

    /**
     * @param startedNanos when this sensor started: what it promised before that, it does not know
     * @param untilNanos when what it promised of an earlier clique of this name is over
     */
    Grants(long startedNanos, long untilNanos) {
        this.startedNanos = startedNanos;
        this.untilNanos = untilNanos;
    }

    /**
     * Promises a candidate a round, or does not.
     *
     * @param first whether it asks for the first round of a clique, of which nobody can have promised anything before
     * @param lastsNanos of the promise
     * @return 0 if it was promised, else how long the candidate has to wait, in ns
     */
    long ask(int candidate, long of, boolean first, long lastsNanos, long nowNanos) {
        long wait = untilNanos - nowNanos;
        if (leader != candidate && wait > 0) {
            return wait;
        }
        if (leader == NOBODY && !first) {
            // Before it was started anew it may have promised another one as much.
            long silent = startedNanos + lastsNanos - nowNanos;
            if (silent > 0) {
                return silent;
            }
        }
        if (leader == candidate && of < round && wait > 0) {
            return wait;
        }
        leader = candidate;
        round = of;
        untilNanos = nowNanos + lastsNanos;
        return 0;
    }

    /** Takes a promise back, which the candidate has no use for. */
    void release(int candidate, long of, long nowNanos) {
        if (leader == candidate && round == of) {
            untilNanos = nowNanos;
        }
    }

    /** Returns whether the round was promised to a member, and still is. */
    boolean holds(int candidate, long of, long nowNanos) {
        return leader == candidate && round == of && untilNanos - nowNanos > 0;
    }

    /** Returns who led last; -1 if nobody is known. */
    int leader() {
        return leader;
    }

    /** Returns the number of the last round that is known. */
    long round() {
        return round;
    }

    /** Returns until when nobody else may lead. */
    long untilNanos() {
        return untilNanos;
    }
}
