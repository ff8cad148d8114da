package org.diperf.analyzer.text;

import java.util.ArrayList;
import java.util.List;
import org.diperf.analyzer.measure.Measures;
import org.diperf.analyzer.measure.Value.Amount;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.result.Summary.AskedNumber;
import org.diperf.analyzer.result.Summary.ThresholdResult;
import org.diperf.analyzer.stats.OverheadLimits;
import org.diperf.analyzer.stats.Statistic;
import org.diperf.analyzer.stats.Statistics;
import org.diperf.analyzer.stats.Uncertainty;
import org.diperf.core.expression.Expression;

/** Says how far off numbers can be. */
public final class RangeText {

    private RangeText() {}

    /** Returns a range with its unit, such as {@code 30.2–31.9 ms}; empty where nothing is known of it. */
    public static String of(Amount amount) {
        Uncertainty range = amount.range();
        String unit = amount.unit().isEmpty() ? "" : " " + amount.unit();
        return range == null ? "" : Numbers.plain(range.low()) + "–" + Numbers.plain(range.high()) + unit;
    }

    /** Returns the ranges of what a threshold compares, with their paths where they are several; empty where nothing is known. */
    public static String of(Summary summary, ThresholdResult threshold) {
        List<Expression.Asked> asked = Expression.parse(threshold.expression()).asked();
        List<String> ranges = new ArrayList<>();
        for (Expression.Asked each : asked) {
            String range = of(summary, each.lookup());
            if (!range.isEmpty()) {
                ranges.add(asked.size() == 1 ? range : each.path() + " " + range);
            }
        }
        return String.join(", ", ranges);
    }

    /** Returns what goes behind what a threshold saw: {@code , range 30.2–31.9 ms}; empty where that has its range already. */
    public static String behind(Summary summary, ThresholdResult threshold) {
        String range = threshold.open() || threshold.breaksLater() ? "" : of(summary, threshold);
        return range.isEmpty() ? "" : ", range " + range;
    }

    /**
     * Returns a response time for a sentence: {@code 119 ms}, or {@code 31.3 to 119 ms} where what may have been added to it shows.
     *
     * @param asked numbers that were judged, among which it may be
     */
    static String time(Statistics times, Statistic statistic, List<AskedNumber> asked) {
        double value = times.of(statistic);
        Uncertainty range = times.range(statistic);
        if (range == null || !isWide(value, range) && !isInDoubt(statistic, asked)) {
            return Numbers.time(value);
        }
        String high = Numbers.time(range.high());
        String low = Numbers.time(range.low());
        String unit = high.substring(high.indexOf(' '));
        return (low.endsWith(unit) ? low.substring(0, low.length() - unit.length()) : low) + " to " + high;
    }

    private static boolean isWide(double value, Uncertainty range) {
        double width = range.withoutSampling(value).width();
        return OverheadLimits.isLimiting(width / value, width);
    }

    private static boolean isInDoubt(Statistic statistic, List<AskedNumber> asked) {
        return asked.stream()
                .filter(number -> !number.state().equals(AskedNumber.VALID))
                .anyMatch(number -> Measures.find(number.number())
                        .filter(measure -> measure.path().equals("response." + statistic.path()))
                        .isPresent());
    }

    private static String of(Summary summary, String path) {
        return Measures.find(path)
                .map(measure -> measure.of(summary))
                .map(value -> value instanceof Amount amount ? of(amount) : "")
                .orElse("");
    }
}
