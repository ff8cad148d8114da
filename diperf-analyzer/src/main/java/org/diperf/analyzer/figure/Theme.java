package org.diperf.analyzer.figure;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Shape;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.util.List;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.LegendItem;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.block.BlockBorder;
import org.jfree.chart.plot.DatasetRenderingOrder;
import org.jfree.chart.plot.Plot;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.StandardXYBarPainter;
import org.jfree.chart.renderer.xy.XYBarRenderer;
import org.jfree.chart.renderer.xy.XYErrorRenderer;
import org.jfree.chart.renderer.xy.XYItemRenderer;
import org.jfree.chart.title.LegendTitle;
import org.jfree.chart.title.TextTitle;
import org.jfree.chart.ui.HorizontalAlignment;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.data.xy.XYDataset;
import org.jfree.data.xy.XYIntervalSeries;
import org.jfree.data.xy.XYIntervalSeriesCollection;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;
import org.jspecify.annotations.Nullable;

/**
 * How every figure looks. One quantity has one colour everywhere; the colours are Okabe and Ito's, which people with any
 * kind of colour vision can tell apart (<i>Color Universal Design</i>, 2008).
 */
final class Theme {

    static final Color LOAD = new Color(0x55, 0x55, 0x55);
    static final Color THROUGHPUT = new Color(0x00, 0x72, 0xB2);
    static final Color MEDIAN = new Color(0x00, 0x9E, 0x73);
    static final Color P99 = new Color(0xD5, 0x5E, 0x00);
    static final Color MEDIAN_BAND = new Color(0x00, 0x9E, 0x73, 70);
    static final Color P99_BAND = new Color(0xD5, 0x5E, 0x00, 55);
    static final Color SECOND = new Color(0xCC, 0x79, 0xA7);
    static final Color FAILED = new Color(0xD5, 0x5E, 0x00);
    static final Color DROPPED = new Color(0xCC, 0x79, 0xA7);
    static final Color DOTS = new Color(0x56, 0xB4, 0xE9, 90);
    static final Color DOTS_IN_LEGEND = new Color(0x56, 0xB4, 0xE9);

    /** Colours of testers; beyond, they come again. */
    static final Color[] EACH = {
        new Color(0x00, 0x72, 0xB2),
        new Color(0xE6, 0x9F, 0x00),
        new Color(0x00, 0x9E, 0x73),
        new Color(0xCC, 0x79, 0xA7),
        new Color(0x56, 0xB4, 0xE9),
        new Color(0xD5, 0x5E, 0x00),
        new Color(0x55, 0x55, 0x55),
        new Color(0xB8, 0xA9, 0x00)
    };

    static final Color RAMP = new Color(0xE9, 0xE9, 0xE9);
    static final Color BORDER = new Color(0x99, 0x99, 0x99);
    static final BasicStroke THIN = new BasicStroke(0.8f);
    static final Color LIMITED = new Color(0xFE, 0xF8, 0xDF);
    static final Color GENERATOR_LIMITED = new Color(0xFB, 0xEC, 0xA8);
    static final Color TESTER_LOST = new Color(0xF3, 0xD3, 0xE4);
    static final Color CHANGE = new Color(0xCC, 0x79, 0xA7);

    static final BasicStroke LINE = new BasicStroke(2f, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND);
    static final BasicStroke DASHED =
            new BasicStroke(2f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1f, new float[] {7f, 4f}, 0f);
    static final BasicStroke THIN_DASHED =
            new BasicStroke(1f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1f, new float[] {4f, 3f}, 0f);
    static final Shape LEGEND_LINE = new Line2D.Double(-13, 0, 13, 0);
    static final Shape LEGEND_BOX = new Rectangle2D.Double(-9, -6, 18, 12);
    /** Diameters of dots, nominal pixels: of thousands, of hundreds, and of few. */
    static final float SMALL_DOT = 3.2f;

    static final float MEDIUM_DOT = 5.2f;
    static final float LARGE_DOT = 8f;

    /** Returns the diameter of each of so many dots. */
    static float dot(int count) {
        return count > 500 ? SMALL_DOT : count > 100 ? MEDIUM_DOT : LARGE_DOT;
    }

    static final Shape LEVEL = new Ellipse2D.Double(-4, -4, 8, 8);
    static final Shape DOT = new Ellipse2D.Double(-2.6, -2.6, 5.2, 5.2);

    private static final String FAMILY = "DejaVu Sans";
    private static final Font TITLE = new Font(FAMILY, Font.BOLD, 17);
    static final Font PLAIN = new Font(FAMILY, Font.PLAIN, 13);
    static final Font SMALL = new Font(FAMILY, Font.PLAIN, 12);
    static final Color INK = new Color(0x22, 0x22, 0x22);
    private static final Color PALE_INK = new Color(0x55, 0x55, 0x55);
    private static final Color GRID = new Color(0xDD, 0xDD, 0xDD);

    private Theme() {}

    /** Makes the chart around a plot. */
    static JFreeChart chart(Plot plot, String title, String subtitle, boolean legend) {
        JFreeChart chart = new JFreeChart(null, TITLE, plot, false);
        chart.setBackgroundPaint(Color.WHITE);
        chart.setPadding(new RectangleInsets(10, 12, 8, 14));
        TextTitle head = new TextTitle(title, TITLE);
        head.setPaint(INK);
        head.setHorizontalAlignment(HorizontalAlignment.LEFT);
        head.setPadding(0, 4, 2, 0);
        chart.setTitle(head);
        TextTitle sub = new TextTitle(subtitle, SMALL);
        sub.setPaint(PALE_INK);
        sub.setHorizontalAlignment(HorizontalAlignment.LEFT);
        sub.setPadding(0, 4, 10, 0);
        chart.addSubtitle(sub);
        if (legend) {
            LegendTitle items = new LegendTitle(plot);
            items.setPosition(RectangleEdge.BOTTOM);
            items.setFrame(BlockBorder.NONE);
            items.setItemFont(SMALL);
            items.setItemPaint(INK);
            items.setItemLabelPadding(new RectangleInsets(2, 4, 2, 12));
            items.setBackgroundPaint(null);
            chart.addSubtitle(items);
        }
        return chart;
    }

    /** Returns a plot the common background and grid. */
    static <P extends XYPlot> P plain(P plot) {
        plot.setBackgroundPaint(Color.WHITE);
        plot.setOutlinePaint(new Color(0xAA, 0xAA, 0xAA));
        plot.setDomainGridlinePaint(GRID);
        plot.setRangeGridlinePaint(GRID);
        plot.setDomainGridlineStroke(new BasicStroke(0.8f));
        plot.setRangeGridlineStroke(new BasicStroke(0.8f));
        plot.setAxisOffset(RectangleInsets.ZERO_INSETS);
        plot.setNoDataMessage("nothing was measured");
        plot.setNoDataMessageFont(PLAIN);
        plot.setNoDataMessagePaint(PALE_INK);
        return plot;
    }

    /** Makes a plot with the common background and grid, in which what is added later lies over what was added before. */
    static XYPlot plot(@Nullable ValueAxis domain, ValueAxis range) {
        return inOrder(plain(new XYPlot(null, domain, range, null)));
    }

    static XYPlot inOrder(XYPlot plot) {
        plot.setDatasetRenderingOrder(DatasetRenderingOrder.FORWARD);
        return plot;
    }

    /** Adds values to those that a plot has. */
    static void add(XYPlot plot, XYDataset data, XYItemRenderer renderer) {
        int index = plot.getDataset() == null ? 0 : plot.getDatasetCount();
        plot.setDataset(index, data);
        plot.setRenderer(index, renderer);
    }

    static void line(XYPlot plot, XYSeries values, Color colour, BasicStroke stroke) {
        XYSeriesCollection data = new XYSeriesCollection(values);
        add(plot, data, new LineRenderer(data, colour, stroke));
    }

    /** @param diameter of dots, nominal pixels */
    static void cloud(XYPlot plot, XYSeries values, Color colour, float diameter) {
        XYSeriesCollection data = new XYSeriesCollection(values);
        add(plot, data, new DotRenderer(data, colour, colour, diameter));
    }

    static void intervals(XYPlot plot, XYIntervalSeries values, XYItemRenderer renderer) {
        XYIntervalSeriesCollection data = new XYIntervalSeriesCollection();
        data.addSeries(values);
        add(plot, data, renderer);
    }

    static XYBarRenderer bars(Color colour) {
        XYBarRenderer bars = new XYBarRenderer();
        bars.setBarPainter(new StandardXYBarPainter());
        bars.setShadowVisible(false);
        bars.setSeriesPaint(0, colour);
        return bars;
    }

    /** Makes upright intervals without points. */
    static XYErrorRenderer whiskers(Color colour, BasicStroke stroke, double cap) {
        XYErrorRenderer errors = new XYErrorRenderer();
        errors.setDrawXError(false);
        errors.setSeriesShapesVisible(0, false);
        errors.setErrorPaint(colour);
        errors.setErrorStroke(stroke);
        errors.setCapLength(cap);
        return errors;
    }

    static Shape shape(double... corners) {
        Path2D.Double path = new Path2D.Double();
        path.moveTo(corners[0], corners[1]);
        for (int i = 2; i < corners.length; i += 2) {
            path.lineTo(corners[i], corners[i + 1]);
        }
        path.closePath();
        return path;
    }

    /** Returns the same colour, less opaque. */
    static Color pale(Color colour, int alpha) {
        return new Color(colour.getRed(), colour.getGreen(), colour.getBlue(), alpha);
    }

    static LegendItemCollection legend(LegendItem... items) {
        LegendItemCollection legend = new LegendItemCollection();
        List.of(items).forEach(legend::add);
        return legend;
    }

    /** Returns an axis the common fonts, and the colour of what it measures. */
    static <A extends ValueAxis> A axis(A axis, Color colour) {
        axis.setLabelFont(PLAIN);
        axis.setTickLabelFont(SMALL);
        axis.setLabelPaint(colour);
        axis.setTickLabelPaint(colour);
        axis.setAxisLinePaint(new Color(0xAA, 0xAA, 0xAA));
        axis.setTickMarkPaint(new Color(0xAA, 0xAA, 0xAA));
        return axis;
    }

    static LegendItem legendLine(String label, Color colour, BasicStroke stroke) {
        LegendItem item = new LegendItem(label, null, null, null, LEGEND_LINE, stroke, colour);
        item.setLabelFont(SMALL);
        return item;
    }

    static LegendItem legendShape(String label, Color colour, Shape shape) {
        LegendItem item = new LegendItem(label, null, null, null, shape, colour);
        item.setLabelFont(SMALL);
        return item;
    }
}
