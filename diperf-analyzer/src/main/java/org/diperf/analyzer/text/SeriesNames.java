package org.diperf.analyzer.text;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Series;
import org.diperf.analyzer.server.MonitoredMetric;
import org.diperf.analyzer.stats.Statistic;
import org.diperf.core.spi.Nearest;

/** The names by which an experiment file asks for values over time in figures of its own. */
public final class SeriesNames {

    private static final double KIBI = 1024;
    private static final String SERVER = "server.";
    private static final String METRIC = "metrics.";

    /** What each name stands for, in words. */
    private static final Map<String, String> KNOWN = known();

    private SeriesNames() {}

    /**
     * Values over time.
     *
     * @param name by which they were asked for
     * @param label what they are, in words
     * @param unit of the values; empty where they have none
     * @param values one a quantum of the run's series; {@code NaN} where there is none
     */
    public record Named(String name, String label, String unit, double[] values) {}

    private static Map<String, String> known() {
        Map<String, String> words = new LinkedHashMap<>();
        words.put("load", "load");
        words.put("activeClients", "active clients");
        words.put("inFlight", "calls in flight");
        words.put("throughput", "throughput");
        words.put("response", "response time, mean");
        for (Statistic statistic : Statistic.rising()) {
            words.put("response." + statistic.path(), "response time " + statistic.path());
        }
        words.put("failed", "failed");
        words.put("dropped", "dropped");
        words.put("lag.p99", "send lag p99");
        words.put("network", "network round trip");
        words.put("bytes", "payload moved");
        words.put("hiccup", "longest stop of a tester");
        return words;
    }

    /** Gives the names there are, but for those of monitors and of clients. */
    public static List<String> all() {
        return List.copyOf(KNOWN.keySet());
    }

    /**
     * Says why a name cannot be one; empty where it can. Whether a monitor measures what {@code server.} is followed by, or the
     * client what {@code metrics.} is, is known when the run is analysed.
     */
    public static Optional<String> problem(String name) {
        if (KNOWN.containsKey(name)
                || (name.startsWith(SERVER) && name.length() > SERVER.length())
                || (name.startsWith(METRIC) && name.length() > METRIC.length())) {
            return Optional.empty();
        }
        return Optional.of("no series '" + name + "'" + Nearest.suggestion(name, KNOWN.keySet()) + "; wanted one of "
                + String.join(", ", KNOWN.keySet()) + ", server.METRIC of a monitor, or metrics.NAME of the client");
    }

    /** Finds values over time; empty where the run has none of that name. */
    public static Optional<Named> find(Analysis analysis, String name) {
        if (name.startsWith(SERVER)) {
            return analysis.server().find(name).map(track -> ofServer(name, track));
        }
        if (name.startsWith(METRIC)) {
            String metric = name.substring(METRIC.length());
            return analysis.details().metrics().stream()
                    .filter(row -> row.name().equals(metric))
                    .map(row -> new Named(name, metric, row.unit(), row.values()))
                    .filter(SeriesNames::isMeasured)
                    .findFirst();
        }
        String label = KNOWN.get(name);
        return label == null
                ? Optional.empty()
                : Optional.of(own(analysis, name, label)).filter(SeriesNames::isMeasured);
    }

    /** Brings bytes to the unit of the payload that clients move, so that both stand on one axis. */
    private static Named ofServer(String name, MonitoredMetric track) {
        return switch (track.unit()) {
            case "bytes", "B" -> new Named(name, name, "MB", scaled(track.values(), 1e-6));
            case "KB" -> new Named(name, name, "MB", scaled(track.values(), KIBI * 1e-6));
            case "bytes/s", "bytes/sec", "B/s" -> new Named(name, name, "MB/s", scaled(track.values(), 1e-6));
            case "count" -> new Named(name, name, "", track.values());
            default -> new Named(name, name, track.unit(), track.values());
        };
    }

    private static boolean isMeasured(Named named) {
        for (double value : named.values()) {
            if (Double.isFinite(value)) {
                return true;
            }
        }
        return false;
    }

    private static Named own(Analysis analysis, String name, String label) {
        Series series = analysis.series();
        RateUnit unit = RateUnit.of(analysis.run());
        boolean open = Words.isOpen(analysis);
        return switch (name) {
            case "load" ->
                open
                        ? new Named(name, "calls in flight", "", series.inFlight())
                        : new Named(name, "active clients", "", series.activeClients());
            case "activeClients" -> new Named(name, label, "", series.activeClients());
            case "inFlight" -> new Named(name, label, "", series.inFlight());
            case "throughput" -> rate(name, label, series.throughput(), unit);
            case "failed" -> rate(name, label, series.failed(), unit);
            case "dropped" -> rate(name, label, series.dropped(), unit);
            case "response" -> new Named(name, label, "ms", series.response(Statistic.MEAN));
            case "lag.p99" -> new Named(name, label, "ms", series.lagP99());
            case "network" -> new Named(name, label, "ms", series.networkMs());
            case "hiccup" ->
                new Named(name, label, "ms", analysis.details().signs().hiccupMillis());
            case "bytes" -> new Named(name, label, "MB/s", scaled(series.bytes(), 1e-6));
            default -> new Named(name, label, "ms", series.response(statistic(name)));
        };
    }

    /** Gives what the name of a known series of response times asks for. */
    private static Statistic statistic(String name) {
        return Statistic.named(name.substring(name.indexOf('.') + 1))
                .orElseThrow(() -> new IllegalStateException("A name without values: " + name));
    }

    private static Named rate(String name, String label, double[] perSecond, RateUnit unit) {
        return new Named(name, label, "calls" + unit.symbol(), scaled(perSecond, unit.factor()));
    }

    private static double[] scaled(double[] values, double factor) {
        double[] scaled = values.clone();
        for (int i = 0; i < scaled.length; i++) {
            scaled[i] *= factor;
        }
        return scaled;
    }
}
