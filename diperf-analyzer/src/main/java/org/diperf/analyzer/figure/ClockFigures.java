package org.diperf.analyzer.figure;

import java.awt.Color;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.diperf.analyzer.result.Clocks;
import org.diperf.analyzer.result.Clocks.Track;
import org.diperf.analyzer.result.TesterRow;
import org.diperf.analyzer.text.RunText;
import org.diperf.core.clock.ClockEvent;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.IntervalMarker;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.DeviationRenderer;
import org.jfree.chart.ui.Layer;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.YIntervalSeries;
import org.jfree.data.xy.YIntervalSeriesCollection;

/** The figures of the testers' clocks: the error bounds of all, and what is known of single ones over the run. */
record ClockFigures(RunView run) implements RunFigure {

    private static final Color BAND = new Color(0x56, 0xB4, 0xE9, 70);
    private static final Color EVENT = new Color(0xF3, 0xD3, 0xE4);
    private static final Color PROBES = new Color(0xD5, 0x5E, 0x00, 150);
    private static final Color FRAMES = new Color(0x55, 0x55, 0x55, 130);

    /** Of what is shown, single wide places such as the gap around a step are cut off. */
    private static final double SHOWN_SHARE = 0.97;

    @Override
    public void addTo(List<Figure> to) {
        List<TesterRow> known = run.analysis().testers().stream()
                .filter(row -> row.errorBoundMicros() > 0)
                .sorted(Comparator.comparingInt(TesterRow::tester))
                .toList();
        if (known.size() > 1) {
            to.add(bounds(known));
        }
        for (Track track : run.analysis().clocks().tracks()) {
            if (track.seconds().length > 1) {
                to.add(track(track));
            }
        }
    }

    private Figure bounds(List<TesterRow> rows) {
        double[] place = new double[rows.size()];
        Arrays.setAll(place, i -> rows.get(i).tester());
        double[] bound = rows.stream().mapToDouble(TesterRow::errorBoundMicros).toArray();
        double[] expected = rows.stream()
                .mapToDouble(row -> row.expectedErrorMicros() > 0 ? row.expectedErrorMicros() : Double.NaN)
                .toArray();
        int last = (int) Downsampler.max(place);
        Scale scale = Scale.of(false, bound, expected);
        ValueAxis range = scale.axis("error of global time (µs)", Theme.INK);
        XYPlot plot = Theme.plot(Axes.numbered("tester", last), range);
        float dot = Theme.dot(rows.size());
        cloud(plot, "hard bound, maximum over the run", place, bound, last + 1.0, Theme.THROUGHPUT, dot);
        cloud(plot, "expected error", place, expected, last + 1.0, Theme.MEDIAN, dot);
        return run.figure(
                "clock-bounds",
                "Accuracy of the testers' clocks",
                "No tester's true error exceeds its hard bound, which holds even on asymmetric paths; the "
                        + "expected error assumes that both directions take equally long" + scale.note() + ".",
                420,
                plot);
    }

    private static void cloud(
            XYPlot plot, String name, double[] x, double[] y, double toX, Color colour, float diameter) {
        Theme.cloud(plot, Downsampler.cloud(name, x, y, toX, plot.getRangeAxis()), colour, diameter);
    }

    private Figure track(Track track) {
        double unit = unit(track);
        String unitName = unit == 1 ? "µs" : unit == 1e3 ? "ms" : "s";
        double[] limits = limits(track);
        NumberAxis range = axis("offset from global time, without drift (" + unitName + ")", limits, unit);
        double end = run.endSeconds();
        XYPlot plot = Theme.plot(Axes.time(end), range);
        YIntervalSeries band = new YIntervalSeries("within the hard bound");
        XYSeries line = new XYSeries("estimate", false, true);
        for (int i = 0; i < track.seconds().length; i++) {
            double x = track.seconds()[i];
            double low = Math.max(limits[0], track.lower()[i]) / unit;
            double high = Math.min(limits[1], track.upper()[i]) / unit;
            band.add(x, Math.max(low, Math.min(high, track.estimate()[i] / unit)), low, Math.max(low, high));
            line.add(x, track.estimate()[i] / unit, false);
        }
        LegendItemCollection legend = new LegendItemCollection();
        YIntervalSeriesCollection bands = new YIntervalSeriesCollection();
        bands.addSeries(band);
        Theme.add(plot, bands, new Band());
        legend.add(Theme.legendShape("within the hard bound", BAND, Theme.LEGEND_BOX));
        dots(plot, legend, "frames", track.frames(), FRAMES, unit, end);
        dots(plot, legend, "time server probes", track.probes(), PROBES, unit, end);
        Theme.line(plot, line, Theme.THROUGHPUT, Theme.LINE);
        legend.add(Theme.legendLine("estimate", Theme.THROUGHPUT, Theme.LINE));
        if (mark(plot, track.tester(), end)) {
            legend.add(Theme.legendShape("step, suspend, slew or route change", EVENT, Theme.LEGEND_BOX));
        }
        plot.setFixedLegendItems(legend);
        return run.figure(
                "clock-tester-" + track.tester(),
                "Clock of tester " + track.tester() + " (" + RunText.clean(track.host()) + ")",
                "Global time minus the tester's clock, with linear drift removed; each exchange gives an upper "
                        + "and a lower bound (one dot each), and the band is the range that all bounds allow.",
                420,
                plot);
    }

    private static final class Band extends DeviationRenderer {

        private static final long serialVersionUID = 1;

        Band() {
            super(true, false);
            setSeriesPaint(0, BAND);
            setSeriesFillPaint(0, BAND);
            setSeriesStroke(0, Theme.THIN);
            setAlpha(1f);
        }
    }

    private void dots(
            XYPlot plot,
            LegendItemCollection legend,
            String name,
            Clocks.Dots dots,
            Color colour,
            double unit,
            double end) {
        if (dots.seconds().length == 0) {
            return;
        }
        double low = plot.getRangeAxis().getLowerBound();
        double high = plot.getRangeAxis().getUpperBound();
        for (double[] values : List.of(dots.upper(), dots.lower())) {
            double[] y = Downsampler.map(values, v -> v / unit < low || v / unit > high ? Double.NaN : v / unit);
            cloud(plot, name, dots.seconds(), y, end, colour, Theme.SMALL_DOT);
        }
        legend.add(Theme.legendShape("bounds by " + name, Theme.pale(colour, 255), Theme.DOT));
    }

    private boolean mark(XYPlot plot, int tester, double end) {
        boolean any = false;
        for (Clocks.Note note : run.analysis().clocks().notes()) {
            double from = Math.max(0, note.fromSeconds());
            double to = Math.min(end, Math.max(note.toSeconds(), note.fromSeconds() + end / 400));
            if (note.tester() == tester && note.kind() != ClockEvent.Kind.SERVER_RESTART && from < to) {
                plot.addDomainMarker(new IntervalMarker(from, to, EVENT, Theme.THIN, null, null, 1f), Layer.BACKGROUND);
                any = true;
            }
        }
        return any;
    }

    /** Returns what is shown: most of the band, and some room. */
    private static double[] limits(Track track) {
        double low = quantile(track.lower(), 1 - SHOWN_SHARE);
        double high = quantile(track.upper(), SHOWN_SHARE);
        double room = Math.max(1, 0.2 * (high - low));
        return new double[] {low - room, high + room};
    }

    private static double quantile(double[] values, double share) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[(int) Math.round(share * (sorted.length - 1))];
    }

    private static double unit(Track track) {
        double[] limits = limits(track);
        double size = Math.max(Math.abs(limits[0]), Math.abs(limits[1]));
        return size > 2e6 ? 1e6 : size > 2e3 ? 1e3 : 1;
    }

    private static NumberAxis axis(String label, double[] limits, double unit) {
        NumberAxis axis = Axes.fromZero(label, (limits[1] - limits[0]) / unit, Theme.INK);
        axis.setRange(limits[0] / unit, limits[1] / unit);
        return axis;
    }
}
