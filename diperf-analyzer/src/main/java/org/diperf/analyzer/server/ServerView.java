package org.diperf.analyzer.server;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.diperf.core.run.MonitorRecord;
import org.diperf.core.run.Warning;

/**
 * What monitors saw of the service.
 *
 * @param tracks their metrics, by monitor in the order of the file, then as they came
 * @param logs what the service wrote down itself
 * @param comparisons of these with what the clients saw, by monitor
 * @param demands what a call and a client cost, by monitor
 * @param warnings what could not be read
 */
public record ServerView(
        List<MonitoredMetric> tracks,
        List<LogView> logs,
        Map<String, LogComparison> comparisons,
        List<ServiceDemand> demands,
        List<Warning> warnings) {

    /** Nothing was watched. */
    public static final ServerView NONE = new ServerView(List.of(), List.of(), Map.of(), List.of(), List.of());

    public ServerView {
        tracks = List.copyOf(tracks);
        logs = List.copyOf(logs);
        comparisons = Map.copyOf(comparisons);
        demands = List.copyOf(demands);
        warnings = List.copyOf(warnings);
    }

    /** Returns the same view next to what the clients saw. */
    public ServerView beside(
            LogComparison.Clients clients,
            ServiceDemand.Offered offered,
            List<LevelDemand.Held> levels,
            TimeAxis axis) {
        Map<String, LogComparison> compared = new LinkedHashMap<>();
        logs.forEach(log -> compared.put(log.monitor(), LogComparison.of(clients, log, axis)));
        return new ServerView(tracks, logs, compared, ServiceDemand.of(this, offered, levels, axis), warnings);
    }

    /** Returns whether nothing was watched. */
    public boolean isEmpty() {
        return tracks.isEmpty() && logs.isEmpty();
    }

    /** Returns what was seen of the service alone, without what the testbed saw of its own work. */
    public ServerView ofService(List<MonitorRecord> monitors) {
        Set<String> others = monitors.stream()
                .filter(MonitorRecord::isOfTestbed)
                .map(MonitorRecord::name)
                .collect(Collectors.toSet());
        return new ServerView(
                tracks.stream()
                        .filter(track -> !others.contains(track.monitor()))
                        .toList(),
                logs,
                comparisons,
                demands,
                warnings);
    }

    /**
     * Finds a metric by the name of its series: {@code server.NAME.METRIC}, or {@code server.METRIC} for that of the first
     * monitor that has it.
     */
    public Optional<MonitoredMetric> find(String series) {
        Optional<MonitoredMetric> exact =
                tracks.stream().filter(track -> track.series().equals(series)).findFirst();
        return exact.isPresent()
                ? exact
                : tracks.stream()
                        .filter(track -> series.equals(MonitoredMetric.PLAIN + "." + track.metric())
                                || series.equals(MonitoredMetric.PLAIN + "." + track.monitor() + "." + track.metric()))
                        .findFirst();
    }
}
