package org.diperf.analyzer.compare;

/**
 * What became of a rule.
 *
 * @param pHolm of the claim that the metric got worse by more than allowed, corrected for all rules; {@code NaN}: no test
 * @param outcome in a word
 */
public record RuleResult(FailRule rule, MetricResult seen, double pHolm, Outcome outcome) {

    /** What is said of a rule. */
    public enum Outcome {
        /** It was not shown to be broken, and the interval is narrow enough to trust that. */
        KEPT,
        /** Worse by more than allowed, with confidence. */
        BROKEN,
        /** It cannot be told. */
        UNDECIDED
    }
}
