package org.diperf.analyzer.figure;

import java.awt.Color;
import java.util.ArrayList;
import java.util.List;
import org.diperf.analyzer.table.JourneyTable;
import org.diperf.analyzer.text.Numbers;
import org.diperf.analyzer.text.RunText;
import org.jfree.chart.annotations.XYBoxAnnotation;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/** How far journeys came: one bar a step, in their order. */
record FunnelFigure(RunView run) implements RunFigure {

    private static final int HEAD_HEIGHT = 150;
    private static final int ROW_HEIGHT = 34;
    /** More rows would not fit on a page. */
    private static final int MAX_ROWS = 30;

    private static final double HALF = 0.36;

    /** Adds the figure; only where journeys ended. */
    @Override
    public void addTo(List<Figure> to) {
        List<JourneyTable.StepRow> all = JourneyTable.steps(run.analysis());
        List<JourneyTable.StepRow> rows = all.subList(0, Math.min(MAX_ROWS, all.size()));
        double most = rows.stream()
                .mapToDouble(row -> row.step().left() + row.step().ended())
                .max()
                .orElse(0);
        if (most == 0) {
            return;
        }
        NumberAxis domain = Axes.fromZero("journeys", most, Theme.INK);
        List<TickedAxis.Mark> marks = new ArrayList<>();
        // The bars are annotations; a plot without points would say that nothing was measured.
        XYSeries points = new XYSeries("", false, true);
        XYPlot plot = Theme.plain(
                new XYPlot(new XYSeriesCollection(points), domain, null, new XYLineAndShapeRenderer(false, false)));
        for (int i = 0; i < rows.size(); i++) {
            JourneyTable.StepRow row = rows.get(i);
            double y = rows.size() - i;
            points.add(0, y);
            marks.add(new TickedAxis.Mark(
                    y,
                    RunText.clean(row.journey() + " · " + row.step().request()) + "  "
                            + Numbers.count(row.step().left())));
            box(plot, 0, row.step().left(), y, Theme.MEDIAN);
            box(plot, row.step().left(), row.step().left() + row.step().ended(), y, Theme.FAILED);
        }
        TickedAxis range = Theme.axis(new TickedAxis("", marks), Theme.INK);
        range.setRange(0.4, rows.size() + 0.6);
        plot.setRangeAxis(range);
        plot.setRangeGridlinesVisible(false);
        plot.setFixedLegendItems(Theme.legend(
                Theme.legendShape("went on", Theme.MEDIAN, Theme.LEGEND_BOX),
                Theme.legendShape("failed and ended here", Theme.FAILED, Theme.LEGEND_BOX)));
        to.add(run.figure(
                "funnel",
                "How far journeys got",
                "One bar per step, in journey order: iterations that passed it, and those that failed there. "
                        + "The number shows how many went on."
                        + (all.size() > MAX_ROWS ? " The first " + MAX_ROWS + " are drawn." : ""),
                HEAD_HEIGHT + ROW_HEIGHT * rows.size(),
                plot));
    }

    private static void box(XYPlot plot, double from, double to, double y, Color colour) {
        if (to > from) {
            plot.addAnnotation(new XYBoxAnnotation(from, y - HALF, to, y + HALF, null, null, colour));
        }
    }
}
