package org.diperf.analyzer.text;

import java.util.List;
import java.util.Locale;
import org.diperf.analyzer.stats.Correlation;

/** Correlations of testers' calls with their network, in words. */
public final class NetworkText {

    /** Head of the table of correlations. */
    public static final List<String> HEAD =
            List.of("of", "with network", "testers", "Spearman", "95 % interval", "Pearson", "95 % interval");

    private NetworkText() {}

    /** Says what one correlation shows. */
    public static String sentence(Correlation correlation) {
        String what = Character.toUpperCase(name(correlation.of()).charAt(0))
                + name(correlation.of()).substring(1);
        double size = Math.abs(correlation.spearman());
        boolean certain = correlation.spearmanLow() > 0 || correlation.spearmanHigh() < 0;
        String direction = correlation.spearman() > 0 ? " rises with " : " falls with rising ";
        String coefficient = " (Spearman " + two(correlation.spearman())
                + (Double.isFinite(correlation.spearmanLow())
                        ? ", 95 % between " + two(correlation.spearmanLow()) + " and " + two(correlation.spearmanHigh())
                        : "")
                + ", " + correlation.testers() + " testers).";
        return Double.isFinite(correlation.spearmanLow()) && certain && size > 0.1
                ? what + direction + correlation.against() + coefficient
                : what + " and " + correlation.against() + " show no correlation" + coefficient;
    }

    /** Returns the row of a table. */
    public static List<String> row(Correlation correlation) {
        return List.of(
                name(correlation.of()),
                correlation.against(),
                String.valueOf(correlation.testers()),
                two(correlation.spearman()),
                interval(correlation.spearmanLow(), correlation.spearmanHigh()),
                two(correlation.pearson()),
                interval(correlation.pearsonLow(), correlation.pearsonHigh()));
    }

    private static String name(String of) {
        return of.equals("responseTime") ? "response time" : of.equals("success") ? "success" : "throughput per client";
    }

    private static String interval(double low, double high) {
        return Double.isFinite(low) ? two(low) + " to " + two(high) : Numbers.NONE;
    }

    private static String two(double value) {
        String text = String.format(Locale.ROOT, "%.2f", value);
        return text.equals("-0.00") ? "0.00" : text.replace('-', '−');
    }
}
