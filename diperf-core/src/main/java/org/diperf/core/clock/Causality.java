package org.diperf.core.clock;

/**
 * Checks that reconciled times keep cause and effect in order: a call began before the server got it, and ended after the
 * server answered. A call that does not, by more than the bound of its clock, is proof that the bound is wrong; it must not
 * be. Confined to one thread.
 */
public final class Causality {

    private final Corridor.Reader reader;
    private long checked;
    private long violated;
    private long worstNanos = Long.MIN_VALUE;

    /** @param clock of the client that made the calls */
    public Causality(Corridor clock) {
        this.reader = clock.reader();
    }

    /**
     * Checks one call.
     *
     * @param sentNanos when the call was sent, on the client's clock
     * @param endedNanos when it had ended, on the client's clock
     * @param arrivedNanos when it came to the server, in global time
     * @param departedNanos when the answer left the server, in global time
     * @return whether the call's interval contains the server's, within the bound
     */
    public boolean check(long sentNanos, long endedNanos, long arrivedNanos, long departedNanos) {
        long early = reader.globalNanos(sentNanos) - arrivedNanos - reader.boundNanos(sentNanos);
        long late = departedNanos - reader.globalNanos(endedNanos) - reader.boundNanos(endedNanos);
        long excess = Math.max(early, late);
        worstNanos = checked == 0 ? excess : Math.max(worstNanos, excess);
        checked++;
        if (excess > 0) {
            violated++;
        }
        return excess <= 0;
    }

    /** Counts the calls that were checked. */
    public long checked() {
        return checked;
    }

    /** Counts the calls that were out of order. */
    public long violated() {
        return violated;
    }

    /** Gives by how much the worst call was outside its bound; below 0: by how much it was inside. */
    public long worstNanos() {
        return worstNanos;
    }
}
