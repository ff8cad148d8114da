package org.diperf.analyzer.figure;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.diperf.analyzer.result.Analysis;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.plot.CombinedDomainXYPlot;
import org.jfree.chart.plot.XYPlot;
import org.jfree.data.xy.XYDataset;

/** What a figure draws, read from its data sets: panels from above, and the rows of points of each. */
final class FigureData {

    private final XYPlot plot;

    private FigureData(XYPlot plot) {
        this.plot = plot;
    }

    /**
     * One row of points.
     *
     * @param name as in the legend
     * @param axis label of the axis that it is drawn against
     * @param x positions along the domain axis
     * @param y values; {@code NaN} where a line is broken
     */
    record Row(String name, String axis, double[] x, double[] y) {}

    /** Reads a figure of a run by its name. */
    static FigureData of(Analysis analysis, String name) {
        return Figures.all(analysis).stream()
                .filter(figure -> figure.name().equals(name))
                .map(figure -> new FigureData(figure.chart().getXYPlot()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("wanted the figure " + name + ", found "
                        + Figures.all(analysis).stream().map(Figure::name).toList()));
    }

    /** Gives the label of the domain axis, which all panels share. */
    String domain() {
        return plot.getDomainAxis().getLabel();
    }

    /** Lists the entries of the legend. */
    List<String> legend() {
        LegendItemCollection items = plot.getLegendItems();
        return IntStream.range(0, items.getItemCount())
                .mapToObj(item -> items.get(item).getLabel())
                .toList();
    }

    /** Lists the rows of a panel, counted from above, in the order in which they are drawn. */
    List<Row> panel(int number) {
        XYPlot panel = plot instanceof CombinedDomainXYPlot stacked
                ? stacked.getSubplots().get(number)
                : plot;
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < panel.getDatasetCount(); i++) {
            XYDataset data = panel.getDataset(i);
            String axis = panel.getRangeAxisForDataset(i).getLabel();
            for (int series = 0; series < data.getSeriesCount(); series++) {
                int of = series;
                int count = data.getItemCount(series);
                rows.add(new Row(
                        String.valueOf(data.getSeriesKey(series)),
                        axis,
                        IntStream.range(0, count)
                                .mapToDouble(item -> data.getXValue(of, item))
                                .toArray(),
                        IntStream.range(0, count)
                                .mapToDouble(item -> data.getYValue(of, item))
                                .toArray()));
            }
        }
        return rows;
    }

    /** Gives a row of a panel by its name. */
    Row row(int number, String name) {
        return panel(number).stream()
                .filter(row -> row.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("wanted the row " + name + ", found "
                        + panel(number).stream().map(Row::name).toList()));
    }
}
