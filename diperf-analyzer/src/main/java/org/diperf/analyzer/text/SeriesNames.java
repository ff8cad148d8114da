package org.diperf.analyzer.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.diperf.analyzer.measure.Measures;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Series;
import org.diperf.analyzer.server.MonitoredMetric;
import org.diperf.analyzer.stats.Statistic;
import org.diperf.core.spi.Nearest;

/**
 * The names by which an experiment file asks for values over time in figures of its own. What is a number of the run too has the names
 * that the registry of numbers has for it, such as {@code responseTime.median} for {@code response.p50}, and its words.
 */
public final class SeriesNames {

    private static final double KIBI = 1024;
    private static final String SERVER = "server.";
    private static final String METRIC = "metrics.";

    /** By all their names, the usual one first. */
    private static final Map<String, Own> OWN = own();

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

    /** Values that every run may have. */
    private record Own(
            String name, Function<Analysis, String> words, Scale scale, Function<Analysis, double[]> values) {

        Own(String name, String words, Scale scale, Function<Analysis, double[]> values) {
            this(name, analysis -> words, scale, values);
        }

        Named of(Analysis analysis) {
            String label = words.apply(analysis);
            double[] found = values.apply(analysis);
            RateUnit rate = RateUnit.of(analysis.run());
            return switch (scale) {
                case PLAIN -> new Named(name, label, "", found);
                case MILLIS -> new Named(name, label, "ms", found);
                case MEGABYTES -> new Named(name, label, "MB/s", scaled(found, 1e-6));
                case CALLS -> new Named(name, label, "calls" + rate.symbol(), scaled(found, rate.factor()));
            };
        }
    }

    /** How values are shown. */
    private enum Scale {
        PLAIN,
        MILLIS,
        /** Bytes a second. */
        MEGABYTES,
        /** Calls a second, or a minute. */
        CALLS
    }

    private static Map<String, Own> own() {
        List<Own> all = new ArrayList<>();
        all.add(new Own(
                "load",
                analysis -> Words.isOpen(analysis) ? "calls in flight" : "active clients",
                Scale.PLAIN,
                SeriesNames::load));
        all.add(new Own("activeClients", "active clients", Scale.PLAIN, of(Series::activeClients)));
        all.add(new Own("inFlight", "calls in flight", Scale.PLAIN, of(Series::inFlight)));
        all.add(number("throughput", Scale.CALLS, of(Series::throughput)));
        all.add(new Own(
                "response", "response time, mean", Scale.MILLIS, of(series -> series.response(Statistic.MEAN))));
        for (Statistic statistic : Statistic.rising()) {
            all.add(number("response." + statistic.path(), Scale.MILLIS, of(series -> series.response(statistic))));
        }
        all.add(new Own("failed", "failed", Scale.CALLS, of(Series::failed)));
        all.add(new Own("dropped", "dropped", Scale.CALLS, of(Series::dropped)));
        all.add(number("lag.p99", Scale.MILLIS, of(Series::lagP99)));
        all.add(new Own("network", "network round trip", Scale.MILLIS, of(Series::networkMs)));
        all.add(number("bytes", Scale.MEGABYTES, of(Series::bytes)));
        all.add(new Own(
                "hiccup",
                "longest stop of a tester",
                Scale.MILLIS,
                analysis -> analysis.details().signs().hiccupMillis()));
        Map<String, Own> byName = new LinkedHashMap<>();
        all.forEach(own -> byName.put(own.name, own));
        all.forEach(own -> Measures.find(own.name)
                .ifPresent(measure -> measure.names().forEach(name -> byName.putIfAbsent(name, own))));
        return byName;
    }

    private static Function<Analysis, double[]> of(Function<Series, double[]> values) {
        return analysis -> values.apply(analysis.series());
    }

    /** Returns what is a number of the run too, in the registry's words. */
    private static Own number(String path, Scale scale, Function<Analysis, double[]> values) {
        return new Own(path, Measures.of(path).words(), scale, values);
    }

    private static double[] load(Analysis analysis) {
        Series series = analysis.series();
        return Words.isOpen(analysis) ? series.inFlight() : series.activeClients();
    }

    /** Returns the names there are, but for those of monitors and of clients. */
    public static List<String> all() {
        return List.copyOf(OWN.keySet());
    }

    private static List<String> usual() {
        return OWN.values().stream().map(Own::name).distinct().toList();
    }

    /**
     * Says why a name cannot be one; empty where it can. Whether a monitor measures what {@code server.} is followed by, or the
     * client what {@code metrics.} is, is known when the run is analysed.
     */
    public static Optional<String> problem(String name) {
        if (OWN.containsKey(name)
                || (name.startsWith(SERVER) && name.length() > SERVER.length())
                || (name.startsWith(METRIC) && name.length() > METRIC.length())) {
            return Optional.empty();
        }
        return Optional.of("no series '" + name + "'" + Nearest.suggestion(name, OWN.keySet()) + "; expected one of "
                + String.join(", ", usual()) + ", server.METRIC of a monitor, or metrics.NAME of the client");
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
        return Optional.ofNullable(OWN.get(name)).map(own -> own.of(analysis)).filter(SeriesNames::isMeasured);
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

    private static double[] scaled(double[] values, double factor) {
        double[] scaled = values.clone();
        for (int i = 0; i < scaled.length; i++) {
            scaled[i] *= factor;
        }
        return scaled;
    }
}
