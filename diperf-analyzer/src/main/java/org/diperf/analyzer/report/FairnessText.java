package org.diperf.analyzer.report;

import java.util.Locale;
import org.diperf.analyzer.result.Confidence.Bounds;
import org.diperf.analyzer.result.Summary.Fairness;
import org.diperf.analyzer.result.Summary.FairnessBounds;
import org.diperf.analyzer.text.Numbers;

/** Fairness in words, beyond deviation and index. */
final class FairnessText {

    private FairnessText() {}

    /** Says the rest of what is known of it. */
    static String more(Fairness fairness) {
        StringBuilder text = new StringBuilder();
        Double variation = fairness.coefficientOfVariation();
        Double extremes = fairness.maxToMin();
        Double p99 = fairness.p99ToP50();
        if (variation != null) {
            text.append("; coefficient of variation ").append(Numbers.share(variation));
        }
        if (extremes != null) {
            text.append(", max / min ").append(Numbers.plain(extremes));
        }
        if (p99 != null) {
            text.append(", p99 over p50 ").append(Numbers.plain(p99));
        }
        FairnessBounds bounds = fairness.confidence();
        Bounds deviation = bounds == null ? null : bounds.utilisationStddev();
        Bounds jain = bounds == null ? null : bounds.jain();
        if (deviation != null && jain != null) {
            text.append(String.format(
                    Locale.ROOT,
                    "; 95 %% interval for clients of the same kind: deviation %s to %s, Jain %.4f to %.4f",
                    Numbers.share(deviation.low()),
                    Numbers.share(deviation.high()),
                    jain.low(),
                    jain.high()));
        }
        return text.toString();
    }
}
