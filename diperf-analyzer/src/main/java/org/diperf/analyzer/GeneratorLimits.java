package org.diperf.analyzer;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.diperf.analyzer.Analysis.MarkedInterval;

/**
 * Finds the quanta in which the load generator was the limit: the 99th percentile of the send lag was above 1 ms and above
 * 10 % of the median response time, or a tester's JVM stood still ({@code tester.hiccup}) for more than 10 ms and more than
 * half the median response time. Both are relative, because what disturbs a service of 1 ms is noise to one of 1 s.
 * Neighbours are joined.
 */
final class GeneratorLimits {

    private static final double LAG_MILLIS = 1;
    private static final double LAG_SHARE = 0.1;
    private static final double HICCUP_MILLIS = 10;
    private static final double HICCUP_SHARE = 0.5;

    private GeneratorLimits() {}

    static List<MarkedInterval> find(Series series, Quanta quanta) {
        List<MarkedInterval> found = new ArrayList<>();
        int from = -1;
        double worstLag = 0;
        double worstHiccup = 0;
        for (int i = 0; i <= series.size(); i++) {
            boolean limited = i < series.size() && limited(series, i, quanta.hiccupMillis(i));
            if (limited && from < 0) {
                from = i;
                worstLag = 0;
                worstHiccup = 0;
            }
            if (limited) {
                worstLag = Double.isNaN(series.lagP99()[i]) ? worstLag : Math.max(worstLag, series.lagP99()[i]);
                worstHiccup = Math.max(worstHiccup, quanta.hiccupMillis(i));
            } else if (from >= 0) {
                found.add(new MarkedInterval(
                        MarkedInterval.Kind.GENERATOR_LIMITED,
                        from * series.quantumSeconds(),
                        Math.min(series.durationSeconds(), i * series.quantumSeconds()),
                        String.format(
                                Locale.ROOT,
                                "send lag p99 up to %.1f ms, stand-stills up to %.1f ms",
                                worstLag,
                                worstHiccup)));
                from = -1;
            }
        }
        return found;
    }

    private static boolean limited(Series series, int i, double hiccupMillis) {
        double lag = series.lagP99()[i];
        double response = series.responseP50()[i];
        return beyond(lag, LAG_MILLIS, LAG_SHARE * response)
                || beyond(hiccupMillis, HICCUP_MILLIS, HICCUP_SHARE * response);
    }

    /** Says whether a value is above both limits; the second may be unknown. */
    private static boolean beyond(double millis, double absolute, double relative) {
        return millis > absolute && (Double.isNaN(relative) || millis > relative);
    }
}
