package org.diperf.analyzer.figure;

import java.util.HashMap;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.data.xy.XYSeries;

/** Thins out long rows of values for drawing: no more points than pixels can show, and the extremes always. */
final class Downsampler {

    /** Pixel columns of a plot. */
    static final int COLUMNS = 1000;

    private static final int ROWS = 400;
    private static final int DOTS_PER_CELL = 3;

    private Downsampler() {}

    /**
     * Makes a line: of each pixel column the least and the largest value, in their order. {@code NaN} stays a gap, and what its
     * axis has no place for becomes one.
     *
     * @param x rising
     */
    static XYSeries line(String name, double[] x, double[] values, double from, double to, ValueAxis range) {
        XYSeries series = new XYSeries(name, false, true);
        double[] y = map(values, value -> Double.isFinite(Axes.share(range, value)) ? value : Double.NaN);
        if (Double.isNaN(max(y))) {
            // Without a point the plot says that nothing was measured; with gaps only it would say nothing.
            return series;
        }
        int n = Math.min(x.length, y.length);
        if (n <= 2 * COLUMNS) {
            for (int i = 0; i < n; i++) {
                series.add(x[i], y[i], false);
            }
            return series;
        }
        double width = (to - from) / COLUMNS;
        for (int i = 0; i < n; ) {
            double end = from + (Math.floor((x[i] - from) / width) + 1) * width;
            int least = -1;
            int most = -1;
            boolean gap = false;
            int j = i;
            for (; j < n && (j == i || x[j] < end); j++) {
                if (!Double.isFinite(y[j])) {
                    gap = true;
                    continue;
                }
                least = least < 0 || y[j] < y[least] ? j : least;
                most = most < 0 || y[j] > y[most] ? j : most;
            }
            if (least >= 0) {
                int first = Math.min(least, most);
                int second = Math.max(least, most);
                series.add(x[first], y[first], false);
                if (second != first) {
                    series.add(x[second], y[second], false);
                }
            }
            if (gap) {
                series.add(x[j - 1], Double.NaN, false);
            }
            i = j;
        }
        return series;
    }

    /**
     * Makes a cloud: of each cell of a few pixels at most three points, the earliest ones, and the cell's colour is full by
     * then.
     */
    static XYSeries cloud(String name, double[] x, double[] y, double toX, ValueAxis range) {
        XYSeries series = new XYSeries(name, false, true);
        Map<Integer, Integer> perCell = new HashMap<>();
        for (int i = 0; i < Math.min(x.length, y.length); i++) {
            double height = Axes.share(range, y[i]);
            if (!Double.isFinite(x[i]) || !Double.isFinite(height)) {
                continue;
            }
            int column = (int) (x[i] / toX * COLUMNS / 3);
            int row = (int) (height * ROWS / 3);
            if (perCell.merge(column * (ROWS + 1) + row, 1, Integer::sum) <= DOTS_PER_CELL) {
                series.add(x[i], y[i], false);
            }
        }
        return series;
    }

    /** Applies a function to each value. */
    static double[] map(double[] values, DoubleUnaryOperator function) {
        double[] mapped = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            mapped[i] = function.applyAsDouble(values[i]);
        }
        return mapped;
    }

    /** Returns the largest finite value, {@code NaN} where there is none. */
    static double max(double[]... rows) {
        double max = Double.NaN;
        for (double[] row : rows) {
            for (double value : row) {
                if (Double.isFinite(value) && !(value <= max)) {
                    max = value;
                }
            }
        }
        return max;
    }

    /** Returns the least finite value above zero, {@code NaN} where there is none. */
    static double minPositive(double[]... rows) {
        double min = Double.NaN;
        for (double[] row : rows) {
            for (double value : row) {
                if (Double.isFinite(value) && value > 0 && !(value >= min)) {
                    min = value;
                }
            }
        }
        return min;
    }

    /** Returns whether a value lies above zero somewhere. */
    static boolean anyPositive(double[] values) {
        return max(values) > 0;
    }
}
