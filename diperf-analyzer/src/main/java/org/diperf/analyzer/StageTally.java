package org.diperf.analyzer;

import java.util.List;
import java.util.Objects;
import org.diperf.analyzer.Durations.Kind;
import org.diperf.core.run.RunRecord.LevelRecord;

/**
 * What is counted of each stage: its own calls, whenever they ended, of a level those that were due from its settling on; and
 * all ok calls, of a group those of its own, that ended while it was under way. A run of one stage that is no level has nothing to tell of its stages. Confined
 * to one thread.
 */
final class StageTally {

    /** So many stages are told apart at most: each takes up to 128 KiB. */
    static final int MOST = 1_000;

    private final Scope[] scopes;
    private final boolean[] fromSettling;
    private final long[] okEnded;
    /** Of each stage the first and the last one of its group. */
    private final int[] first;

    private final int[] last;
    private int hint;

    StageTally(Offered offered) {
        List<StageShape> stages = offered.stages();
        boolean several = stages.size() > 1;
        boolean levels = stages.stream().anyMatch(stage -> stage.record().level() != null);
        int n = several || levels ? Math.min(MOST, stages.size()) : 0;
        this.scopes = new Scope[n];
        this.fromSettling = new boolean[n];
        this.okEnded = new long[n];
        this.first = new int[n];
        this.last = new int[n];
        for (int i = 0; i < n; i++) {
            StageShape stage = stages.get(i);
            LevelRecord level = stage.record().level();
            scopes[i] = new Scope(stage.settled(), Math.min(offered.runEnd(), stage.end()), Kind.STAGE);
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

    int size() {
        return scopes.length;
    }

    /** Gives the counts of the stage's own calls, with the part of the run that they are of. */
    Scope of(int stage) {
        return scopes[stage];
    }

    /** Counts all ok calls that ended in that part of the run. */
    long okEnded(int stage) {
        return okEnded[stage];
    }

    /** Counts an arrival that was dropped when it was due. */
    void dropped(int stage, long at) {
        if (counts(stage, at)) {
            scopes[stage].count(Outcomes.DROPPED);
        }
    }

    /** Counts ok calls. */
    void ok(Rows rows) {
        if (scopes.length == 0) {
            return;
        }
        int stage = (int) rows.stage[0];
        boolean together = rows.isConstant(rows.stage);
        for (int row = 0; row < rows.count && together; row++) {
            together = counts(stage, rows.end[row] - rows.latency[row]);
        }
        if (together) {
            rows.sum(0, rows.count);
            scopes[stage].ok(rows, 0, rows.count);
        }
        for (int row = 0; row < rows.count; row++) {
            int own = (int) rows.stage[row];
            long end = rows.end[row];
            if (!together && counts(own, end - rows.latency[row])) {
                scopes[own].sent(Outcomes.OK, rows.latency[row], rows.lag[row], rows.bytes[row]);
            }
            int during = during(own, end);
            if (during >= 0) {
                okEnded[during]++;
            }
        }
    }

    /** Counts a call that was sent and did not go well. */
    void failed(int outcome, int stage, long end, long latency, long lag, long bytes) {
        if (scopes.length == 0) {
            return;
        }
        if (counts(stage, end - latency)) {
            scopes[stage].sent(outcome, latency, lag, bytes);
        }
    }

    /** Adds what was counted of the same stages elsewhere. */
    void addAll(StageTally other) {
        for (int i = 0; i < scopes.length; i++) {
            scopes[i].addAll(other.scopes[i]);
            okEnded[i] += other.okEnded[i];
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
