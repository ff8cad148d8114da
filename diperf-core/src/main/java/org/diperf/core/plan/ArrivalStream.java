package org.diperf.core.plan;

/** The arrivals of one tester, in order. Confined to one thread; asking for the next one allocates nothing. */
public final class ArrivalStream {

    /** Given when there are no more arrivals. */
    public static final long END = Long.MAX_VALUE;

    private final OpenLoad load;
    private final long seed;
    private final int stage;
    private final int tester;
    private final int testers;
    private long drawn;
    private double unitTime;

    ArrivalStream(OpenLoad load, long seed, int stage, int tester, int testers) {
        this.load = load;
        this.seed = seed;
        this.stage = stage;
        this.tester = tester;
        this.testers = testers;
    }

    /**
     * Returns the next arrival.
     *
     * @return nanoseconds after the start of the stage, never falling; {@link #END} when the stage is over
     */
    public long next() {
        double arrivals;
        if (load.arrivals() == OpenLoad.Arrivals.CONSTANT) {
            arrivals = tester - 1 + (double) drawn * testers;
        } else {
            // A unit-rate Poisson process, stretched by the inverse of the integrated rate (Cinlar, 1975).
            unitTime += SplitMix.exponential(SplitMix.bits(seed, stage, tester, drawn));
            arrivals = unitTime * testers;
        }
        drawn++;
        double nanos = load.instantNanos(arrivals);
        return nanos < load.lengthNanos() ? (long) nanos : END;
    }

    /** Counts the arrivals that {@link #next} has given, the end not included. */
    public long drawn() {
        return drawn;
    }
}
