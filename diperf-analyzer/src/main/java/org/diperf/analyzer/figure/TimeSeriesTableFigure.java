package org.diperf.analyzer.figure;

import java.awt.Font;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.math3.stat.descriptive.rank.Median;
import org.diperf.analyzer.result.Series;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.result.Summary.Throughput;
import org.diperf.analyzer.stats.Statistic;
import org.diperf.analyzer.stats.Statistics;
import org.diperf.analyzer.text.Numbers;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.block.BlockBorder;
import org.jfree.chart.block.BlockContainer;
import org.jfree.chart.block.GridArrangement;
import org.jfree.chart.block.LabelBlock;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.title.CompositeTitle;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.RectangleInsets;

/**
 * Response time, network latency and load over time to the left, throughput to the right, all as moving averages, and a table
 * of their statistics below (figure 6 of the DiPerF paper, 2 to 9 of the WS-MDS paper).
 */
record TimeSeriesTableFigure(RunView run) implements RunFigure {

    /** Adds the figure; only where a call succeeded. */
    @Override
    public void addTo(List<Figure> to) {
        Summary summary = run.analysis().summary();
        Statistics response = summary.responseTime();
        if (response == null || run.series().size() < 2) {
            return;
        }
        MovingAverage average = run.average();
        double[] served = average.over(run.throughput());
        double[] times =
                average.over(run.series().response(Statistic.MEAN), run.series().of(Series.THROUGHPUT));
        double[] network = average.over(run.series().of(Series.NETWORK));
        boolean far = Double.isFinite(Downsampler.max(network));
        Scale scale = far ? Scale.of(false, times, network) : Scale.of(false, times);
        ValueAxis millis = scale.axis("time (ms)", Theme.MEDIAN);
        Panel panel = run.panel()
                .left(millis)
                .loadAxis()
                .right(run.rateLabel("throughput"), Theme.THROUGHPUT, served)
                .load(1)
                .line(2, "throughput, " + average.words(), served, Theme.THROUGHPUT)
                .line(0, "response time, " + average.words(), times, Theme.MEDIAN);
        if (far) {
            panel.line(0, "network round trip, " + average.words(), network, Theme.SECOND);
        }
        XYPlot plot = panel.overTime();
        String title = "Response time, load and throughput, with their statistics";
        JFreeChart chart = Theme.chart(plot, title, run.subtitle(), true);
        List<List<String>> rows = rows(summary, response, far);
        chart.addSubtitle(1, table(rows));
        to.add(new Figure(
                "time-table",
                title,
                "Lines are averages" + scale.note()
                        + "; the table shows statistics of individual calls (response time) and of intervals of "
                        + Numbers.length(run.series().quantumSeconds())
                        + " (all other rows) over the whole run of "
                        + Numbers.clock(run.series().durationSeconds()) + " with "
                        + Numbers.count(summary.calls().total(), "call") + ".",
                600,
                chart));
    }

    private List<List<String>> rows(Summary summary, Statistics response, boolean far) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("", "min", "median", "mean", "max", "deviation"));
        Throughput throughput = summary.throughput();
        // Whole quanta alone: a sliver at the end would be the least of all.
        double[] whole = Arrays.copyOf(run.throughput(), Math.max(1, (int)
                (run.series().durationSeconds() / run.series().quantumSeconds())));
        double[] of = statistics(whole);
        if (throughput != null) {
            of[2] = throughput.mean() * run.unit().factor();
        }
        rows.add(row(run.rateLabel("throughput"), of));
        rows.add(row(
                "response time (ms)",
                new double[] {response.min(), response.p50(), response.mean(), response.max(), response.stddev()}));
        if (far) {
            rows.add(row("network round trip (ms)", statistics(run.series().of(Series.NETWORK))));
        }
        rows.add(row(run.loadLabel(), statistics(run.load())));
        return rows;
    }

    private static double[] statistics(double[] values) {
        double[] known = Arrays.stream(values).filter(Double::isFinite).sorted().toArray();
        if (known.length == 0) {
            return new double[] {Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN};
        }
        double mean = Arrays.stream(known).average().orElse(Double.NaN);
        double squares = Arrays.stream(known)
                .map(each -> (each - mean) * (each - mean))
                .average()
                .orElse(0);
        return new double[] {known[0], new Median().evaluate(known), mean, known[known.length - 1], Math.sqrt(squares)};
    }

    private static List<String> row(String name, double[] values) {
        List<String> row = new ArrayList<>();
        row.add(name);
        for (double value : values) {
            row.add(Double.isFinite(value) ? Numbers.brief(value) : Numbers.NONE);
        }
        return row;
    }

    private static CompositeTitle table(List<List<String>> rows) {
        BlockContainer grid =
                new BlockContainer(new GridArrangement(rows.size(), rows.get(0).size()));
        for (int i = 0; i < rows.size(); i++) {
            for (int j = 0; j < rows.get(i).size(); j++) {
                grid.add(cell(rows.get(i).get(j), i == 0 ? Theme.SMALL.deriveFont(Font.BOLD) : Theme.SMALL));
            }
        }
        CompositeTitle title = new CompositeTitle(grid);
        title.setPosition(RectangleEdge.BOTTOM);
        title.setPadding(new RectangleInsets(4, 60, 2, 60));
        title.setFrame(BlockBorder.NONE);
        return title;
    }

    private static LabelBlock cell(String text, Font font) {
        LabelBlock cell = new LabelBlock(text, font, Theme.INK);
        cell.setPadding(new RectangleInsets(1, 4, 1, 4));
        return cell;
    }
}
