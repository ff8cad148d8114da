package org.diperf.core.plan;

/** What is drawn within a journey: a pure function of seed, client and call. */
public final class JourneyRandom {

    /** Keep these numbers apart from others that are drawn for the same client and call. */
    private static final long PAUSE = 0x7061757365206F66L;

    private static final long LOOP = 0x6C6F6F7020746F67L;

    private JourneyRandom() {}

    /**
     * Returns the length of a pause.
     *
     * @param call number of the client's call before which it is
     * @param place of the move
     */
    public static long pauseNanos(ThinkTime think, long seed, int client, long call, int place) {
        return think.nanos(SplitMix.bits(seed + place, PAUSE, client, call));
    }

    /** Returns how often a loop is done. */
    public static long times(Journey.Move.Repeat loop, long seed, int client, long call, int place) {
        long span = loop.most() - loop.least();
        return loop.least()
                + (span == 0
                        ? 0
                        : (long) (SplitMix.unit(SplitMix.bits(seed + place, LOOP, client, call)) * (span + 1)));
    }
}
