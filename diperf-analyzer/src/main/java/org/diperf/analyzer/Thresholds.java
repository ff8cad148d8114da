package org.diperf.analyzer;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.diperf.analyzer.measure.Measures;
import org.diperf.analyzer.measure.Value;
import org.diperf.analyzer.measure.Value.Amount;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.result.Summary.ThresholdResult;
import org.diperf.analyzer.stats.Range;
import org.diperf.analyzer.stats.Uncertainty;
import org.diperf.analyzer.text.Numbers;
import org.diperf.analyzer.text.RunText;
import org.diperf.core.expression.Expression;
import org.diperf.core.expression.Expression.Answer;
import org.diperf.core.expression.Expression.Limit;
import org.jspecify.annotations.Nullable;

/** Judges the thresholds of a run, once everything else is known: the verdict may be asked for too. */
final class Thresholds {

    /** More than that many times as long is no advice. */
    private static final double LONGEST = 100;

    private Thresholds() {}

    /** Returns the same analysis with the thresholds of its run judged. */
    static Analysis judge(Analysis analysis) {
        Summary summary = UncertaintyCheck.judge(analysis.summary(), analysis.run());
        List<ThresholdResult> results = new ArrayList<>();
        for (String text : analysis.run().thresholds()) {
            Expression expression = Expression.parse(text);
            Summary late = late(summary, expression);
            Summary judged = late == null ? summary : late;
            Expression.Result result = expression.evaluate(path -> Measures.raw(judged, path));
            ThresholdResult found = result.answer() == Answer.UNDECIDED
                    ? ThresholdResult.undecided(text, result.observed(), settle(judged, expression))
                    : new ThresholdResult(text, result.holds(), result.observed());
            results.add(late == null ? found : found.later());
        }
        return analysis.with(summary.with(results));
    }

    /**
     * Returns the numbers with the calls that were due in the measured part and ended after it, where these decide: an expression that holds
     * without them must hold with them. A service that hangs does not pass because what it owes was not answered in time.
     *
     * @return {@code null}: they do not decide
     */
    static @Nullable Summary late(Summary summary, Expression expression) {
        Summary late = summary.withLate();
        return late != null
                        && expression
                                .evaluate(path -> Measures.raw(summary, path))
                                .holds()
                        && !expression
                                .evaluate(path -> Measures.raw(late, path))
                                .holds()
                ? late
                : null;
    }

    /** Says what would decide an expression that is undecided. */
    private static String settle(Summary summary, Expression expression) {
        return expression.limits().stream()
                .map(limit -> settle(summary, limit))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse("a longer run");
    }

    private static @Nullable String settle(Summary summary, Limit limit) {
        Value found = Measures.find(limit.lookup())
                .map(measure -> measure.of(summary))
                .orElse(null);
        Uncertainty range = found instanceof Amount amount ? amount.range() : null;
        if (!(found instanceof Amount amount)
                || range == null
                || limit.number() < range.low()
                || limit.number() > range.high()) {
            return null;
        }
        double distance = Math.abs(limit.number() - amount.number());
        boolean below = limit.number() < amount.number();
        double sampling = reach(range.parts(), Uncertainty.SAMPLING, amount.number(), below);
        double others = reach(range.parts(), Uncertainty.INSTRUMENT, amount.number(), below)
                + reach(range.parts(), Uncertainty.CLOCK, amount.number(), below);
        if (others >= distance) {
            return "a load generator"
                    + (summary.delayedBy() == null ? "" : " or " + RunText.clean(summary.delayedBy()))
                    + " that adds less delay; use more testers or dedicated processors";
        }
        // What calls leave open shrinks with the square root of their number.
        double longer = Math.pow(sampling / (distance - others), 2);
        if (longer > LONGEST) {
            return "nothing within a practical run length; the value is too close to the limit";
        }
        double times = Math.max(2, Math.ceil(longer));
        double seconds = measured(summary);
        return String.format(Locale.ROOT, "a run about %.0f times as long", times)
                + (seconds > 0 ? " (" + Numbers.clock(times * seconds) + ")" : "");
    }

    /** Returns the length of the measured part, s; 0 where there is none. */
    private static double measured(Summary summary) {
        Summary.Window measured = summary.measured();
        return measured == null ? 0 : measured.toSeconds() - measured.fromSeconds();
    }

    /** Returns how far a part reaches below a number, or above it. */
    private static double reach(Map<String, Range> parts, String name, double number, boolean below) {
        Range part = parts.get(name);
        return part == null ? 0 : Math.max(0, below ? number - part.low() : part.high() - number);
    }
}
