package org.diperf.analyzer;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.diperf.analyzer.count.ScopeTally;
import org.diperf.analyzer.monitors.MonitorScan;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.LevelRule;
import org.diperf.analyzer.result.Series;
import org.diperf.analyzer.result.Summary.Estimate;
import org.diperf.analyzer.result.Summary.LevelCost;
import org.diperf.analyzer.result.Summary.SaturationSummary;
import org.diperf.analyzer.result.Summary.ServerDemand;
import org.diperf.analyzer.result.Summary.ServerLog;
import org.diperf.analyzer.result.Summary.ServerMetric;
import org.diperf.analyzer.result.Summary.ServerSummary;
import org.diperf.analyzer.result.Summary.StageSummary;
import org.diperf.analyzer.result.Summary.Window;
import org.diperf.analyzer.server.LevelDemand;
import org.diperf.analyzer.server.LinearFit;
import org.diperf.analyzer.server.LogComparison;
import org.diperf.analyzer.server.LogView;
import org.diperf.analyzer.server.MonitoredMetric;
import org.diperf.analyzer.server.ServerView;
import org.diperf.analyzer.server.ServiceDemand;
import org.diperf.analyzer.server.TimeAxis;
import org.diperf.analyzer.stats.Statistics;
import org.diperf.core.run.Warning;
import org.diperf.core.run.Warning.Subject;
import org.jspecify.annotations.Nullable;

/** Adds to an analysis what monitors saw of the service. */
final class ServerAnalyzer {

    private ServerAnalyzer() {}

    /**
     * Reads what monitors saw and sets it next to what the clients saw.
     *
     * @param measured part of the run
     * @param durationNanos of the run
     */
    static Analysis addTo(Analysis analysis, Path runDir, ScopeTally measured, long durationNanos) throws IOException {
        if (analysis.run().monitors() == null) {
            return analysis;
        }
        Series series = analysis.series();
        TimeAxis axis = new TimeAxis(
                Math.round(series.quantumSeconds() * 1e9),
                series.size(),
                durationNanos,
                Math.min(durationNanos, measured.from),
                Math.min(durationNanos, measured.to));
        LogComparison.Clients clients = clients(analysis);
        ServerView view = MonitorScan.read(runDir, analysis.run(), axis)
                .beside(clients, offered(analysis), levels(analysis), axis);
        ServerSummary summary = new ServerSummary(
                metrics(view), logs(view), demands(view, analysis.summary().saturation()));
        List<Warning> warnings = new ArrayList<>(analysis.summary().warnings());
        warnings.addAll(view.warnings());
        LogComparison.contradiction(
                        clients, view.logs(), analysis.run().targets().size() <= 1)
                .ifPresent(text -> warnings.add(Warning.note(Subject.SERVICE, text)));
        return analysis.with(view, analysis.summary().with(summary, warnings));
    }

    private static LogComparison.Clients clients(Analysis analysis) {
        Window measured = analysis.summary().measured();
        Statistics response = measured == null ? null : measured.responseTime();
        return new LogComparison.Clients(
                analysis.summary().calls().total(),
                analysis.summary().calls().ok(),
                analysis.summary().calls().unfinished(),
                analysis.series().of(Series.THROUGHPUT),
                analysis.series().of(Series.IN_FLIGHT),
                response == null ? Double.NaN : response.mean());
    }

    private static ServiceDemand.Offered offered(Analysis analysis) {
        Series series = analysis.series();
        boolean closed = !analysis.summary().load().model().equals("open");
        double[] ended = new double[series.size()];
        for (int i = 0; i < ended.length; i++) {
            ended[i] = series.of(Series.THROUGHPUT)[i] + series.of(Series.FAILED)[i];
        }
        return new ServiceDemand.Offered(
                closed ? series.of(Series.ACTIVE_CLIENTS) : series.of(Series.IN_FLIGHT), ended);
    }

    /** Lists the levels from their settling on, those that count alone, by load; one that was held twice as it was last. */
    private static List<LevelDemand.Held> levels(Analysis analysis) {
        Map<Double, LevelDemand.Held> levels = new TreeMap<>();
        List<StageSummary> stages = analysis.summary().stages();
        for (StageSummary stage : stages == null ? List.<StageSummary>of() : LevelRule.countingOf(stages)) {
            Double value = stage.level();
            if (value != null && value > 0) {
                Double settled = stage.settledSeconds();
                double from = settled == null ? stage.fromSeconds() : settled;
                levels.put(
                        value,
                        new LevelDemand.Held(value, Math.round(from * 1e9), Math.round(stage.toSeconds() * 1e9)));
            }
        }
        return List.copyOf(levels.values());
    }

    private static @Nullable Map<String, Map<String, ServerMetric>> metrics(ServerView view) {
        Map<String, Map<String, ServerMetric>> metrics = new LinkedHashMap<>();
        for (MonitoredMetric track : view.tracks()) {
            if (!Double.isNaN(track.mean()) && !Double.isNaN(track.max())) {
                metrics.computeIfAbsent(track.monitor(), monitor -> new LinkedHashMap<>())
                        .put(track.metric(), new ServerMetric(track.mean(), track.min(), track.max(), track.unit()));
            }
        }
        return metrics.isEmpty() ? null : metrics;
    }

    private static @Nullable Map<String, ServerLog> logs(ServerView view) {
        Map<String, ServerLog> logs = new LinkedHashMap<>();
        for (LogView log : view.logs()) {
            LogComparison with = view.comparisons().get(log.monitor());
            if (with != null) {
                logs.put(
                        log.monitor(),
                        new ServerLog(
                                log.requests(),
                                log.ok(),
                                new TreeMap<>(log.outcomes()),
                                log.bytes(),
                                or(log.measuredPerSecond()),
                                or(log.measuredMs()),
                                with.calls() - with.requests(),
                                or(with.throughputPercent()),
                                or(with.throughputWorstPercent()),
                                or(with.loadPercent()),
                                or(with.betweenMs()),
                                or(with.betweenPercent())));
            }
        }
        return logs.isEmpty() ? null : logs;
    }

    private static @Nullable Map<String, ServerDemand> demands(
            ServerView view, @Nullable SaturationSummary saturation) {
        Map<String, ServerDemand> demands = new LinkedHashMap<>();
        for (ServiceDemand demand : view.demands()) {
            LinearFit cpu = demand.cpu();
            LinearFit memory = demand.memory();
            demands.put(
                    demand.monitor(),
                    new ServerDemand(
                            estimate(cpu, 1e3),
                            cpu == null ? null : cpu.base(),
                            estimate(demand.demand(), 1e3),
                            or(demand.cores()),
                            or(demand.fullAtPerSecond()),
                            saturation == null || !saturation.reached()
                                    ? null
                                    : or(demand.utilisationPercent(saturation.throughput())),
                            estimate(memory, 1),
                            memory == null ? null : memory.base(),
                            levels(demand)));
        }
        return demands.isEmpty() ? null : demands;
    }

    private static @Nullable List<LevelCost> levels(ServiceDemand demand) {
        List<LevelCost> levels = new ArrayList<>();
        for (LevelDemand level : demand.levels()) {
            levels.add(new LevelCost(
                    level.level(),
                    level.perSecond(),
                    or(level.busyCores()),
                    or(level.utilisationPercent()),
                    or(1e3 * level.secondsPerCall()),
                    estimate(level.demand(), 1e3),
                    or(level.memoryBytes())));
        }
        return levels.isEmpty() ? null : levels;
    }

    private static @Nullable Estimate estimate(@Nullable LinearFit slope, double scale) {
        return slope == null ? null : new Estimate(scale * slope.perUnit(), scale * slope.low(), scale * slope.high());
    }

    private static @Nullable Double or(double value) {
        return Double.isNaN(value) || Double.isInfinite(value) ? null : (Double) value;
    }
}
