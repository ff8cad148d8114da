package org.diperf.controller.run;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.analyzer.live.LiveSeries;
import org.diperf.core.experiment.Threshold;
import org.diperf.core.expression.Expression;
import org.diperf.core.wire.TesterStatus;
import org.jspecify.annotations.Nullable;

/**
 * Judges, while the run is under way, the thresholds that may end it: each over the time since it was last judged.
 * Confined to the run's thread.
 */
final class AbortWatch {

    private static final Pattern QUANTILE = Pattern.compile("response(?:Time)?\\.p([0-9]{1,2}(?:\\.[0-9]+)?)");

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

    AbortWatch(List<Threshold> thresholds) {
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
     * @return the threshold that does not hold, and what was observed; {@code null} to go on
     */
    @Nullable
    String judge(long elapsedNanos, LiveSeries.Look look, TesterStatus now) {
        for (Watched each : watched) {
            if (elapsedNanos < each.threshold.after().toNanos()) {
                each.before = now;
            } else if (elapsedNanos >= each.dueNanos) {
                each.dueNanos += each.threshold.every().toNanos();
                TesterStatus before = each.before;
                each.before = now;
                Expression.Result result = each.expression.evaluate(path -> value(path, look, before, now));
                // What is not measured yet cannot end a run.
                if (!result.holds() && !result.observed().equals(Expression.NOT_MEASURED)) {
                    return each.threshold.that() + " (observed " + result.observed() + ")";
                }
            }
        }
        return null;
    }

    private static @Nullable Object value(String path, LiveSeries.Look look, TesterStatus before, TesterStatus now) {
        double failed = now.failed() - before.failed();
        double ended = failed + now.ok() - before.ok();
        return switch (path) {
            case "failed" -> failed;
            case "failed.share" -> ended == 0 ? null : failed / ended;
            case "dropped" -> (double) (now.dropped() - before.dropped());
            case "throughput.mean", "throughput" -> look.okPerSecond();
            default -> quantile(path, look);
        };
    }

    private static @Nullable Object quantile(String path, LiveSeries.Look look) {
        Matcher matcher = QUANTILE.matcher(path);
        if (!matcher.matches()) {
            return null;
        }
        double millis = look.responseMillis(Double.parseDouble(matcher.group(1)) / 100);
        return Double.isNaN(millis) ? null : millis;
    }
}
