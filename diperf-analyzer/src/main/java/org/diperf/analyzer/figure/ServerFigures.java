package org.diperf.analyzer.figure;

import java.util.List;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Series;
import org.diperf.analyzer.server.LogComparison;
import org.diperf.analyzer.server.LogView;
import org.diperf.analyzer.server.MonitoredMetric;
import org.diperf.analyzer.text.Numbers;
import org.jfree.chart.axis.AxisLocation;
import org.jfree.chart.plot.XYPlot;
import org.jspecify.annotations.Nullable;

/** What monitors saw of the service, beside what the clients saw: figures 8, 9 and 10 of the first paper. */
final class ServerFigures implements RunFigure {

    private static final int MOST = 4;
    private static final double MEGA = 1e6;

    private final RunView run;
    private final Analysis analysis;

    ServerFigures(RunView run) {
        this.run = run;
        this.analysis = run.analysis();
    }

    @Override
    public void addTo(List<Figure> to) {
        List<LogView> logs = analysis.server().logs();
        for (LogView log : logs.subList(0, Math.min(MOST, logs.size()))) {
            to.add(views(log));
        }
        List<String> monitors = analysis.server().tracks().stream()
                .filter(track -> track.metric().equals("cpu") || track.metric().equals("memory"))
                .map(MonitoredMetric::monitor)
                .distinct()
                .limit(MOST)
                .toList();
        monitors.forEach(monitor -> to.add(resources(monitor)));
        ServerLevelFigure levels = new ServerLevelFigure(run);
        analysis.server().demands().stream().limit(MOST).forEach(demand -> levels.add(demand, to));
    }

    private @Nullable MonitoredMetric track(String monitor, String metric) {
        return analysis.server().tracks().stream()
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
            double[] megabytes = Points.map(memory.values(), v -> v / MEGA);
            both.add(
                    run.panel()
                            .axis(
                                    0,
                                    Axes.fromZero(run.loadLabel(), Points.max(run.load()), Theme.LOAD),
                                    AxisLocation.BOTTOM_OR_LEFT)
                            .axis(
                                    1,
                                    Axes.fromZero("server memory (MB)", Points.max(megabytes), Theme.SECOND),
                                    AxisLocation.BOTTOM_OR_RIGHT)
                            .line(0, run.loadName(), run.seconds(), run.load(), Theme.LOAD, Theme.DASHED)
                            .line(1, "server memory (MB)", run.seconds(), megabytes, Theme.SECOND, Theme.LINE)
                            .done(false),
                    1);
        }
        MonitoredMetric cpu = track(monitor, "cpu");
        if (cpu != null) {
            both.add(
                    run.panel()
                            .axis(
                                    0,
                                    Axes.fromZero(
                                            run.rateLabel("throughput"),
                                            Points.max(run.throughput()),
                                            Theme.THROUGHPUT),
                                    AxisLocation.BOTTOM_OR_LEFT)
                            .axis(
                                    1,
                                    Axes.fromZero("server CPU (cores)", Points.max(cpu.values()), Theme.P99),
                                    AxisLocation.BOTTOM_OR_RIGHT)
                            .line(
                                    0,
                                    run.rateLabel("throughput"),
                                    run.seconds(),
                                    run.throughput(),
                                    Theme.THROUGHPUT,
                                    Theme.LINE)
                            .line(1, "server CPU (cores)", run.seconds(), cpu.values(), Theme.P99, Theme.LINE)
                            .done(true),
                    1);
        }
        return run.figure(
                "server-" + monitor,
                "The server under load: " + monitor,
                "What clients ask for (left axes) and what it takes of the server, as the monitor '" + monitor
                        + "' saw it (right axes); CPU that follows throughput is spent on calls, and memory that follows"
                        + " load is held for clients.",
                560,
                both.joined());
    }

    /** As figures 8 and 9 of the paper: both views over one another, and their difference. */
    private Figure views(LogView log) {
        double[] server = run.rates(log.throughput());
        StackedPanels all = new StackedPanels(run.time());
        all.add(
                run.panel()
                        .axis(
                                0,
                                Axes.fromZero(
                                        run.rateLabel("throughput"), Points.max(run.throughput(), server), Theme.INK),
                                AxisLocation.BOTTOM_OR_LEFT)
                        .line(
                                0,
                                "throughput, clients' view",
                                run.seconds(),
                                run.throughput(),
                                Theme.THROUGHPUT,
                                Theme.LINE)
                        .line(0, "throughput, server's log", run.seconds(), server, Theme.P99, Theme.DASHED)
                        .done(false),
                3);
        boolean timed = log.load().length > 0;
        if (timed) {
            all.add(
                    run.panel()
                            .axis(
                                    0,
                                    Axes.fromZero(
                                            "calls in flight",
                                            Points.max(run.series().of(Series.IN_FLIGHT), log.load()),
                                            Theme.INK),
                                    AxisLocation.BOTTOM_OR_LEFT)
                            .line(
                                    0,
                                    "in flight, clients' view",
                                    run.seconds(),
                                    run.series().of(Series.IN_FLIGHT),
                                    Theme.MEDIAN,
                                    Theme.LINE)
                            .line(0, "in flight, server's log", run.seconds(), log.load(), Theme.SECOND, Theme.DASHED)
                            .done(false),
                    3);
        }
        all.add(differences(log, timed), 2);
        LogComparison compared = analysis.server().comparisons().get(log.monitor());
        return run.figure(
                "client-server-" + log.monitor(),
                "Clients' view and server's view",
                "What the clients saw and what the service wrote into its own log, over the same time; below, by how many"
                        + " percent the server's value is above the clients'"
                        + (compared == null || Double.isNaN(compared.throughputPercent())
                                ? ""
                                : " (throughput differs by " + Numbers.plain(compared.throughputPercent())
                                        + " % on average over the measured part)")
                        + ". The server sees fewer calls in flight: the others are on the network.",
                timed ? 760 : 560,
                all.joined());
    }

    private XYPlot differences(LogView log, boolean timed) {
        double[] rates = LogComparison.percent(run.series().of(Series.THROUGHPUT), log.throughput());
        double[] loads = timed ? LogComparison.percent(run.series().of(Series.IN_FLIGHT), log.load()) : new double[0];
        Panel panel = run.panel()
                .axis(0, DifferenceAxis.of(rates, loads), AxisLocation.BOTTOM_OR_LEFT)
                .line(0, "difference of throughput (%)", run.seconds(), rates, Theme.LOAD, Theme.LINE);
        if (timed) {
            panel.line(0, "difference of calls in flight (%)", run.seconds(), loads, Theme.EACH[1], Theme.DASHED);
        }
        return panel.done(true);
    }
}
