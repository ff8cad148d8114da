package org.diperf.analyzer.figure;

import org.diperf.analyzer.result.Series;
import org.diperf.analyzer.text.Numbers;
import org.diperf.core.run.ReportRecord;
import org.jspecify.annotations.Nullable;

/**
 * A centred moving average over quanta.
 *
 * @param halfWidth quanta on each side
 * @param words its width for a legend
 */
record MovingAverage(int halfWidth, String words) {

    /** A window wider than this share of the run would show nothing but its mean. */
    private static final double WIDEST = 0.25;

    private static final double NARROWER = 0.1;

    /** Takes what the experiment asked for, or a tenth of the run where that is too wide for it. */
    static MovingAverage of(ReportRecord report, Series series) {
        double quantum = series.quantumSeconds();
        double wanted = report.smoothPoints() > 0 ? report.smoothPoints() * quantum : report.smoothNanos() / 1e9;
        double seconds = wanted <= WIDEST * series.durationSeconds() ? wanted : NARROWER * series.durationSeconds();
        int half = quantum > 0 ? (int) Math.min(4096, Math.round(seconds / quantum / 2)) : 0;
        double actual = (2 * half + 1) * quantum;
        return new MovingAverage(half, Numbers.length(actual) + " average");
    }

    /** Averages values that have equal weights; {@code NaN} where there are none within the window. */
    double[] over(double[] values) {
        return over(values, null);
    }

    /** Averages values by weights; {@code NaN} where there are none within the window. */
    double[] over(double[] values, double @Nullable [] weights) {
        int n = values.length;
        double[] sums = new double[n + 1];
        double[] totals = new double[n + 1];
        for (int i = 0; i < n; i++) {
            double weight = weights == null ? 1 : weights[i];
            boolean counts = Double.isFinite(values[i]) && weight > 0;
            sums[i + 1] = sums[i] + (counts ? values[i] * weight : 0);
            totals[i + 1] = totals[i] + (counts ? weight : 0);
        }
        double[] averages = new double[n];
        for (int i = 0; i < n; i++) {
            // Near the ends the window narrows on both sides: a lopsided one would bend the line.
            int half = Math.min(halfWidth, Math.min(i, n - 1 - i));
            int from = i - half;
            int to = i + half + 1;
            double total = totals[to] - totals[from];
            averages[i] = total > 1e-12 ? (sums[to] - sums[from]) / total : Double.NaN;
        }
        return averages;
    }
}
