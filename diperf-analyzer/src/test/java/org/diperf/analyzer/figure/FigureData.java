package org.diperf.analyzer.figure;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;
import org.diperf.analyzer.result.Analysis;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.CombinedDomainXYPlot;
import org.jfree.chart.plot.CombinedRangeXYPlot;
import org.jfree.chart.plot.Marker;
import org.jfree.chart.plot.ValueMarker;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.ui.Layer;
import org.jfree.chart.ui.RectangleAnchor;
import org.jfree.data.xy.IntervalXYDataset;
import org.jfree.data.xy.XYDataset;
import org.jspecify.annotations.Nullable;

/** What a figure draws, read from its data sets: panels from above or from the left, and the rows of points of each. */
final class FigureData {

    private final Figure figure;
    private final XYPlot plot;

    private FigureData(Figure figure) {
        this.figure = figure;
        this.plot = figure.chart().getXYPlot();
    }

    /**
     * One row of points.
     *
     * @param name as in the legend
     * @param axis label of the axis that it is drawn against
     * @param x positions along the domain axis
     * @param y values; {@code NaN} where a line is broken
     * @param low lower ends of their intervals; the values themselves where they have none
     * @param high upper ends
     */
    record Row(String name, String axis, double[] x, double[] y, double[] low, double[] high) {}

    /** Reads a figure of a run by its name. */
    static FigureData of(Analysis analysis, String name) {
        return of(Figures.all(analysis), name);
    }

    /** Reads one of several figures by its name. */
    static FigureData of(List<Figure> figures, String name) {
        return figures.stream()
                .filter(figure -> figure.name().equals(name))
                .findFirst()
                .map(FigureData::new)
                .orElseThrow(() -> new AssertionError("expected the figure " + name + ", got "
                        + figures.stream().map(Figure::name).toList()));
    }

    /** Names the figures of a run. */
    static List<String> names(Analysis analysis) {
        return Figures.all(analysis).stream().map(Figure::name).toList();
    }

    String title() {
        return figure.title();
    }

    String howToRead() {
        return figure.howToRead();
    }

    /** Returns the label of the domain axis, which panels over one another share. */
    String domain() {
        return plot.getDomainAxis().getLabel();
    }

    /** Returns the label of the domain axis of a panel. */
    String domain(int number) {
        return plots().get(number).getDomainAxis().getLabel();
    }

    /** Returns the label of the first range axis of a panel. */
    String range(int number) {
        return rangeAxis(number).getLabel();
    }

    ValueAxis rangeAxis(int number) {
        return plots().get(number).getRangeAxis();
    }

    /** Lists the entries of the legend. */
    List<String> legend() {
        LegendItemCollection items = plot.getLegendItems();
        return IntStream.range(0, items.getItemCount())
                .mapToObj(item -> items.get(item).getLabel())
                .toList();
    }

    /** Returns the positions of the upright lines that mark a panel, behind its values or before them. */
    double[] marks(int number) {
        XYPlot panel = plots().get(number);
        double[] behind = values(panel.getDomainMarkers(Layer.BACKGROUND));
        return behind.length > 0 ? behind : values(panel.getDomainMarkers(Layer.FOREGROUND));
    }

    /** Says of each upright line before the values of a panel whether its label stands to the right of it. */
    List<Boolean> labelsToTheRight(int number) {
        Collection<?> lines = plots().get(number).getDomainMarkers(Layer.FOREGROUND);
        return lines.stream()
                .map(line -> ((Marker) line).getLabelAnchor() == RectangleAnchor.TOP_RIGHT)
                .toList();
    }

    /** Returns the positions of the level lines that mark a panel, behind its values or before them. */
    double[] limits(int number) {
        XYPlot panel = plots().get(number);
        double[] behind = values(panel.getRangeMarkers(Layer.BACKGROUND));
        return behind.length > 0 ? behind : values(panel.getRangeMarkers(Layer.FOREGROUND));
    }

    private static double[] values(@Nullable Collection<?> markers) {
        return markers == null
                ? new double[0]
                : markers.stream()
                        .filter(ValueMarker.class::isInstance)
                        .mapToDouble(marker -> ((ValueMarker) marker).getValue())
                        .toArray();
    }

    private List<XYPlot> plots() {
        return plot instanceof CombinedDomainXYPlot stacked
                ? stacked.getSubplots()
                : plot instanceof CombinedRangeXYPlot beside ? beside.getSubplots() : List.of(plot);
    }

    int panels() {
        return plots().size();
    }

    /** Lists the rows of a panel, counted from above, in the order in which they are drawn. */
    List<Row> panel(int number) {
        XYPlot panel = plots().get(number);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < panel.getDatasetCount(); i++) {
            XYDataset data = panel.getDataset(i);
            // A place that a figure keeps for what was not measured is empty.
            for (int series = 0; data != null && series < data.getSeriesCount(); series++) {
                rows.add(row(data, series, panel.getRangeAxisForDataset(i).getLabel()));
            }
        }
        return rows;
    }

    private static Row row(XYDataset data, int series, String axis) {
        int count = data.getItemCount(series);
        double[] x = new double[count];
        double[] y = new double[count];
        double[] low = new double[count];
        double[] high = new double[count];
        for (int item = 0; item < count; item++) {
            x[item] = data.getXValue(series, item);
            y[item] = data.getYValue(series, item);
            low[item] = data instanceof IntervalXYDataset spans ? spans.getStartYValue(series, item) : y[item];
            high[item] = data instanceof IntervalXYDataset spans ? spans.getEndYValue(series, item) : y[item];
        }
        return new Row(String.valueOf(data.getSeriesKey(series)), axis, x, y, low, high);
    }

    /** Returns a row of a panel by its name. */
    Row row(int number, String name) {
        return panel(number).stream()
                .filter(row -> row.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("expected the row " + name + ", got "
                        + panel(number).stream().map(Row::name).toList()));
    }
}
