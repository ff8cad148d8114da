package org.diperf.analyzer.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.diperf.core.plan.Lives;
import org.diperf.core.plan.OnFailure;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.run.LevelRecord;
import org.diperf.core.run.StageRecord;
import org.jspecify.annotations.Nullable;

/**
 * What a stage offered, in the words of the plan.
 *
 * @param record as {@code run.json} has it
 * @param start ns after the start of the run
 * @param end from which it began no more calls: as planned, or where the next stage cut it off
 */
public record StageShape(StageRecord record, long start, long end) {

    /** Gives the stages of a run. One that nothing bounds but a quota or a stop ends with the last call. */
    static List<StageShape> of(List<StageRecord> records, long lastEnd) {
        List<StageShape> shapes = new ArrayList<>();
        for (int i = 0; i < records.size(); i++) {
            StageRecord record = records.get(i);
            // Stages of one group follow one another; groups run side by side.
            boolean follows =
                    i + 1 < records.size() && Objects.equals(records.get(i + 1).group(), record.group());
            long next = follows ? records.get(i + 1).startNanos() : Long.MAX_VALUE;
            long planned = isUnbounded(record) ? Math.max(record.startNanos(), lastEnd) : record.endNanos();
            shapes.add(new StageShape(
                    record, record.startNanos(), Math.max(record.startNanos(), Math.min(planned, next))));
        }
        return List.copyOf(shapes);
    }

    static boolean isUnbounded(StageRecord record) {
        return record.endNanos() - record.startNanos() >= Lives.UNBOUNDED;
    }

    static boolean hasQuota(StageRecord record) {
        return record.quotaCalls() != null || record.quotaBytes() != null;
    }

    static boolean retiresClients(StageRecord record) {
        String onFailure = record.onFailure();
        return onFailure != null && onFailure.equals("retire-client");
    }

    public boolean isClosed() {
        return record.model().equals("closed");
    }

    /** Gives the instant from which the numbers of the stage count. */
    public long settled() {
        LevelRecord level = record.level();
        Long settled = level == null ? null : level.settledNanos();
        return settled == null ? start : Math.max(start, Math.min(end, settled));
    }

    /** Counts the numbers of the clients that may call; 0 in open load. */
    int clients() {
        if (!isClosed()) {
            return 0;
        }
        int most = Math.max(or(record.fromClients(), 0), or(record.toClients(), 0));
        return Math.max(most, or(record.clients(), most));
    }

    Lives lives() {
        long length = Math.max(1, record.endNanos() - record.startNanos());
        Integer to = record.toClients();
        if (to != null) {
            // A stage that was cut short is recorded as short; how long it was to last may be recorded beside.
            return new Lives.Ramp(or(record.fromClients(), to), to, Math.max(1, or(record.runForNanos(), length)));
        }
        return new Lives.Staggered(
                Math.max(0, or(record.startEveryNanos(), 0L)), Math.max(1, or(record.runForNanos(), length)));
    }

    /** Gives the instant at which a client starts, after the start of the run. */
    long clientStart(Lives lives, int client) {
        return Math.min(end, start + lives.startNanos(client));
    }

    /** Gives the instant from which a client begins no more calls, after the start of the run. */
    long clientEnd(Lives lives, int client) {
        long to = Math.min(Lives.UNBOUNDED, lives.endNanos(client));
        return Math.max(clientStart(lives, client), Math.min(end, start + to));
    }

    /** Says whether the stage offers the same load from its begin to its end. */
    public boolean holdsLoad() {
        if (!isClosed()) {
            return open() != null && steadyFrom() == start;
        }
        Integer to = record.toClients();
        return clients() > 0
                && (to == null
                        ? or(record.startEveryNanos(), 0L) == 0 || clients() == 1
                        : to.equals(or(record.fromClients(), to)));
    }

    boolean isConstant() {
        return "constant".equals(record.arrivals());
    }

    /** Gives the load of an open stage; {@code null} where it offers nothing. */
    @Nullable
    OpenLoad open() {
        double from = or(record.fromPerSecond(), 0.0);
        double to = or(record.perSecond(), 0.0);
        long length = Math.max(0, record.endNanos() - record.startNanos());
        // Of a stage that was cut short the ramp is recorded as planned.
        long ramp = or(record.rampNanos(), 0L);
        if (length == 0 || from * ramp + to * length <= 0) {
            return null;
        }
        return new OpenLoad(
                from,
                to,
                isConstant() ? OpenLoad.Arrivals.CONSTANT : OpenLoad.Arrivals.POISSON,
                ramp,
                Math.max(0, length - ramp),
                Math.max(1, or(record.maxInFlight(), 1)),
                OnFailure.CONTINUE,
                record.timeoutNanos());
    }

    /** Gives the instant from which an open stage offers its last rate, after the start of the run. */
    long steadyFrom() {
        OpenLoad load = open();
        return load == null || load.fromPerSecond() == load.perSecond() ? start : start + load.rampNanos();
    }

    /** Gives the instant until which the load grew, after the start of the run; the begin where it did not. */
    long grewUntil() {
        if (!isClosed()) {
            OpenLoad load = open();
            return load == null || load.fromPerSecond() >= load.perSecond()
                    ? start
                    : Math.min(end, start + load.rampNanos());
        }
        Lives lives = lives();
        if (lives instanceof Lives.Ramp ramp) {
            return ramp.from() < ramp.to() ? end : start;
        }
        return clients() == 0 ? start : clientStart(lives, clients() - 1);
    }

    public static <T> T or(@Nullable T value, T otherwise) {
        return value == null ? otherwise : value;
    }
}
