package org.diperf.analyzer;

import org.diperf.core.plan.Lives;
import org.diperf.core.run.LevelRecord;
import org.diperf.core.run.StageRecord;
import org.jspecify.annotations.Nullable;

/** Stages as a controller records them; times are milliseconds after the start of the run. */
public final class StageRecords {

    private static final long MILLI = 1_000_000;
    private static final long TIMEOUT = 30_000 * MILLI;

    private StageRecords() {}

    /** The number of clients moves from one value to another. */
    public static StageRecord clients(int number, long fromMillis, long toMillis, int from, int to) {
        return closed(number, fromMillis, toMillis * MILLI, Math.max(from, to), from, to, null, null, null);
    }

    /** So many clients at once. */
    public static StageRecord level(int number, long fromMillis, long toMillis, int clients, long settledMillis) {
        LevelRecord level = new LevelRecord(clients, settled(settledMillis), "judged by hand");
        return closed(number, fromMillis, toMillis * MILLI, clients, clients, clients, null, null, level);
    }

    /** Clients that share so many calls and nothing else ends. */
    public static StageRecord quota(int clients, long calls) {
        return closed(0, 0, Lives.UNBOUNDED, clients, null, null, calls, null, null);
    }

    /** Clients that a failed call retires. */
    public static StageRecord retiring(int clients, long forMillis) {
        return closed(0, 0, forMillis * MILLI, clients, null, null, null, "retire-client", null);
    }

    private static StageRecord closed(
            int number,
            long fromMillis,
            long endNanos,
            int clients,
            @Nullable Integer from,
            @Nullable Integer to,
            @Nullable Long quotaCalls,
            @Nullable String onFailure,
            @Nullable LevelRecord level) {
        return new StageRecord(
                number,
                "closed",
                fromMillis * MILLI,
                endNanos,
                clients,
                to == null ? 0L : null,
                to == null ? endNanos - fromMillis * MILLI : null,
                "none",
                null,
                null,
                null,
                null,
                TIMEOUT,
                from,
                to,
                null,
                quotaCalls,
                null,
                onFailure,
                level,
                null);
    }

    /** The rate moves from one value to another, and stays there for the rest. */
    public static StageRecord rate(
            int number, long fromMillis, long toMillis, long rampMillis, double from, double to, String arrivals) {
        return open(number, fromMillis, toMillis, rampMillis, from, to, arrivals, null);
    }

    /** One rate. */
    public static StageRecord level(int number, long fromMillis, long toMillis, double rate, long settledMillis) {
        LevelRecord level = new LevelRecord(rate, settled(settledMillis), "judged by hand");
        return open(number, fromMillis, toMillis, 0, 0, rate, "constant", level);
    }

    private static @Nullable Long settled(long millis) {
        return millis < 0 ? null : (Long) (millis * MILLI);
    }

    private static StageRecord open(
            int number,
            long fromMillis,
            long toMillis,
            long rampMillis,
            double from,
            double to,
            String arrivals,
            @Nullable LevelRecord level) {
        return new StageRecord(
                number,
                "open",
                fromMillis * MILLI,
                toMillis * MILLI,
                null,
                null,
                null,
                null,
                to,
                arrivals,
                rampMillis * MILLI,
                100,
                TIMEOUT,
                null,
                null,
                from > 0 ? (Double) from : null,
                null,
                null,
                null,
                level,
                null);
    }
}
