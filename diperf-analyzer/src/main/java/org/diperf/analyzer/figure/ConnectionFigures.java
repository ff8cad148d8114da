package org.diperf.analyzer.figure;

import java.awt.Color;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.diperf.analyzer.server.MonitoredMetric;
import org.diperf.analyzer.text.RunText;
import org.diperf.core.run.MonitorRecord;
import org.jfree.chart.plot.XYPlot;
import org.jspecify.annotations.Nullable;

/** Windows and bandwidth of TCP connections over time, as monitors of them saw them: those with the largest windows. */
record ConnectionFigures(RunView run) implements RunFigure {

    /** Kind of such monitors. */
    private static final String KIND = "connections";

    private static final String WINDOW = ".cwnd";
    private static final String THRESHOLD = ".ssthresh";
    private static final String ACKED = ".acked";
    private static final String RECEIVED = ".received";
    private static final String RETRANSMITS = ".retransmits";
    private static final int MAX_LINES = 6;
    private static final double BITS_A_MEGABIT = 8e-6;

    @Override
    public void addTo(List<Figure> to) {
        List<MonitorRecord> monitors = run.analysis().run().monitors();
        for (MonitorRecord monitor : monitors == null ? List.<MonitorRecord>of() : monitors) {
            if (monitor.kind().equals(KIND)) {
                add(monitor, to);
            }
        }
    }

    private void add(MonitorRecord monitor, List<Figure> to) {
        List<MonitoredMetric> tracks = run.analysis().server().tracks().stream()
                .filter(track -> track.monitor().equals(monitor.name()) && Double.isFinite(track.mean()))
                .toList();
        List<String> shown = tracks.stream()
                .filter(track -> track.metric().endsWith(WINDOW))
                .sorted(Comparator.comparingDouble((MonitoredMetric track) -> -track.mean())
                        .thenComparing(MonitoredMetric::metric))
                .limit(MAX_LINES)
                .map(track -> track.metric().substring(0, track.metric().length() - WINDOW.length()))
                .sorted()
                .toList();
        if (shown.isEmpty()) {
            return;
        }
        StackedPanels panels = new StackedPanels(run.time());
        panels.add(panel("congestion window (segments)", tracks, shown, WINDOW, 1, true), 3);
        boolean sends = mean(tracks, shown, ACKED) >= mean(tracks, shown, RECEIVED);
        panels.add(
                panel(
                        sends ? "acknowledged (Mbit/s)" : "received (Mbit/s)",
                        tracks,
                        shown,
                        sends ? ACKED : RECEIVED,
                        BITS_A_MEGABIT,
                        false),
                2);
        boolean hasThreshold = shown.stream().anyMatch(each -> track(tracks, each + THRESHOLD) != null);
        if (hasThreshold) {
            panels.add(panel("slow start threshold (segments)", tracks, shown, THRESHOLD, 1, false), 2);
        }
        panels.add(panel("retransmitted (segments/s)", tracks, shown, RETRANSMITS, 1, false), 1);
        to.add(run.figure(
                "connections-" + monitor.name(),
                "Congestion windows: " + monitor.name(),
                "TCP connections with the largest windows, as numbered by the monitor '" + monitor.name()
                        + "', and their bandwidth over the same period. A window that repeatedly grows and is cut "
                        + "indicates lost segments; one that stays constant has reached a different limit.",
                hasThreshold ? 820 : 680,
                panels.joined()));
    }

    private static @Nullable MonitoredMetric track(List<MonitoredMetric> tracks, String metric) {
        return tracks.stream()
                .filter(track -> track.metric().equals(metric))
                .findFirst()
                .orElse(null);
    }

    private static double mean(List<MonitoredMetric> tracks, List<String> shown, String what) {
        double sum = 0;
        for (String each : shown) {
            MonitoredMetric track = track(tracks, each + what);
            sum += track == null ? 0 : track.mean();
        }
        return sum;
    }

    /** Draws one line a connection; only one of the panels has a legend for all. */
    private XYPlot panel(
            String label,
            List<MonitoredMetric> tracks,
            List<String> shown,
            String what,
            double unit,
            boolean hasLegend) {
        List<double[]> lines = new ArrayList<>();
        double most = 0;
        for (String each : shown) {
            MonitoredMetric track = track(tracks, each + what);
            double[] values = track == null
                    ? new double[run.seconds().length]
                    : Downsampler.map(track.values(), value -> value * unit);
            lines.add(values);
            double largest = Downsampler.max(values);
            most = Double.isFinite(largest) ? Math.max(most, largest) : most;
        }
        Panel panel = run.panel().left(Axes.fromZero(label, Math.max(1e-3, most), Theme.INK));
        for (int i = 0; i < shown.size(); i++) {
            Color colour = Objects.requireNonNull(Theme.EACH[i % Theme.EACH.length]);
            if (hasLegend) {
                String name = RunText.clean("connection " + shown.get(i));
                panel.line(0, name, lines.get(i), colour);
            } else {
                panel.line(0, "", lines.get(i), colour);
            }
        }
        return panel.done(hasLegend);
    }
}
