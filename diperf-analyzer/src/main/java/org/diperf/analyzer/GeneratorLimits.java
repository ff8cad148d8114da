package org.diperf.analyzer;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.diperf.analyzer.Analysis.MarkedInterval;

/**
 * Finds the quanta in which the load generator was the limit: the 99th percentile of the send lag was above 1 ms and above
 * 10 % of the median response time, or a tester's JVM stood still for more than 10 ms ({@code tester.hiccup}). Neighbours
 * are joined.
 */
final class GeneratorLimits {

    private static final double LAG_MILLIS = 1;
    private static final double LAG_SHARE = 0.1;
    private static final double HICCUP_MILLIS = 10;

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
        boolean late = lag > LAG_MILLIS && (Double.isNaN(response) || lag > LAG_SHARE * response);
        return late || hiccupMillis > HICCUP_MILLIS;
    }
}
