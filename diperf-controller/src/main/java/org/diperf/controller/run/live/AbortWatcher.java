package org.diperf.controller.run.live;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.diperf.analyzer.live.LiveSeries;
import org.diperf.analyzer.measure.MeasureSource;
import org.diperf.analyzer.measure.Measures;
import org.diperf.analyzer.measure.Value;
import org.diperf.analyzer.result.CallStatistics;
import org.diperf.analyzer.result.PartCounts;
import org.diperf.analyzer.result.Summary.CallCounts;
import org.diperf.analyzer.result.Summary.Throughput;
import org.diperf.core.experiment.Threshold;
import org.diperf.core.expression.Expression;
import org.diperf.core.wire.TesterStatus;
import org.jspecify.annotations.Nullable;

/**
 * Judges, while the run is under way, the thresholds that may end it: each over the time since it was last judged.
 * Confined to the run's thread.
 */
public final class AbortWatcher {

    private static final class Watched {
        final Threshold threshold;
        final Expression expression;
        long dueNanos;
        TesterStatus before = TesterStatus.NONE;

        Watched(Threshold threshold) {
            this.threshold = threshold;
            this.expression = Expression.parse(threshold.that());
            this.dueNanos = threshold.after().toNanos() + threshold.every().toNanos();
        }
    }

    private final List<Watched> watched = new ArrayList<>();

    public AbortWatcher(List<Threshold> thresholds) {
        for (Threshold threshold : thresholds) {
            if (threshold.abort() && !threshold.every().isZero()) {
                watched.add(new Watched(threshold));
            }
        }
    }

    /**
     * Judges what is due.
     *
     * @param elapsedNanos since the start of the run
     * @return the threshold that does not hold, and what was observed; {@code null} to continue
     */
    @Nullable
    public String judge(long elapsedNanos, LiveSeries.Look look, TesterStatus now) {
        for (Watched each : watched) {
            if (elapsedNanos < each.threshold.after().toNanos()) {
                each.before = now;
            } else if (elapsedNanos >= each.dueNanos) {
                each.dueNanos += each.threshold.every().toNanos();
                TesterStatus before = each.before;
                each.before = now;
                Expression.Result result = each.expression.evaluate(path -> value(path, look, before, now));
                // What is not measured yet, or within what the measurement leaves open, cannot end a run.
                if (result.fails()) {
                    return each.threshold.that() + " (observed " + result.observed() + ")";
                }
            }
        }
        return null;
    }

    private static @Nullable Object value(String path, LiveSeries.Look look, TesterStatus before, TesterStatus now) {
        Seen seen = new Seen(look, before, now);
        return Measures.find(path, MeasureSource.RUN_UNDER_WAY)
                .map(measure -> measure.of(seen))
                .map(Value::raw)
                .orElse(null);
    }

    /** What was seen since the last look. Calls are counted by the testers, times are those of the last seconds. */
    private record Seen(LiveSeries.Look look, TesterStatus before, TesterStatus now) implements PartCounts {

        @Override
        public CallStatistics numbers() {
            long ok = now.ok() - before.ok();
            long failed = now.failed() - before.failed();
            long dropped = now.dropped() - before.dropped();
            long ended = ok + failed;
            return new CallStatistics(
                    new CallCounts(ended + dropped, ended, ended, ok, failed, 0, dropped, 0, Map.of(), 0),
                    null,
                    new Throughput(look.okPerSecond(), null, null, null),
                    look.response(),
                    null,
                    null,
                    null);
        }
    }
}
