package org.diperf.analyzer.stats;

/**
 * From when on it matters what the load generator may have added to a number of which nothing particular is asked: as a share of the
 * number, and only from a time on that somebody would notice. A threshold asks more exactly, and is answered so.
 */
public final class OverheadLimits {

    /** Of a number: so much is worth saying. */
    public static final double LIMITED = 0.1;

    private static final double LIMITED_MILLIS = 0.1;
    private static final double UNUSABLE = 0.5;

    private OverheadLimits() {}

    /**
     * Returns whether it is worth saying.
     *
     * @param share of the number
     * @param millis that it may have added to a call
     */
    public static boolean isLimiting(double share, double millis) {
        return share > LIMITED && millis > LIMITED_MILLIS;
    }

    /**
     * Returns whether it leaves open what the service did, likewise.
     *
     * @param maxMillis from when on that matters to whoever asked
     */
    public static boolean isTooMuch(double share, double millis, double maxMillis) {
        return share > UNUSABLE && millis > maxMillis;
    }
}
