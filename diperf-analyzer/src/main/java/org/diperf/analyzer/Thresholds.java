package org.diperf.analyzer;

import java.util.ArrayList;
import java.util.List;
import org.diperf.analyzer.measure.Measures;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Summary.ThresholdResult;
import org.diperf.core.expression.Expression;

/** Judges the thresholds of a run, once everything else is known: the verdict may be asked for too. */
final class Thresholds {

    private Thresholds() {}

    /** Returns the same analysis with the thresholds of its run judged. */
    static Analysis judge(Analysis analysis) {
        List<ThresholdResult> results = new ArrayList<>();
        for (String text : analysis.run().thresholds()) {
            Expression.Result result = Expression.parse(text).evaluate(path -> Measures.raw(analysis.summary(), path));
            results.add(new ThresholdResult(text, result.holds(), result.observed()));
        }
        return analysis.with(analysis.summary().with(results));
    }
}
