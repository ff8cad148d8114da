package org.diperf.analyzer.figure;

import java.util.Arrays;
import org.jfree.chart.axis.NumberAxis;

/** The axis of how far two views of the same number are apart, in percent. */
final class DifferenceAxis {

    /** Differences beyond are cut off: where there is hardly any load, as in a run's last quantum, they say nothing and would flatten all others. */
    private static final double MAX_PERCENT = 25;

    private DifferenceAxis() {}

    /** Makes one on which these values fit, or which says that some do not. Values that are not numbers do not count. */
    static NumberAxis of(double[]... percents) {
        double largest = Arrays.stream(percents)
                .flatMapToDouble(Arrays::stream)
                .filter(Double::isFinite)
                .map(Math::abs)
                .max()
                .orElse(0);
        boolean isCut = largest > MAX_PERCENT;
        NumberAxis axis = Theme.axis(new NumberAxis(isCut ? "difference (to ±25 %)" : "difference (%)"), Theme.INK);
        double range = Math.min(MAX_PERCENT, Math.max(1, 1.1 * largest));
        axis.setRange(-range, range);
        return axis;
    }
}
