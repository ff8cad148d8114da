package org.diperf.analyzer.figure;

import java.awt.BasicStroke;
import java.awt.Color;
import org.jfree.chart.LegendItem;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.xy.XYDataset;

/** Draws one line as one path, which keeps SVG small. A point between two gaps, invisible as a line, is a dot. */
final class LineRenderer extends XYLineAndShapeRenderer {

    private static final long serialVersionUID = 1;

    private final transient XYDataset data;

    LineRenderer(XYDataset data, Color colour, BasicStroke stroke) {
        super(true, false);
        this.data = data;
        setDrawSeriesLineAsPath(true);
        setDefaultShapesFilled(true);
        for (int i = 0; i < data.getSeriesCount(); i++) {
            setSeriesPaint(i, colour);
            setSeriesStroke(i, stroke);
            setSeriesShape(i, Theme.DOT);
        }
    }

    @Override
    public boolean getItemShapeVisible(int series, int item) {
        return missing(series, item - 1) && missing(series, item + 1) && !missing(series, item);
    }

    private boolean missing(int series, int item) {
        return item < 0 || item >= data.getItemCount(series) || Double.isNaN(data.getYValue(series, item));
    }

    @Override
    public LegendItem getLegendItem(int datasetIndex, int series) {
        return Theme.legendLine(data.getSeriesKey(series).toString(), (Color) getSeriesPaint(series), (BasicStroke)
                getSeriesStroke(series));
    }
}
