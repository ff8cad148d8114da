package org.diperf.analyzer;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.diperf.analyzer.Summary.ServerMetric;
import org.diperf.analyzer.Summary.ServerSummary;
import org.diperf.analyzer.server.Frame;
import org.diperf.analyzer.server.MonitorScan;
import org.diperf.analyzer.server.ServerView;
import org.diperf.analyzer.server.Track;
import org.jspecify.annotations.Nullable;

/** Adds to an analysis what monitors saw of the service. */
final class ServerSide {

    private ServerSide() {}

    /**
     * Reads what monitors saw and sets it beside what the clients saw.
     *
     * @param measured part of the run
     * @param durationNanos of the run
     */
    static Analysis addTo(Analysis analysis, Path runDir, Scope measured, long durationNanos) throws IOException {
        if (analysis.run().monitors() == null) {
            return analysis;
        }
        Series series = analysis.series();
        Frame frame = new Frame(
                Math.round(series.quantumSeconds() * 1e9),
                series.size(),
                durationNanos,
                Math.min(durationNanos, measured.from),
                Math.min(durationNanos, measured.to));
        ServerView view = MonitorScan.read(runDir, analysis.run(), frame);
        ServerSummary summary = new ServerSummary(metrics(view));
        List<String> warnings = new ArrayList<>(analysis.summary().warnings());
        warnings.addAll(view.warnings());
        return analysis.with(view, analysis.summary().with(summary, warnings));
    }

    private static @Nullable Map<String, Map<String, ServerMetric>> metrics(ServerView view) {
        Map<String, Map<String, ServerMetric>> metrics = new LinkedHashMap<>();
        for (Track track : view.tracks()) {
            if (!Double.isNaN(track.mean()) && !Double.isNaN(track.max())) {
                metrics.computeIfAbsent(track.monitor(), monitor -> new LinkedHashMap<>())
                        .put(
                                track.metric(),
                                new ServerMetric(track.mean(), track.min(), track.max(), track.unit()));
            }
        }
        return metrics.isEmpty() ? null : metrics;
    }
}
