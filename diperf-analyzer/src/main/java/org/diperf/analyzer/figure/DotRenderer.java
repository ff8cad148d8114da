package org.diperf.analyzer.figure;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import org.jfree.chart.LegendItem;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.CrosshairState;
import org.jfree.chart.plot.PlotRenderingInfo;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYItemRendererState;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.xy.XYDataset;
import org.jspecify.annotations.Nullable;

/**
 * Draws dots only, as the round ends of lines without length. Many dots share a path, which makes an SVG ten times smaller
 * than an element each; several paths over each other still show by their depth of colour where dots are dense.
 */
final class DotRenderer extends XYLineAndShapeRenderer {

    private static final long serialVersionUID = 1;

    private static final int LAYERS = 16;

    private final transient XYDataset data;
    private final Color colour;
    private final Color inLegend;
    private final float diameter;

    /** @param diameter nominal pixels */
    DotRenderer(XYDataset data, Color colour, Color inLegend, float diameter) {
        super(false, true);
        this.data = data;
        this.colour = colour;
        this.inLegend = inLegend;
        this.diameter = diameter;
    }

    private final class Layers extends XYItemRendererState {

        private final Graphics2D g2;
        private final Path2D.Double[] paths = new Path2D.Double[LAYERS];

        Layers(Graphics2D g2, @Nullable PlotRenderingInfo info) {
            super(info);
            this.g2 = g2;
            setProcessVisibleItemsOnly(false);
        }

        void add(int item, double x, double y) {
            int layer = item % LAYERS;
            if (paths[layer] == null) {
                paths[layer] = new Path2D.Double();
            }
            paths[layer].moveTo(x, y);
            paths[layer].lineTo(x + 0.01, y);
        }

        @Override
        public void endSeriesPass(XYDataset dataset, int series, int first, int last, int pass, int passes) {
            g2.setPaint(colour);
            g2.setStroke(new BasicStroke(diameter, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND));
            for (int i = 0; i < LAYERS; i++) {
                if (paths[i] != null) {
                    g2.draw(paths[i]);
                    paths[i] = null;
                }
            }
        }
    }

    @Override
    public XYItemRendererState initialise(
            Graphics2D g2, Rectangle2D area, XYPlot plot, XYDataset dataset, @Nullable PlotRenderingInfo info) {
        return new Layers(g2, info);
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
        if (pass > 0) {
            return;
        }
        double x = domain.valueToJava2D(dataset.getXValue(series, item), area, plot.getDomainAxisEdge());
        double y = range.valueToJava2D(dataset.getYValue(series, item), area, plot.getRangeAxisEdge());
        if (Double.isFinite(x) && Double.isFinite(y)) {
            ((Layers) state).add(item, x, y);
        }
    }

    @Override
    public LegendItem getLegendItem(int datasetIndex, int series) {
        return Theme.legendShape(data.getSeriesKey(series).toString(), inLegend, Theme.DOT);
    }
}
