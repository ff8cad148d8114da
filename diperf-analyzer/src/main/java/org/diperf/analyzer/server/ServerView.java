package org.diperf.analyzer.server;

import java.util.List;
import java.util.Optional;

/**
 * What monitors saw of the service.
 *
 * @param tracks their metrics, by monitor in the order of the file, then as they came
 * @param logs what the service wrote down itself
 * @param warnings what could not be read
 */
public record ServerView(List<Track> tracks, List<LogView> logs, List<String> warnings) {

    /** Nothing was watched. */
    public static final ServerView NONE = new ServerView(List.of(), List.of(), List.of());

    public ServerView {
        tracks = List.copyOf(tracks);
        logs = List.copyOf(logs);
        warnings = List.copyOf(warnings);
    }

    /**
     * Finds a metric by the name of its series: {@code server.NAME.METRIC}, or {@code server.METRIC} for that of the first
     * monitor that has it.
     */
    public Optional<Track> find(String series) {
        Optional<Track> exact =
                tracks.stream().filter(track -> track.series().equals(series)).findFirst();
        return exact.isPresent()
                ? exact
                : tracks.stream()
                        .filter(track -> series.equals(Track.PLAIN + "." + track.metric())
                                || series.equals(Track.PLAIN + "." + track.monitor() + "." + track.metric()))
                        .findFirst();
    }
}
