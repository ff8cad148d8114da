package org.diperf.core.plan;

/** Which row of a data file a call uses if rows are random: a pure function of seed, file, client and call. */
public final class RandomRow {

    /** Keeps these numbers apart from others that are drawn for the same client and call. */
    private static final long OWN = 0x64617461726f7773L;

    private RandomRow() {}

    /**
     * Draws a row.
     *
     * @param file place among the experiment's data files
     * @param rows of the file, at least 1
     * @return from 0 to {@code rows} - 1
     */
    public static long of(long seed, int file, int client, long call, long rows) {
        return (long) (SplitMix.unit(SplitMix.bits(seed + file, OWN, client, call)) * rows);
    }
}
