package org.diperf.analyzer.figure;

import java.awt.Color;
import java.awt.geom.Rectangle2D;
import java.text.FieldPosition;
import java.text.NumberFormat;
import java.text.ParsePosition;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.diperf.analyzer.text.Numbers;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.axis.TickUnits;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.ui.RectangleEdge;
import org.jspecify.annotations.Nullable;

/** The axes of the figures. */
final class Axes {

    /** Seconds from which the time axis is in minutes and seconds. */
    private static final double CLOCK_FROM_SECONDS = 180;

    /** More would be in each other's way, and say no more. */
    private static final double MAX_TICKS = 15;

    private static final Rectangle2D UNIT = new Rectangle2D.Double(0, 0, 1, 1);

    private static final double[] TIME_STEPS = {
        0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600,
        7200, 14_400, 28_800, 43_200, 86_400, 172_800, 604_800
    };

    private Axes() {}

    /** Makes the time axis of a run. */
    static NumberAxis time(double durationSeconds) {
        double end = durationSeconds > 0 ? durationSeconds : 1;
        boolean clock = end >= CLOCK_FROM_SECONDS;
        String label = !clock
                ? "time since the start of the run (s)"
                : end >= 3600 ? "time since the start of the run (h:mm:ss)" : "time since the start of the run (min:s)";
        NumberAxis axis = new NumberAxis(label);
        TickUnits units = new TickUnits();
        NumberFormat plain = new Written(false);
        NumberFormat minutes = new Written(true);
        for (double step : TIME_STEPS) {
            if (step < end / MAX_TICKS) {
                continue;
            }
            units.add(new NumberTickUnit(step, clock && step >= 1 ? minutes : plain));
        }
        if (units.size() == 0) {
            units.add(new NumberTickUnit(end / 10, minutes));
        }
        axis.setStandardTickUnits(units);
        axis.setRange(0, end);
        return Theme.axis(axis, Theme.INK);
    }

    /** Makes an axis from zero to a little above the largest value. */
    static NumberAxis fromZero(String label, double max, Color colour) {
        NumberAxis axis = new NumberAxis(label);
        double top = max > 0 && Double.isFinite(max) ? max * 1.07 : 1;
        axis.setRange(0, top);
        NumberFormat format = new Written(false);
        TickUnits units = new TickUnits();
        for (int decade = -9; decade <= 15; decade++) {
            for (double digit : new double[] {1, 2, 5}) {
                double step = digit * Math.pow(10, decade);
                if (step >= top / MAX_TICKS) {
                    units.add(new NumberTickUnit(step, format));
                }
            }
        }
        axis.setStandardTickUnits(units);
        return Theme.axis(axis, colour);
    }

    /** Makes an axis for things numbered from 1. */
    static NumberAxis numbered(String label, int count) {
        NumberAxis axis = fromZero(label, Math.max(14, count), Theme.INK);
        axis.setRange(0.5, count + 0.5);
        return axis;
    }

    /** Returns where a value lies on an axis: 0 at its lower end, 1 at its upper one. */
    static double share(ValueAxis axis, double value) {
        return axis.valueToJava2D(value, UNIT, RectangleEdge.BOTTOM);
    }

    /** Makes a logarithmic axis around two positive values. */
    static LogTickAxis log(String label, double min, double max, Color colour) {
        double low = Math.log10(min);
        double high = Math.log10(max);
        if (high - low < 0.3) {
            double middle = (low + high) / 2;
            low = middle - 0.15;
            high = middle + 0.15;
        }
        double margin = 0.03 * (high - low);
        low -= margin;
        high += margin;
        LogTickAxis axis = new LogTickAxis(label, logMarks(low, high));
        axis.setRange(Math.pow(10, low), Math.pow(10, high));
        return Theme.axis(axis, colour);
    }

    /** Makes an axis of the logarithms of values from 1 on, labelled with the values. */
    static TickedAxis exponents(String label, double highest) {
        List<TickedAxis.Mark> marks = logMarks(0, highest).stream()
                .map(mark -> new TickedAxis.Mark(Math.log10(mark.at()), mark.label()))
                .toList();
        TickedAxis axis = new TickedAxis(label, marks);
        axis.setRange(0, highest);
        return Theme.axis(axis, Theme.INK);
    }

    private static List<TickedAxis.Mark> logMarks(double low, double high) {
        List<TickedAxis.Mark> marks = new ArrayList<>();
        double decades = high - low;
        if (decades < 1) {
            double from = Math.pow(10, low);
            double to = Math.pow(10, high);
            double step = niceStep((to - from) / 7);
            for (double value = Math.ceil(from / step) * step; value <= to; value += step) {
                marks.add(new TickedAxis.Mark(value, Written.number(value)));
            }
            return marks;
        }
        for (int decade = (int) Math.floor(low); decade <= high; decade++) {
            for (int digit : decades <= 3.5 ? new int[] {1, 2, 5} : new int[] {1}) {
                double value = digit * Math.pow(10, decade);
                marks.add(new TickedAxis.Mark(value, Written.number(value)));
            }
        }
        return marks;
    }

    private static double niceStep(double rough) {
        double decade = Math.pow(10, Math.floor(Math.log10(rough)));
        double digit = rough / decade;
        return (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10) * decade;
    }

    /** Writes tick labels. Only for writing. */
    private static final class Written extends NumberFormat {

        private static final long serialVersionUID = 1;

        private final boolean clock;

        Written(boolean clock) {
            this.clock = clock;
        }

        static String number(double value) {
            double size = Math.abs(value);
            if (size < 1e-12) {
                return "0";
            }
            if (size >= 1e7) {
                return String.format(Locale.ROOT, "%.3g", value).replaceFirst("\\.?0*e\\+?0*", "e");
            }
            String text = String.format(Locale.ROOT, size >= 1000 ? "%,.1f" : "%.6f", value);
            return text.replaceFirst("\\.?0+$", "");
        }

        @Override
        public StringBuffer format(double number, StringBuffer to, FieldPosition position) {
            return to.append(clock ? Numbers.clock(number) : number(number));
        }

        @Override
        public StringBuffer format(long number, StringBuffer to, FieldPosition position) {
            return format((double) number, to, position);
        }

        @Override
        public @Nullable Number parse(String source, ParsePosition position) {
            return null;
        }
    }
}
