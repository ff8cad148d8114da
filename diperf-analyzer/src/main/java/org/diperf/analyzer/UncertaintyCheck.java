package org.diperf.analyzer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.diperf.analyzer.measure.Measures;
import org.diperf.analyzer.measure.Value.Amount;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.result.Summary.AskedNumber;
import org.diperf.analyzer.stats.OverheadLimits;
import org.diperf.analyzer.stats.Uncertainty;
import org.diperf.analyzer.text.Numbers;
import org.diperf.analyzer.text.RunText;
import org.diperf.core.expression.Expression;
import org.diperf.core.expression.Expression.Limit;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.Warning;
import org.diperf.core.run.Warning.Subject;
import org.jspecify.annotations.Nullable;

/**
 * How sure the numbers are that are asked for: those that thresholds compare, or else the ones that everybody reads. A threshold asks
 * on which side of its limit a number lies; without one, a number should not be off by much of itself.
 */
final class UncertaintyCheck {

    private static final List<String> USUAL = List.of("response.p50", "response.p99");

    private UncertaintyCheck() {}

    /** Returns the summary with its numbers judged; one that is unusable makes a valid run suspect. */
    static Summary judge(Summary summary, RunRecord run) {
        List<String> thresholds = run.thresholds();
        Map<String, AskedNumber> asked = new LinkedHashMap<>();
        List<Warning> warnings = new ArrayList<>(summary.warnings());
        for (String text : thresholds) {
            Expression expression = Expression.parse(text);
            Summary late = Thresholds.late(summary, expression);
            Summary judged = late == null ? summary : late;
            for (Limit limit : expression.limits()) {
                amount(judged, limit.lookup())
                        .ifPresent(amount ->
                                asked.merge(limit.path(), asked(limit, amount), (a, b) -> rank(a) >= rank(b) ? a : b));
            }
        }
        if (thresholds.isEmpty()) {
            // Of these the generator's verdict has said what is to be said.
            for (String path : USUAL) {
                amount(summary, path)
                        .ifPresent(amount ->
                                asked.put(path, asked(path, amount, run.report().maxAddedMillis())));
            }
        }
        boolean usable = true;
        for (AskedNumber number : asked.values()) {
            if (!thresholds.isEmpty() && number.state().equals(AskedNumber.UNUSABLE)) {
                usable = false;
                warnings.add(Warning.suspect(Subject.GENERATOR, words(number, summary.delayedBy())));
            }
        }
        String verdict = summary.verdict().equals("valid") && !usable ? "suspect" : summary.verdict();
        return summary.with(List.copyOf(asked.values()), verdict, List.copyOf(warnings));
    }

    private static Optional<Amount> amount(Summary summary, String path) {
        return Measures.find(path)
                .map(measure -> measure.of(summary))
                .filter(Amount.class::isInstance)
                .map(Amount.class::cast)
                .filter(amount -> amount.range() != null);
    }

    private static AskedNumber asked(Limit limit, Amount amount) {
        Uncertainty range = amount.range();
        if (range == null || limit.number() < range.low() || limit.number() > range.high()) {
            return number(limit.path(), amount, AskedNumber.VALID);
        }
        Uncertainty hard = range.withoutSampling(amount.number());
        boolean within = limit.number() >= hard.low() && limit.number() <= hard.high() && hard.low() < hard.high();
        return number(limit.path(), amount, within ? AskedNumber.UNUSABLE : AskedNumber.LIMITED);
    }

    private static AskedNumber asked(String path, Amount amount, double maxMillis) {
        Uncertainty range = amount.range();
        double width =
                range == null ? 0 : range.withoutSampling(amount.number()).width();
        double share = width / Math.abs(amount.number());
        return number(
                path,
                amount,
                OverheadLimits.isTooMuch(share, width, maxMillis)
                        ? AskedNumber.UNUSABLE
                        : OverheadLimits.isLimiting(share, width) ? AskedNumber.LIMITED : AskedNumber.VALID);
    }

    private static AskedNumber number(String path, Amount amount, String state) {
        Uncertainty range = amount.range();
        double low = range == null ? amount.number() : range.low();
        double high = range == null ? amount.number() : range.high();
        return new AskedNumber(path, amount.number(), amount.unit(), low, high, state);
    }

    private static int rank(AskedNumber number) {
        return List.of(AskedNumber.VALID, AskedNumber.LIMITED, AskedNumber.UNUSABLE)
                .indexOf(number.state());
    }

    private static String words(AskedNumber number, @Nullable String delayedBy) {
        return String.format(
                Locale.ROOT,
                "%s is unusable: measured as %s %s, but its true value could be anywhere from %s to %s, because the "
                        + "load generator%s or a clock may have distorted it; use more testers or dedicated processors",
                number.number(),
                Numbers.brief(number.value()),
                number.unit(),
                Numbers.brief(number.low()),
                Numbers.brief(number.high()),
                delayedBy == null ? "" : ", the " + RunText.clean(delayedBy));
    }
}
