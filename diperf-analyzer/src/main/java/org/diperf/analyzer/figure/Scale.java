package org.diperf.analyzer.figure;

import java.awt.Color;
import java.util.List;
import org.jfree.chart.axis.ValueAxis;

/**
 * The axis that rows of values need.
 *
 * @param logarithmic or linear from zero
 * @param min least value to be shown
 * @param max largest
 */
record Scale(boolean logarithmic, double min, double max) {

    private static final double WIDE = 100;

    /**
     * Chooses by the values: logarithmic where they range over more than a factor of 100, or where asked for.
     *
     * @param always whether it is logarithmic even over a small range
     */
    static Scale of(boolean always, double[]... rows) {
        double min = Downsampler.minPositive(rows);
        double max = Downsampler.max(rows);
        boolean any = min > 0 && max >= min;
        return any && (always || max / min > WIDE) ? new Scale(true, min, max) : new Scale(false, 0, max);
    }

    /** Makes one from zero, however wide the values range. */
    static Scale linear(List<double[]> rows) {
        return new Scale(false, 0, Downsampler.max(rows.toArray(double[][]::new)));
    }

    ValueAxis axis(String label, Color colour) {
        return logarithmic
                ? Axes.log(label.replace(")", ", log scale)"), min, max, colour)
                : Axes.fromZero(label, max, colour);
    }

    /** Returns a value, or the lower end of the scale for what lies below it. */
    double atLeast(double value) {
        return value >= min ? value : min;
    }

    /** Returns what a reader must know, for the end of a sentence. */
    String note() {
        return logarithmic ? ", on a logarithmic scale" : "";
    }
}
