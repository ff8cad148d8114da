package org.diperf.controller.course;

import java.util.List;
import java.util.Locale;
import org.diperf.analyzer.live.StageSeries.Quantum;
import org.jspecify.annotations.Nullable;

/**
 * Judges from what is seen of a stage whether it has settled: throughput and mean response time over its last quanta, at
 * least {@value #LEAST} of them and at least the later half of the stage, show no trend. A straight line through either may
 * move by 3 % of its mean or by two standard errors of its slope.
 */
final class SettlingCheck {

    static final int LEAST = 8;
    private static final double SHARE = 0.03;
    private static final double ERRORS = 2;

    private SettlingCheck() {}

    /** Chooses the width of a quantum for a hold: a fortieth of it, but 250 ms to 1 s. */
    static long quantumNanos(long holdNanos) {
        return Math.max(250_000_000L, Math.min(1_000_000_000L, holdNanos / 40));
    }

    /** Says how it was judged to have settled; {@code null}: not yet. */
    static @Nullable String judge(List<Quantum> quanta, long quantumNanos) {
        if (quanta.size() < LEAST) {
            return null;
        }
        int from = Math.min(quanta.size() - LEAST, quanta.size() / 2);
        List<Quantum> last = quanta.subList(from, quanta.size());
        Trend ended = Trend.of(last.stream()
                .mapToDouble(each -> (double) (each.ok() + each.failed()))
                .toArray());
        Trend response =
                Trend.of(last.stream().mapToDouble(Quantum::meanResponseMs).toArray());
        // Before anything has ended there is nothing to judge.
        if (ended.mean() == 0) {
            return null;
        }
        boolean responseLevel = response.values() < 3 || response.isLevel(SHARE, ERRORS);
        if (!ended.isLevel(SHARE, ERRORS) || !responseLevel) {
            return null;
        }
        return String.format(
                Locale.ROOT,
                "no trend in the last %.1f s: %s/s, mean response %.3g ms",
                last.size() * quantumNanos / 1e9,
                digits(ended.mean() * 1e9 / quantumNanos),
                response.mean());
    }

    static String digits(double value) {
        return String.format(Locale.ROOT, value >= 100 ? "%.0f" : "%.3g", value);
    }
}
