package org.diperf.analyzer.figure;

import java.awt.Color;
import java.awt.Shape;
import org.jfree.chart.LegendItem;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.xy.XYDataset;

/** Draws dots only. */
final class CloudRenderer extends XYLineAndShapeRenderer {

    private static final long serialVersionUID = 1;

    private final transient XYDataset data;
    private final Color inLegend;

    CloudRenderer(XYDataset data, Color colour, Color inLegend, Shape dot) {
        super(false, true);
        this.data = data;
        this.inLegend = inLegend;
        setSeriesPaint(0, colour);
        setSeriesShape(0, dot);
        setDrawOutlines(false);
        setUseFillPaint(false);
    }

    @Override
    public LegendItem getLegendItem(int datasetIndex, int series) {
        return Look.legendShape(data.getSeriesKey(series).toString(), inLegend, Look.DOT);
    }
}
