package org.diperf.analyzer.compare;

import java.util.List;

/**
 * What is asked of a comparison.
 *
 * @param rules what must not get worse by more than so much; empty: no judged metric may get worse
 * @param smallestEffect what a metric must change by to matter, a fraction of the first side's value
 * @param confidence of intervals, a fraction
 * @param alpha largest p, corrected for many tests, of a difference that counts
 * @param resamples draws of the bootstrap over blocks
 * @param seed every draw follows from it
 */
public record Settings(
        List<FailRule> rules, double smallestEffect, double confidence, double alpha, int resamples, long seed) {

    /** What is usual: 2 % matter, intervals of 95 %, p below 0.05. */
    public static final Settings DEFAULT = new Settings(List.of(), 0.02, 0.95, 0.05, 2000, 42);

    /** What a share of failed calls must change by to matter, in shares of all calls: 0.1 percentage points. */
    static final double SMALLEST_SHARE = 0.001;

    /** An interval of a larger half width hides what most people would call a regression. */
    static final double WIDEST = 0.1;

    public Settings {
        rules = List.copyOf(rules);
    }

    /** Returns the same with these rules and this smallest effect. */
    public Settings with(List<FailRule> newRules, double newSmallestEffect) {
        return new Settings(newRules, newSmallestEffect, confidence, alpha, resamples, seed);
    }

    boolean judges(Metric metric) {
        return rules.isEmpty() ? metric.isJudged() : rules.stream().anyMatch(rule -> rule.metric() == metric);
    }

    /**
     * Returns whether an end of an interval is so far away that a change that matters cannot be excluded. No run has calls
     * enough to tell a share of failed calls to 0.1 points: here it is the smallest effect in points, too.
     */
    boolean leavesOpen(double end) {
        return Math.abs(end) > Math.max(smallestEffect, SMALLEST_SHARE);
    }

    /** Returns the largest half width of an interval that tells anything, where so large a change is allowed. */
    static double widestInterval(double allowed) {
        return Math.max(WIDEST, allowed);
    }

    /** Returns whether a change is large enough to matter. */
    boolean matters(Metric metric, double change) {
        return Math.abs(change) > (metric.isShare() ? SMALLEST_SHARE : smallestEffect);
    }
}
