package org.diperf.analyzer.figure;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.util.List;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.HeatMap;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.CrosshairState;
import org.jfree.chart.plot.PlotRenderingInfo;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.PaintScale;
import org.jfree.chart.renderer.xy.AbstractXYItemRenderer;
import org.jfree.chart.renderer.xy.XYItemRendererState;
import org.jfree.chart.title.PaintScaleLegend;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.data.xy.XYDataset;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;
import org.jspecify.annotations.Nullable;

/** Response times over time, coloured by how many calls there were. */
final class HeatMapFigure implements RunFigure {

    /** Pale to dark, of one hue: lightness alone tells the order, in grey too. */
    private static final int[] RAMP = {0xE3EEF9, 0xA9CFE8, 0x56B4E9, 0x0072B2, 0x00467A, 0x001E3C};

    private static final int SHADES = 24;

    private final Analysis analysis;
    private final HeatMap heat;
    private final String subtitle;

    HeatMapFigure(RunView run) {
        this.analysis = run.analysis();
        this.heat = run.analysis().details().heat();
        this.subtitle = run.subtitle();
    }

    /** Adds the figure; a single column is no picture of time. */
    @Override
    public void addTo(List<Figure> to) {
        if (heat.counts().length < 2) {
            return;
        }
        double top = Math.log10(Math.max(10, heat.most()));
        double from = heat.edgeMillis(0);
        double end = heat.edgeMillis(heat.rows());
        ValueAxis range = Axes.log("response time (ms, log scale)", from, end, Theme.INK);
        XYSeries corners = new XYSeries("calls", false, true);
        corners.add(0, from);
        corners.add(Math.max(analysis.series().durationSeconds(), 1e-9), end);
        NumberAxis domain = Axes.time(analysis.series().durationSeconds());
        XYPlot plot = Theme.plain(new XYPlot(new XYSeriesCollection(corners), domain, range, new Cells(heat, top)));
        plot.setDomainGridlinesVisible(false);
        String title = "Response times over time";
        JFreeChart chart = Theme.chart(plot, title, subtitle, false);
        PaintScaleLegend scale =
                new PaintScaleLegend(new Shades(top), Axes.exponents("ok calls per cell (log scale)", top));
        scale.setPosition(RectangleEdge.RIGHT);
        scale.setStripWidth(14);
        scale.setSubdivisionCount(SHADES);
        scale.setPadding(new RectangleInsets(8, 14, 40, 4));
        scale.setStripOutlineVisible(false);
        chart.addSubtitle(scale);
        to.add(new Figure(
                "heat",
                title,
                "Each cell counts the ok calls that ended in its time span with a response time in its range; "
                        + "darker means more calls. A second dark band, or a rising one, reveals a kind of call or a "
                        + "queue that a median hides.",
                480,
                chart));
    }

    private static Color shade(double share) {
        double at = Math.max(0, Math.min(1, share)) * (RAMP.length - 1);
        int i = (int) Math.min(RAMP.length - 2, Math.floor(at));
        double part = at - i;
        Color low = new Color(RAMP[i]);
        Color high = new Color(RAMP[i + 1]);
        return new Color(
                (int) Math.round(low.getRed() + part * (high.getRed() - low.getRed())),
                (int) Math.round(low.getGreen() + part * (high.getGreen() - low.getGreen())),
                (int) Math.round(low.getBlue() + part * (high.getBlue() - low.getBlue())));
    }

    /** Colours of the logarithms of counts. */
    private record Shades(double top) implements PaintScale {

        @Override
        public double getLowerBound() {
            return 0;
        }

        @Override
        public double getUpperBound() {
            return top;
        }

        @Override
        public Color getPaint(double value) {
            return shade(value / top);
        }
    }

    /** Draws all cells of a shade as one path, which keeps an SVG small. */
    private static final class Cells extends AbstractXYItemRenderer {

        private static final long serialVersionUID = 1;

        private final transient HeatMap heat;
        private final double top;

        Cells(HeatMap heat, double top) {
            this.heat = heat;
            this.top = top;
        }

        @Override
        public void drawItem(
                Graphics2D g2,
                XYItemRendererState state,
                Rectangle2D area,
                @Nullable PlotRenderingInfo info,
                XYPlot plot,
                ValueAxis domain,
                ValueAxis range,
                XYDataset dataset,
                int series,
                int item,
                @Nullable CrosshairState crosshair,
                int pass) {
            if (item > 0) {
                return;
            }
            for (int shade = 0; shade < SHADES; shade++) {
                Path2D.Double path = new Path2D.Double();
                for (int column = 0; column < heat.counts().length; column++) {
                    double left = Math.rint(x(domain, column * heat.columnSeconds(), area));
                    double right = Math.rint(
                            x(domain, Math.min(domain.getUpperBound(), (column + 1) * heat.columnSeconds()), area));
                    column(path, shade, column, left, right, range, area);
                }
                if (path.getCurrentPoint() != null) {
                    g2.setPaint(shade((shade + 0.5) / SHADES));
                    g2.fill(path);
                }
            }
        }

        private void column(
                Path2D path, int shade, int column, double left, double right, ValueAxis range, Rectangle2D area) {
            for (int row = 0; row < heat.rows(); row++) {
                long count = heat.counts()[column][row];
                int of = (int) Math.min(SHADES - 1, Math.floor(Math.log10(Math.max(1, count)) / top * SHADES));
                if (count == 0 || of != shade) {
                    continue;
                }
                double bottom = y(range, row, area);
                double roof = y(range, row + 1, area);
                path.moveTo(left, bottom);
                path.lineTo(right, bottom);
                path.lineTo(right, roof);
                path.lineTo(left, roof);
                path.closePath();
            }
        }

        private static double x(ValueAxis domain, double seconds, Rectangle2D area) {
            return domain.valueToJava2D(seconds, area, RectangleEdge.BOTTOM);
        }

        private double y(ValueAxis range, int row, Rectangle2D area) {
            return Math.rint(range.valueToJava2D(heat.edgeMillis(row), area, RectangleEdge.LEFT));
        }
    }
}
