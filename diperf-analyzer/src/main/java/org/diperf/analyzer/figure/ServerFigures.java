package org.diperf.analyzer.figure;

import java.util.List;
import org.diperf.analyzer.result.Series;
import org.diperf.analyzer.server.LogComparison;
import org.diperf.analyzer.server.LogView;
import org.diperf.analyzer.server.MonitoredMetric;
import org.diperf.analyzer.text.Numbers;
import org.jfree.chart.plot.XYPlot;
import org.jspecify.annotations.Nullable;

/** What monitors saw of the service, next to what the clients saw: figures 8, 9 and 10 of the first paper. */
record ServerFigures(RunView run) implements RunFigure {

    private static final int MOST = 4;
    private static final double MEGA = 1e6;

    @Override
    public void addTo(List<Figure> to) {
        List<LogView> logs = run.analysis().server().logs();
        for (LogView log : logs.subList(0, Math.min(MOST, logs.size()))) {
            to.add(views(log));
        }
        List<String> monitors = run.analysis().server().tracks().stream()
                .filter(track -> track.metric().equals("cpu") || track.metric().equals("memory"))
                .map(MonitoredMetric::monitor)
                .distinct()
                .limit(MOST)
                .toList();
        monitors.forEach(monitor -> to.add(resources(monitor)));
        ServerLevelFigure levels = new ServerLevelFigure(run);
        run.analysis().server().demands().stream().limit(MOST).forEach(demand -> levels.add(demand, to));
    }

    private @Nullable MonitoredMetric track(String monitor, String metric) {
        return run.analysis().server().tracks().stream()
                .filter(track ->
                        track.monitor().equals(monitor) && track.metric().equals(metric))
                .findFirst()
                .orElse(null);
    }

    /** As figure 10 of the paper: what clients ask for, and what it takes of the server. */
    private Figure resources(String monitor) {
        StackedPanels both = new StackedPanels(run.time());
        MonitoredMetric memory = track(monitor, "memory");
        if (memory != null) {
            double[] megabytes = Downsampler.map(memory.values(), v -> v / MEGA);
            both.add(
                    run.panel()
                            .loadAxis()
                            .right("server memory (MB)", Theme.SECOND, megabytes)
                            .load(0)
                            .line(1, "server memory (MB)", megabytes, Theme.SECOND)
                            .done(false),
                    1);
        }
        MonitoredMetric cpu = track(monitor, "cpu");
        if (cpu != null) {
            both.add(
                    run.panel()
                            .left(run.rateLabel("throughput"), Theme.THROUGHPUT, run.throughput())
                            .right("server CPU (cores)", Theme.P99, cpu.values())
                            .line(0, run.rateLabel("throughput"), run.throughput(), Theme.THROUGHPUT)
                            .line(1, "server CPU (cores)", cpu.values(), Theme.P99)
                            .done(true),
                    1);
        }
        return run.figure(
                "server-" + monitor,
                "The server under load: " + monitor,
                "What clients request (left axes) and what it costs the server, as measured by the monitor '" + monitor
                        + "' (right axes); CPU that follows throughput is spent on calls, and memory that follows load is "
                        + "held for clients.",
                560,
                both.joined());
    }

    /** As figures 8 and 9 of the paper: both views over one another, and their difference. */
    private Figure views(LogView log) {
        double[] server = run.rates(log.throughput());
        StackedPanels all = new StackedPanels(run.time());
        all.add(
                run.panel()
                        .left(run.rateLabel("throughput"), Theme.INK, run.throughput(), server)
                        .line(0, "throughput, clients' view", run.throughput(), Theme.THROUGHPUT)
                        .line(0, "throughput, server's log", server, Theme.P99, Theme.DASHED)
                        .done(false),
                3);
        boolean timed = log.load().length > 0;
        if (timed) {
            all.add(
                    run.panel()
                            .left("calls in flight", Theme.INK, run.series().of(Series.IN_FLIGHT), log.load())
                            .line(0, "in flight, clients' view", run.series().of(Series.IN_FLIGHT), Theme.MEDIAN)
                            .line(0, "in flight, server's log", log.load(), Theme.SECOND, Theme.DASHED)
                            .done(false),
                    3);
        }
        all.add(differences(log, timed), 2);
        LogComparison compared = run.analysis().server().comparisons().get(log.monitor());
        return run.figure(
                "client-server-" + log.monitor(),
                "Clients' view and server's view",
                "What the clients measured and what the service logged over the same period; below, how "
                        + "far the server's value is above the clients', in percent"
                        + (compared == null || Double.isNaN(compared.throughputPercent())
                                ? ""
                                : " (throughput differs by " + Numbers.plain(compared.throughputPercent())
                                        + " % on average in the measured part)")
                        + ". The server sees fewer calls in flight: the others are in transit.",
                timed ? 760 : 560,
                all.joined());
    }

    private XYPlot differences(LogView log, boolean timed) {
        double[] rates = LogComparison.percent(run.series().of(Series.THROUGHPUT), log.throughput());
        double[] loads = timed ? LogComparison.percent(run.series().of(Series.IN_FLIGHT), log.load()) : new double[0];
        Panel panel = run.panel()
                .left(DifferenceAxis.of(rates, loads))
                .line(0, "difference in throughput (%)", rates, Theme.LOAD);
        return (timed ? panel.line(0, "difference in calls in flight (%)", loads, Theme.EACH[1], Theme.DASHED) : panel)
                .done(true);
    }
}
