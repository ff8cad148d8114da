package org.diperf.analyzer.count;

import java.util.List;
import java.util.Objects;
import org.diperf.analyzer.load.PlannedLoad;
import org.diperf.analyzer.load.StageTiming;
import org.diperf.analyzer.run.Outcomes;
import org.diperf.analyzer.sets.Durations.Kind;
import org.diperf.analyzer.stats.BatchSeries;
import org.diperf.core.run.LevelRecord;
import org.jspecify.annotations.Nullable;

/**
 * What is counted of each stage: its own calls, whenever they ended, of a level those that were due from its settling on; and
 * all ok calls, of a group those of its own, that ended while it was under way. A run of one stage that is no level has nothing to tell of its stages. Confined
 * to one thread.
 */
public final class StageTally {

    /** So many stages are reported separately at most: each takes up to 128 KiB. */
    public static final int MOST = 1_000;

    /** So many of them have confidence intervals: each takes up to 200 KiB more. */
    static final int MAX_WITH_INTERVALS = 200;

    private final ScopeTally[] scopes;
    /** Of each stage with constant load all of it, also what was before its settling. */
    private final @Nullable BatchSeries[] wholes;

    private final boolean[] fromSettling;
    private final long[] okEnded;
    /** Of each stage the first and the last one of its group. */
    private final int[] first;

    private final int[] last;
    private int hint;
    /** When the calls of a block were due. */
    private long[] due = new long[0];

    StageTally(PlannedLoad offered) {
        List<StageTiming> stages = offered.stages();
        boolean several = stages.size() > 1;
        boolean levels = stages.stream().anyMatch(stage -> stage.record().level() != null);
        int n = several || levels ? Math.min(MOST, stages.size()) : 0;
        this.scopes = new ScopeTally[n];
        this.wholes = new BatchSeries[n];
        this.fromSettling = new boolean[n];
        this.okEnded = new long[n];
        this.first = new int[n];
        this.last = new int[n];
        for (int i = 0; i < n; i++) {
            StageTiming stage = stages.get(i);
            LevelRecord level = stage.record().level();
            long end = Math.min(offered.runEnd(), stage.end());
            boolean constant = i < MAX_WITH_INTERVALS && stage.holdsLoad() && end > stage.start();
            BatchSeries batches = constant ? new BatchSeries(stage.settled(), end) : null;
            scopes[i] = new ScopeTally(stage.settled(), end, Kind.STAGE, batches);
            wholes[i] = constant && stage.settled() > stage.start()
                    ? BatchSeries.withoutQuantiles(stage.start(), end)
                    : batches;
            fromSettling[i] = level != null && level.settledNanos() != null;
            boolean follows = i > 0
                    && Objects.equals(
                            stage.record().group(), stages.get(i - 1).record().group());
            first[i] = follows ? first[i - 1] : i;
        }
        for (int i = n - 1; i >= 0; i--) {
            last[i] = i + 1 < n && first[i + 1] == first[i] ? last[i + 1] : i;
        }
    }

    public int size() {
        return scopes.length;
    }

    /** Returns the counts of the stage's own calls, with the part of the run that they are of. */
    public ScopeTally of(int stage) {
        return scopes[stage];
    }

    /** Returns the series of the whole of a stage with constant load; {@code null} of others. */
    @Nullable
    public BatchSeries whole(int stage) {
        return wholes[stage];
    }

    /** Counts all ok calls that ended in that part of the run. */
    public long okEnded(int stage) {
        return okEnded[stage];
    }

    /** Counts an arrival that was dropped when it was due. */
    void dropped(int stage, long at) {
        if (counts(stage, at)) {
            scopes[stage].count(Outcomes.DROPPED);
        }
    }

    /** Counts ok calls. */
    void ok(OkCallColumns rows) {
        if (scopes.length == 0) {
            return;
        }
        if (due.length < rows.count) {
            due = new long[rows.end.length];
        }
        for (int row = 0; row < rows.count; row++) {
            due[row] = rows.end[row] - rows.latency[row];
        }
        for (int from = 0; from < rows.count; ) {
            int to = from + 1;
            while (to < rows.count && rows.stage[to] == rows.stage[from]) {
                to++;
            }
            own(rows, from, to);
            ended(rows, from, to);
            from = to;
        }
    }

    /** Counts ok calls of one stage towards it. */
    private void own(OkCallColumns rows, int from, int to) {
        int stage = (int) rows.stage[from];
        if (stage < 0 || stage >= scopes.length) {
            return;
        }
        ScopeTally scope = scopes[stage];
        BatchSeries whole = wholes[stage];
        if (whole != null && whole != scope.batches) {
            whole.addAll(due, rows.latency, from, to);
            whole.ended(rows.end, from, to);
        }
        for (int begin = from; begin < to; ) {
            boolean counts = counts(stage, due[begin]);
            int end = begin + 1;
            while (end < to && counts(stage, due[end]) == counts) {
                end++;
            }
            if (counts) {
                rows.sum(begin, end);
                scope.ok(rows, begin, end);
                if (scope.batches != null) {
                    scope.batches.addAll(due, rows.latency, begin, end);
                }
            }
            begin = end;
        }
    }

    /** Counts ok calls of one stage towards the stages of its group during which they ended. */
    private void ended(OkCallColumns rows, int from, int to) {
        for (int begin = from; begin < to; ) {
            int during = during((int) rows.stage[begin], rows.end[begin]);
            int end = begin + 1;
            while (end < to
                    && (during < 0
                            ? during((int) rows.stage[end], rows.end[end]) < 0
                            : scopes[during].holds(rows.end[end]))) {
                end++;
            }
            if (during >= 0) {
                okEnded[during] += end - begin;
                BatchSeries batches = scopes[during].batches;
                if (batches != null) {
                    batches.ended(rows.end, begin, end);
                }
            }
            begin = end;
        }
    }

    /** Counts a call that was sent and did not go well. */
    void failed(int outcome, int stage, long end, long latency, long lag, long bytes) {
        if (scopes.length == 0) {
            return;
        }
        if (counts(stage, end - latency)) {
            scopes[stage].sent(outcome, end - latency, latency, lag, -1, bytes);
        }
    }

    /** Adds what was counted of the same stages elsewhere. */
    void addAll(StageTally other) {
        for (int i = 0; i < scopes.length; i++) {
            scopes[i].addAll(other.scopes[i]);
            okEnded[i] += other.okEnded[i];
            BatchSeries whole = wholes[i];
            BatchSeries more = other.wholes[i];
            if (whole != null && more != null && whole != scopes[i].batches) {
                whole.addAll(more);
            }
        }
    }

    private boolean counts(int stage, long intended) {
        return stage >= 0 && stage < scopes.length && (!fromSettling[stage] || intended >= scopes[stage].from);
    }

    /** Finds the stage, of the group of a call's, whose part of the run holds an instant; -1: none. */
    private int during(int stage, long at) {
        int of = Math.max(0, Math.min(scopes.length - 1, stage));
        if (hint >= first[of] && hint <= last[of] && scopes[hint].holds(at)) {
            return hint;
        }
        int low = first[of];
        int high = last[of];
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (at < scopes[middle].from) {
                high = middle - 1;
            } else if (at >= scopes[middle].to) {
                low = middle + 1;
            } else {
                hint = middle;
                return middle;
            }
        }
        return -1;
    }
}
