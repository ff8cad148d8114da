package org.diperf.analyzer.compare;

import org.diperf.analyzer.stats.Range;

/**
 * What a comparison says of one metric. {@code NaN} is what cannot be told.
 *
 * @param valueA of the first side; of several runs their geometric mean, of shares the mean
 * @param valueB of the other side
 * @param change seen: a fraction of the first side's value; of failed calls a difference of shares
 * @param low lower end of its interval
 * @param high upper end of it
 * @param p of the test alone; {@code NaN} where the metric is not judged, too
 * @param pHolm corrected for all that were tested
 * @param hodgesLehmann by how much the other side's units are shifted, in the metric's unit
 * @param cliffsDelta share of pairs of units in which the other side's is larger, less the share in which it is smaller
 * @param units what was taken for independent of one another: {@code runs}, {@code batches} or {@code clients}
 * @param unitsA of the first side
 * @param unitsB of the other side
 * @param withoutGenerator between which changes the one that was seen would lie without what the load generators may have added
 * @param finding in a word
 */
public record MetricResult(
        Metric metric,
        double valueA,
        double valueB,
        double change,
        double low,
        double high,
        double p,
        double pHolm,
        double hodgesLehmann,
        double cliffsDelta,
        String units,
        int unitsA,
        int unitsB,
        Range withoutGenerator,
        Finding finding) {

    /** What is said of a metric. */
    public enum Finding {
        /** With confidence, and by enough to matter. */
        WORSE,
        /** With confidence, and by enough to matter. */
        BETTER,
        /**
         * The change that was seen is too small to matter, and so are the ends of its interval. For failed calls those may be as
         * far away as the smallest effect in points, because no run could tell less: see {@link Settings#leavesOpen}.
         */
        NO_DIFFERENCE,
        /** The change that was seen is too small to matter, but its interval reaches beyond what matters. */
        COULD_NOT_TELL,
        /** A change was seen that would matter, but it may be chance. */
        NOT_SURE,
        /** A change was seen that would matter, but the load generator may have made it. */
        GENERATOR,
        /** Too few data. */
        UNDECIDED,
        /** It is shown, and counts for nothing. */
        NOT_JUDGED,
        /** It was not measured on both sides. */
        ABSENT
    }

    /** Returns whether the metric was seen on both sides. */
    public boolean isSeen() {
        return !Double.isNaN(change);
    }

    /** Returns whether it was tested and counts. */
    public boolean isJudged() {
        return switch (finding) {
            case WORSE, BETTER, NO_DIFFERENCE, COULD_NOT_TELL, NOT_SURE, GENERATOR -> true;
            case UNDECIDED, NOT_JUDGED, ABSENT -> false;
        };
    }

    /** Returns whether there is an interval. */
    public boolean hasInterval() {
        return !Double.isNaN(low) && !Double.isNaN(high);
    }

    /** Returns how much worse the interval allows the metric to be, as a change; below 0 for some metrics. */
    public double worstChange() {
        return metric.moreIsBetter() ? low : high;
    }

    /**
     * Returns whether it was not shown to be worse, but may be by enough to matter, and its interval is so wide that the
     * runs prove nothing about it.
     */
    public boolean isOpen(Settings settings) {
        boolean untold = finding == Finding.COULD_NOT_TELL || finding == Finding.NOT_SURE;
        if (finding == Finding.GENERATOR) {
            return change > 0 != metric.moreIsBetter();
        }
        boolean worsens = metric.moreIsBetter() ? low < 0 : high > 0;
        return untold
                && worsens
                && settings.leavesOpen(worstChange())
                && halfWidth() > Settings.widestInterval(settings.smallestEffect());
    }

    /** Returns half the width of the interval: about how small a change can still be seen. */
    public double halfWidth() {
        return (high - low) / 2;
    }
}
