package org.diperf.analyzer.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.diperf.core.plan.ClientLifetimes;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Load;
import org.diperf.core.plan.OnFailure;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.run.LevelRecord;
import org.diperf.core.run.StageRecord;
import org.jspecify.annotations.Nullable;

/**
 * A stage as it was planned, and when it was under way.
 *
 * @param record as {@code run.json} has it
 * @param start ns after the start of the run
 * @param end from which it started no more calls: as planned, or where the next stage cut it off
 */
public record StageTiming(StageRecord record, long start, long end) {

    /** Returns the stages of a run. One that nothing bounds but a quota or a stop ends with the last call. */
    static List<StageTiming> of(List<StageRecord> records, long lastEnd) {
        List<StageTiming> shapes = new ArrayList<>();
        for (int i = 0; i < records.size(); i++) {
            StageRecord record = records.get(i);
            // Stages of one group follow one another; groups run side by side.
            boolean follows =
                    i + 1 < records.size() && Objects.equals(records.get(i + 1).group(), record.group());
            long next = follows ? records.get(i + 1).startNanos() : Long.MAX_VALUE;
            long planned = isUnbounded(record) ? Math.max(record.startNanos(), lastEnd) : record.endNanos();
            shapes.add(new StageTiming(
                    record, record.startNanos(), Math.max(record.startNanos(), Math.min(planned, next))));
        }
        return List.copyOf(shapes);
    }

    static boolean isUnbounded(StageRecord record) {
        return record.endNanos() - record.startNanos() >= ClientLifetimes.UNBOUNDED;
    }

    static boolean hasQuota(StageRecord record) {
        Load load = record.load();
        return load != null && load.isLimited();
    }

    static boolean retiresClients(StageRecord record) {
        Load load = record.load();
        return load != null && load.onFailure() == OnFailure.RETIRE_CLIENT;
    }

    public boolean isClosed() {
        return record.closed() != null;
    }

    /** Returns the instant from which the numbers of the stage count. */
    public long settled() {
        LevelRecord level = record.level();
        Long settled = level == null ? null : level.settledNanos();
        return settled == null ? start : Math.max(start, Math.min(end, settled));
    }

    /** Counts the numbers of the clients that may call; 0 in open load. */
    int clients() {
        ClosedLoad closed = record.closed();
        return closed == null ? 0 : closed.clients();
    }

    /** Returns the instant at which a client starts, after the start of the run. */
    long clientStart(ClosedLoad load, int client) {
        return Math.min(end, start + load.clientStartNanos(client));
    }

    /** Returns the instant from which a client starts no more calls, after the start of the run. */
    long clientEnd(ClosedLoad load, int client) {
        long to = Math.min(ClientLifetimes.UNBOUNDED, load.clientEndNanos(client));
        return Math.max(clientStart(load, client), Math.min(end, start + to));
    }

    /** Returns whether the stage offers the same load from its start to its end. */
    public boolean holdsLoad() {
        ClosedLoad closed = record.closed();
        if (closed == null) {
            return open() != null && steadyFrom() == start;
        }
        return closed.lives().areEqual(closed.clients());
    }

    /** Returns the load of an open stage; {@code null} where it offers nothing. */
    @Nullable
    OpenLoad open() {
        OpenLoad open = record.open();
        long length = record.endNanos() - record.startNanos();
        return open == null || length <= 0 || open.fromPerSecond() * open.rampNanos() + open.perSecond() * length <= 0
                ? null
                : open;
    }

    /** Returns the instant from which an open stage offers its last rate, after the start of the run. */
    long steadyFrom() {
        OpenLoad load = open();
        return load == null || load.fromPerSecond() == load.perSecond() ? start : start + load.rampNanos();
    }

    /** Returns the instant until which the load grew, after the start of the run; the start where it did not. */
    long grewUntil() {
        ClosedLoad closed = record.closed();
        if (closed == null) {
            OpenLoad load = open();
            return load == null || load.fromPerSecond() >= load.perSecond()
                    ? start
                    : Math.min(end, start + load.rampNanos());
        }
        if (closed.lives() instanceof ClientLifetimes.Ramp ramp) {
            return ramp.from() < ramp.to() ? end : start;
        }
        return clientStart(closed, closed.clients() - 1);
    }

    public static <T> T or(@Nullable T value, T otherwise) {
        return value == null ? otherwise : value;
    }
}
