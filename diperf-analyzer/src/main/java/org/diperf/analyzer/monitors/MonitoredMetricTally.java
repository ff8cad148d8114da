package org.diperf.analyzer.monitors;

import org.diperf.analyzer.server.MonitoredMetric;
import org.diperf.analyzer.server.TimeAxis;

/**
 * Spreads the samples of a metric over the quanta: a rate holds since the sample before, a value changes evenly from one
 * sample to the next. Confined to one thread.
 */
final class MonitoredMetricTally {

    private final boolean rate;
    private final TimeAxis axis;
    private final double[] sums;
    private final double[] widths;
    private double sum;
    private double width;
    private double min = Double.POSITIVE_INFINITY;
    private double max = Double.NEGATIVE_INFINITY;
    private long samples;
    private boolean any;
    private long last;
    private double lastValue;

    /** @param rate whether it is one */
    MonitoredMetricTally(boolean rate, TimeAxis axis) {
        this.rate = rate;
        this.axis = axis;
        this.sums = new double[axis.quanta()];
        this.widths = new double[axis.quanta()];
    }

    /**
     * Takes a sample.
     *
     * @param at after the start of the run, ns; not before the last one
     * @param value {@code NaN}: it was not seen then; what comes next counts from here on
     */
    void add(long at, double value) {
        boolean holds = !Double.isNaN(value) && (rate || !Double.isNaN(lastValue));
        if (any && at > last && holds) {
            spread(last, at, rate ? value : lastValue, value);
        }
        any = true;
        last = at;
        lastValue = value;
        if (!Double.isNaN(value)) {
            samples++;
            if (at >= axis.fromNanos() && at <= axis.toNanos()) {
                min = Math.min(min, value);
                max = Math.max(max, value);
            }
        }
    }

    private void spread(long from, long to, double first, double second) {
        long begin = Math.max(0, from);
        long end = Math.min(to, axis.durationNanos());
        while (begin < end) {
            int quantum = (int) Math.min(axis.quanta() - 1, begin / axis.quantumNanos());
            long until = quantum == axis.quanta() - 1 ? end : Math.min(end, axis.begin(quantum + 1));
            double area = area(from, to, first, second, begin, until);
            sums[quantum] += area;
            widths[quantum] += until - begin;
            begin = until;
        }
        long measuredFrom = Math.max(from, axis.fromNanos());
        long measuredTo = Math.min(to, axis.toNanos());
        if (measuredFrom < measuredTo) {
            sum += area(from, to, first, second, measuredFrom, measuredTo);
            width += measuredTo - measuredFrom;
        }
    }

    private static double area(long from, long to, double first, double second, long begin, long end) {
        double middle = (begin - from) / 2.0 + (end - from) / 2.0;
        return (first + (second - first) * middle / (to - from)) * (end - begin);
    }

    MonitoredMetric track(String monitor, String metric, String unit) {
        double[] values = new double[sums.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = widths[i] == 0 ? Double.NaN : sums[i] / widths[i];
        }
        boolean seen = min <= max;
        return new MonitoredMetric(
                monitor,
                metric,
                unit,
                values,
                width == 0 ? Double.NaN : sum / width,
                seen ? min : Double.NaN,
                seen ? max : Double.NaN,
                samples);
    }
}
