package org.diperf.analyzer.figure;

import java.awt.Color;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.MetricRow;
import org.diperf.analyzer.result.ShownAnnex;
import org.diperf.analyzer.server.MonitoredMetric;
import org.diperf.analyzer.text.RunText;
import org.diperf.core.spi.Annex;
import org.jfree.chart.plot.XYPlot;
import org.jspecify.annotations.Nullable;

/** Lines over time that annexes ask for, in panels over one another. */
final class AnnexFigures implements RunFigure {

    private static final int MAX_LINES = 6;
    private static final int LEGEND = 140;
    private static final int PANEL = 180;

    private final RunView run;
    private final Analysis analysis;

    /** What is drawn of a line. */
    private record Drawn(String name, double mean, double[] seconds, double[] values) {}

    AnnexFigures(RunView run) {
        this.run = run;
        this.analysis = run.analysis();
    }

    @Override
    public void addTo(List<Figure> to) {
        for (ShownAnnex annex : analysis.annexes()) {
            Annex.Chart chart = annex.annex().chart();
            if (chart != null) {
                add(annex, chart, to);
            }
        }
    }

    private void add(ShownAnnex annex, Annex.Chart chart, List<Figure> to) {
        List<String> names = List.of();
        StackedPanels panels = new StackedPanels(run.time());
        int count = 0;
        for (Annex.Panel panel : chart.panels()) {
            List<Drawn> lines = panel.lines().stream()
                    .map(line -> drawn(annex, line))
                    .filter(Objects::nonNull)
                    .toList();
            if (count == 0) {
                // The first panel says which lines are worth drawing, and has the legend for all.
                names = lines.stream()
                        .sorted(Comparator.comparingDouble((Drawn line) -> -line.mean)
                                .thenComparing(Drawn::name))
                        .limit(MAX_LINES)
                        .map(Drawn::name)
                        .toList();
            }
            List<String> all = names;
            List<Drawn> shown =
                    lines.stream().filter(line -> all.contains(line.name)).toList();
            if (!shown.isEmpty()) {
                panels.add(panel(panel, shown, all, count == 0), 1);
                count++;
            }
        }
        if (count > 0) {
            to.add(run.figure(
                    "annex-" + annex.annex().name(),
                    RunText.clean(chart.title()),
                    RunText.clean(chart.howToRead()),
                    LEGEND + PANEL * count,
                    panels.joined()));
        }
    }

    /** Returns what is to be drawn; {@code null}: nothing is known of it. */
    private @Nullable Drawn drawn(ShownAnnex annex, Annex.Line line) {
        if (line.metric().isEmpty()) {
            double[] values =
                    line.points().stream().mapToDouble(Annex.Point::value).toArray();
            return values.length == 0
                    ? null
                    : new Drawn(
                            line.name(),
                            Arrays.stream(values).average().orElse(0),
                            line.points().stream()
                                    .mapToDouble(Annex.Point::seconds)
                                    .toArray(),
                            values);
        }
        String monitor = annex.left().monitor();
        for (MonitoredMetric track : analysis.server().tracks()) {
            if (track.monitor().equals(monitor)
                    && track.metric().equals(line.metric())
                    && Double.isFinite(track.mean())) {
                return new Drawn(line.name(), track.mean(), run.seconds(), track.values());
            }
        }
        for (MetricRow row : analysis.details().metrics()) {
            if (monitor.isEmpty() && row.name().equals(line.metric())) {
                return new Drawn(
                        line.name(),
                        Arrays.stream(row.values())
                                .filter(Double::isFinite)
                                .average()
                                .orElse(0),
                        run.seconds(),
                        row.values());
            }
        }
        return null;
    }

    private XYPlot panel(Annex.Panel of, List<Drawn> lines, List<String> names, boolean hasLegend) {
        List<double[]> values = lines.stream()
                .map(line -> Downsampler.map(line.values, value -> value / of.divisor()))
                .toList();
        double largest = values.stream()
                .mapToDouble(Downsampler::max)
                .filter(Double::isFinite)
                .max()
                .orElse(0);
        Panel panel = run.panel().left(Axes.fromZero(RunText.clean(of.label()), Math.max(1e-3, largest), Theme.INK));
        for (int i = 0; i < lines.size(); i++) {
            Drawn line = lines.get(i);
            Color colour = Objects.requireNonNull(Theme.EACH[names.indexOf(line.name) % Theme.EACH.length]);
            String name = hasLegend ? RunText.clean(line.name) : "";
            panel.line(0, name, line.seconds, values.get(i), colour, Theme.LINE);
        }
        return panel.done(hasLegend);
    }
}
