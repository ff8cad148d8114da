package org.diperf.analyzer.text;

import java.util.LinkedHashSet;
import java.util.Set;
import org.diperf.analyzer.measure.Measure;
import org.diperf.analyzer.measure.Measures;
import org.diperf.analyzer.measure.Scope;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.result.Summary.ThresholdResult;
import org.diperf.analyzer.result.Summary.Window;
import org.diperf.core.expression.Expression;
import org.jspecify.annotations.Nullable;

/** Says over which part of a run a number is, wherever numbers of several parts stand together. */
public final class MeasuredPart {

    private static final double SAME_SECONDS = 0.001;

    private MeasuredPart() {}

    /** Returns the part that is measured, such as {@code 0:10–1:10}; {@code null}: it is the whole run. */
    public static @Nullable String of(Summary summary) {
        Window measured = summary.measured();
        boolean isPart = measured != null
                && (measured.fromSeconds() > SAME_SECONDS
                        || measured.toSeconds() < summary.durationSeconds() - SAME_SECONDS);
        return isPart && measured != null
                ? Numbers.clock(measured.fromSeconds()) + "–" + Numbers.clock(measured.toSeconds())
                : null;
    }

    /** Returns what a threshold found, and over which part where that is not the measured one. */
    public static String observed(Summary summary, ThresholdResult threshold) {
        String settle = threshold.settle();
        String seen = RunText.clean(threshold.observed());
        String then = settle == null ? "" : "; what would settle it: " + settle;
        String part = of(summary);
        Set<String> over = new LinkedHashSet<>();
        for (Expression.Asked asked : Expression.parse(threshold.expression()).asked()) {
            Measures.find(asked.lookup())
                    .filter(Measure::isOfParts)
                    .map(measure -> over(measure.scope(), part))
                    .filter(words -> !words.isEmpty())
                    .ifPresent(over::add);
        }
        boolean isOther = over.size() > 1 || !over.contains(part);
        return (over.isEmpty() || !isOther ? seen : seen + " (" + String.join(" and ", over) + ")") + then;
    }

    private static String over(Scope scope, @Nullable String part) {
        return switch (scope.span()) {
            case PEAK -> "peak";
            case MEASURED -> part == null ? "" : part;
            case WHOLE -> part == null || scope.of() == Scope.Of.STAGE ? "" : "whole run";
        };
    }
}
