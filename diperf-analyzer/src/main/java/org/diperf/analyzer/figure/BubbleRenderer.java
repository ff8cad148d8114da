package org.diperf.analyzer.figure;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Rectangle2D;
import java.util.List;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.CrosshairState;
import org.jfree.chart.plot.PlotRenderingInfo;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.AbstractXYItemRenderer;
import org.jfree.chart.renderer.xy.XYItemRendererState;
import org.jfree.chart.text.TextUtils;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.xy.XYDataset;
import org.jspecify.annotations.Nullable;

/** Draws circles of given sizes with a word in each. */
final class BubbleRenderer extends AbstractXYItemRenderer {

    private static final long serialVersionUID = 1;

    private static final double WORD_FROM_RADIUS = 8;

    private final double[] radii;
    private final transient List<String> words;
    private final Color colour;

    /**
     * @param radii nominal pixels, one an item
     * @param words one an item; shown where the circle is large enough
     */
    BubbleRenderer(double[] radii, List<String> words, Color colour) {
        this.radii = radii.clone();
        this.words = List.copyOf(words);
        this.colour = colour;
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
        double x = domain.valueToJava2D(dataset.getXValue(series, item), area, plot.getDomainAxisEdge());
        double y = range.valueToJava2D(dataset.getYValue(series, item), area, plot.getRangeAxisEdge());
        double radius = radii[item];
        if (!Double.isFinite(x) || !Double.isFinite(y) || !(radius > 0)) {
            return;
        }
        Ellipse2D.Double circle = new Ellipse2D.Double(x - radius, y - radius, 2 * radius, 2 * radius);
        g2.setPaint(Theme.pale(colour, 110));
        g2.fill(circle);
        g2.setPaint(colour);
        g2.setStroke(Theme.THIN);
        g2.draw(circle);
        if (radius >= WORD_FROM_RADIUS) {
            g2.setPaint(Theme.INK);
            g2.setFont(Theme.SMALL);
            TextUtils.drawAlignedString(words.get(item), g2, (float) x, (float) y, TextAnchor.CENTER);
        }
    }
}
