package org.diperf.analyzer.figure;

import java.awt.Color;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.diperf.analyzer.server.MonitoredMetric;
import org.diperf.analyzer.text.Words;
import org.diperf.core.run.MonitorRecord;
import org.diperf.core.spi.Testbed.Network;
import org.jfree.chart.plot.XYPlot;
import org.jspecify.annotations.Nullable;

/** What the links of the network that the testbed made carried, dropped and queued over time: those that carried most. */
final class LinkFigure implements RunFigure {

    private static final int MAX_LINES = 6;
    private static final double MEGA = 1e6;

    private final RunView run;
    private final List<MonitoredMetric> tracks;

    LinkFigure(RunView run) {
        this.run = run;
        List<MonitorRecord> monitors = run.analysis().run().monitors();
        List<String> names = (monitors == null ? List.<MonitorRecord>of() : monitors)
                .stream()
                        .filter(monitor -> monitor.kind().equals(Network.MONITOR))
                        .map(MonitorRecord::name)
                        .toList();
        this.tracks = run.analysis().server().tracks().stream()
                .filter(track -> names.contains(track.monitor()) && Double.isFinite(track.mean()))
                .toList();
    }

    @Override
    public void addTo(List<Figure> to) {
        // Where links have rates, their use says which is the bottleneck; bits alone do not.
        List<MonitoredMetric> uses = most(Network.USE);
        List<MonitoredMetric> shown = uses.isEmpty() ? most(Network.RATE) : uses;
        if (shown.isEmpty()) {
            return;
        }
        String ofUse = "." + (uses.isEmpty() ? Network.RATE : Network.USE);
        List<String> parts = shown.stream()
                .map(track -> track.metric().substring(0, track.metric().length() - ofUse.length()))
                .toList();
        StackedPanels panels = new StackedPanels(run.time());
        if (!uses.isEmpty()) {
            panels.add(panel("use of the rate (%)", parts, Network.USE, 1, true), 2);
        }
        panels.add(panel("sent (Mbit/s)", parts, Network.RATE, MEGA, uses.isEmpty()), 2);
        panels.add(panel("longest queue (packets)", parts, Network.LONGEST_QUEUE, 1, false), 2);
        boolean drops = parts.stream().anyMatch(part -> track(part, Network.OVERFLOWED) != null);
        if (drops) {
            panels.add(panel("dropped (1/s)", parts, Network.OVERFLOWED, 1, false), 1);
        }
        to.add(run.figure(
                "links",
                "Use of the network's links",
                "What the links of the emulated network carried, those that were used most, each direction by itself"
                        + (drops ? "; below, packets that found no room in a queue" : "")
                        + ". Where a link is used fully, it limits the calls, and its queue is part of their response times.",
                drops ? 820 : 680,
                panels.joined()));
    }

    private List<MonitoredMetric> most(String what) {
        return tracks.stream()
                .filter(track -> track.metric().endsWith("." + what))
                .sorted(Comparator.comparingDouble((MonitoredMetric track) -> -track.mean())
                        .thenComparing(MonitoredMetric::metric))
                .limit(MAX_LINES)
                .toList();
    }

    private @Nullable MonitoredMetric track(String part, String what) {
        String metric = Network.metric(part, what);
        return tracks.stream()
                .filter(track -> track.metric().equals(metric))
                .findFirst()
                .orElse(null);
    }

    /** Draws one line a link; only one of the panels has a legend for all. */
    private XYPlot panel(String label, List<String> parts, String what, double unit, boolean hasLegend) {
        List<double[]> lines = new ArrayList<>();
        double most = 0;
        for (String part : parts) {
            MonitoredMetric track = track(part, what);
            double[] values = track == null
                    ? new double[run.seconds().length]
                    : Points.map(track.values(), value -> value / unit);
            lines.add(values);
            double largest = Points.max(values);
            most = Double.isFinite(largest) ? Math.max(most, largest) : most;
        }
        Panel panel = run.panel().left(Axes.fromZero(label, Math.max(1e-3, most), Theme.INK));
        for (int i = 0; i < parts.size(); i++) {
            Color colour = Objects.requireNonNull(Theme.EACH[i % Theme.EACH.length]);
            if (hasLegend) {
                panel.line(0, Words.clean(parts.get(i)), lines.get(i), colour);
            } else {
                panel.line(0, "", lines.get(i), colour);
            }
        }
        return panel.done(hasLegend);
    }
}
