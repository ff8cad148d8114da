package org.diperf.analyzer;

import java.util.Locale;
import org.diperf.core.plan.ClientLifetimes;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Load;
import org.diperf.core.plan.OnFailure;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.plan.Quota;
import org.diperf.core.plan.ThinkTime;
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
        return moving(number, fromMillis, toMillis, from, to, null);
    }

    /** So many clients at once. */
    public static StageRecord level(int number, long fromMillis, long toMillis, int clients, long settledMillis) {
        LevelRecord level = new LevelRecord(clients, settled(settledMillis), "judged by hand");
        return moving(number, fromMillis, toMillis, clients, clients, level);
    }

    /** Clients that share so many calls and nothing else ends. */
    public static StageRecord quota(int clients, long calls) {
        ClientLifetimes lives = new ClientLifetimes.Staggered(0, ClientLifetimes.UNBOUNDED);
        Load load = new ClosedLoad(clients, lives, ThinkTime.NONE, new Quota(calls, 0), OnFailure.CONTINUE, TIMEOUT);
        return new StageRecord(0, 0, ClientLifetimes.UNBOUNDED, load, null, null);
    }

    /** Clients that a failed call retires. */
    public static StageRecord retiring(int clients, long forMillis) {
        ClientLifetimes lives = new ClientLifetimes.Staggered(0, forMillis * MILLI);
        Load load = new ClosedLoad(clients, lives, ThinkTime.NONE, Quota.NONE, OnFailure.RETIRE_CLIENT, TIMEOUT);
        return new StageRecord(0, 0, forMillis * MILLI, load, null, null);
    }

    private static StageRecord moving(
            int number, long fromMillis, long toMillis, int from, int to, @Nullable LevelRecord level) {
        ClientLifetimes lives = new ClientLifetimes.Ramp(from, to, (toMillis - fromMillis) * MILLI);
        Load load = new ClosedLoad(
                Math.max(1, Math.max(from, to)), lives, ThinkTime.NONE, Quota.NONE, OnFailure.CONTINUE, TIMEOUT);
        return new StageRecord(number, fromMillis * MILLI, toMillis * MILLI, load, level, null);
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
        Load load = new OpenLoad(
                from,
                to,
                OpenLoad.Arrivals.valueOf(arrivals.toUpperCase(Locale.ROOT)),
                rampMillis * MILLI,
                Math.max(0, toMillis - fromMillis - rampMillis) * MILLI,
                RunFixture.MAX_IN_FLIGHT,
                OnFailure.CONTINUE,
                TIMEOUT);
        return new StageRecord(number, fromMillis * MILLI, toMillis * MILLI, load, level, null);
    }
}
