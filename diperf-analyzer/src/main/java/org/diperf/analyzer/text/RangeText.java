package org.diperf.analyzer.text;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.diperf.analyzer.measure.Measures;
import org.diperf.analyzer.measure.Value.Amount;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.result.Summary.ThresholdResult;
import org.diperf.analyzer.stats.OverheadLimits;
import org.diperf.analyzer.stats.Range;
import org.diperf.analyzer.stats.Statistic;
import org.diperf.analyzer.stats.Statistics;
import org.diperf.analyzer.stats.Uncertainty;
import org.diperf.core.expression.Expression;
import org.jspecify.annotations.Nullable;

/**
 * Writes numbers with how far off they can be. Two things, never mixed: an interval in parentheses is what the number of calls leaves
 * open; what the load generator may have added is a bound, so that the number itself is one: {@code ≤ 3.13 ms (2.91–3.44)}.
 */
public final class RangeText {

    /** Of a value: so little is what sums of many numbers leave of nothing. */
    private static final double ROUNDING = 1e-12;
    /** An interval that reaches less far, of the value, is not worth its room in a sentence. */
    private static final double NARROW = 0.02;

    /** Of a value in a sentence, and in a table of intervals. */
    private static final int DIGITS = 3;

    private static final int MAX_DIGITS = 5;
    private static final String MILLIS = "ms";

    private RangeText() {}

    /** Writes a value and its interval with the digits that the interval carries: {@code 3.13 (2.91–3.44)}, {@code 3.1 (up to 13.4)}. */
    public static String interval(double value, double low, double high) {
        return interval(value, low, high, MAX_DIGITS);
    }

    private static String interval(double value, double low, double high, int digits) {
        double half = (high - low) / 2;
        if (!(half > ROUNDING * Math.abs(value))) {
            return Numbers.plain(value);
        }
        int place = place(half, value, digits);
        String from = write(low, place);
        boolean isOpen = low <= 0 || Double.parseDouble(from.replace(",", "")) == 0;
        // Of a value that is small next to its interval, two digits are left.
        String shown =
                write(value, value == 0 ? place : Math.min(place, (int) Math.floor(Math.log10(Math.abs(value))) - 1));
        return shown + " (" + (isOpen ? "up to " : from + "–") + write(high, place) + ")";
    }

    /** Writes a value and half its interval, with the digits that the interval carries: {@code 50.0 ± 1.2}. */
    public static String plusMinus(double value, double half) {
        if (!(half > ROUNDING * Math.abs(value))) {
            return Numbers.plain(value);
        }
        int place = place(half, value, MAX_DIGITS);
        return write(value, place) + " ± " + write(half, place);
    }

    /** Returns the decimal place of the second digit of half an interval, -2 of 0.25, or of the last of the value's digits if that is coarser. */
    private static int place(double half, double value, int digits) {
        int ofHalf = (int) Math.floor(Math.log10(half)) - 1;
        return value == 0 ? ofHalf : Math.max(ofHalf, (int) Math.floor(Math.log10(Math.abs(value))) - digits + 1);
    }

    private static String write(double value, int place) {
        BigDecimal rounded = BigDecimal.valueOf(value).setScale(-place, RoundingMode.HALF_EVEN);
        return String.format(Locale.ROOT, "%,." + Math.max(0, -place) + "f", rounded);
    }

    /** Returns what is known of how far off a number is: {@code 2.91–3.44 by sampling, up to 0.5 ms the generator's}; empty: nothing. */
    public static String of(Amount amount) {
        Uncertainty range = amount.range();
        if (range == null) {
            return "";
        }
        List<String> parts = new ArrayList<>();
        Range sampling = range.parts().get(Uncertainty.SAMPLING);
        String unit = amount.unit().isEmpty() ? "" : " " + amount.unit();
        if (sampling != null) {
            parts.add((sampling.low() > 0
                            ? Numbers.plain(sampling.low()) + "–" + Numbers.plain(sampling.high())
                            : "up to " + Numbers.plain(sampling.high()))
                    + unit);
        }
        String generator = generator(amount.number(), amount.unit(), range);
        if (!generator.isEmpty()) {
            parts.add(generator);
        }
        return String.join(", ", parts);
    }

    /** Says what the load generator may have made of a number; empty where it did not matter, or nothing is known. */
    private static String generator(double value, String unit, Uncertainty range) {
        Range instrument = range.parts().get(Uncertainty.INSTRUMENT);
        if (instrument == null) {
            return "";
        }
        double added = value - instrument.low();
        double missed = instrument.high() - value;
        if (unit.equals(MILLIS)
                ? OverheadLimits.isLimiting(added / value, added)
                : added > Math.max(missed, OverheadLimits.LIMITED * value)) {
            return "up to " + Numbers.plain(added) + (unit.isEmpty() ? "" : " " + unit) + " of it the load generator's";
        }
        return missed > OverheadLimits.LIMITED * value
                ? "up to " + Numbers.plain(instrument.high()) + (unit.isEmpty() ? "" : " " + unit)
                        + " without the load generator's delays"
                : "";
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

    /** Returns what goes behind what a threshold saw: {@code  (2.91–3.44 ms)}; empty where that has its range already. */
    public static String behind(Summary summary, ThresholdResult threshold) {
        String range = threshold.open() || threshold.breaksLater() ? "" : of(summary, threshold);
        return range.isEmpty() ? "" : " (" + range + ")";
    }

    /**
     * Returns a response time for a sentence: {@code 3.13 ms (2.91–3.44)}, with {@code ≤} before it where what the load generator may
     * have added shows.
     */
    static String time(Statistics times, Statistic statistic) {
        double value = times.of(statistic);
        Uncertainty range = times.range(statistic);
        Range sampling = range == null ? null : range.parts().get(Uncertainty.SAMPLING);
        String[] units = {"µs", MILLIS, "s"};
        double[] factors = {1e3, 1, 1e-3};
        int unit = value < 0.01 ? 0 : value < 9_999.5 ? 1 : 2;
        double factor = factors[unit];
        String bare = sampling != null && sampling.high() - sampling.low() > 2 * NARROW * value
                ? interval(value * factor, sampling.low() * factor, sampling.high() * factor, DIGITS)
                : "";
        int behind = bare.indexOf(' ');
        return (isUpperBound(times, statistic) ? "≤ " : "")
                + (behind < 0
                        ? Numbers.plain(value * factor) + " " + units[unit]
                        : bare.substring(0, behind) + " " + units[unit] + bare.substring(behind));
    }

    /** Returns whether a response time is one at most, because what the load generator may have added to it shows. */
    static boolean isUpperBound(@Nullable Statistics times, Statistic statistic) {
        Uncertainty range = times == null ? null : times.range(statistic);
        if (times == null || range == null) {
            return false;
        }
        double value = times.of(statistic);
        double added = range.withoutSampling(value).width();
        return OverheadLimits.isLimiting(added / value, added);
    }

    private static String of(Summary summary, String path) {
        return Measures.find(path)
                .map(measure -> measure.of(summary))
                .map(value -> value instanceof Amount amount ? of(amount) : "")
                .orElse("");
    }
}
