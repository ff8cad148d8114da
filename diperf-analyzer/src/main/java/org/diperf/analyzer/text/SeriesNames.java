package org.diperf.analyzer.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.diperf.analyzer.measure.Measure;
import org.diperf.analyzer.measure.Measures;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Series;
import org.diperf.core.spi.NearestName;

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
    public record Named(String name, String label, String unit, double[] values) {

        /** Brings bytes to the unit of the payload that clients move, so that all of them stand on one axis. */
        private Named inLargeUnit() {
            return switch (unit) {
                case "bytes", "B" -> in("MB", 1e-6);
                case "KB" -> in("MB", KIBI * 1e-6);
                case "bytes/s", "bytes/sec", "B/s" -> in("MB/s", 1e-6);
                case "count" -> in("", 1);
                default -> this;
            };
        }

        private Named in(String otherUnit, double factor) {
            return new Named(
                    name,
                    label,
                    otherUnit,
                    Arrays.stream(values).map(value -> value * factor).toArray());
        }

        private boolean isMeasured() {
            return Arrays.stream(values).anyMatch(Double::isFinite);
        }
    }

    /** Values that every run may have. */
    private record Own(
            String name, Function<Analysis, String> words, String unit, Function<Analysis, double[]> values) {

        Named of(Analysis analysis) {
            Named found = new Named(name, words.apply(analysis), unit, values.apply(analysis));
            RateUnit rate = RateUnit.of(analysis.run());
            return unit.equals("calls/s") ? found.in("calls" + rate.symbol(), rate.factor()) : found.inLargeUnit();
        }
    }

    private static Map<String, Own> own() {
        List<Own> all = new ArrayList<>();
        all.add(new Own(
                "load",
                analysis -> RunText.isOpen(analysis) ? "calls in flight" : "active clients",
                "",
                analysis -> analysis.series().of(RunText.isOpen(analysis) ? Series.IN_FLIGHT : Series.ACTIVE_CLIENTS)));
        for (Series.Column column : Series.COLUMNS) {
            String words = column.words().isEmpty()
                    ? Measures.find(column.name()).map(Measure::words).orElse("")
                    : column.words();
            if (!words.isEmpty()) {
                all.add(new Own(
                        column.name(),
                        analysis -> words,
                        column.unit(),
                        analysis -> analysis.series().of(column)));
            }
        }
        all.add(new Own(
                "hiccup",
                analysis -> "longest pause of a tester",
                "ms",
                analysis -> analysis.details().signs().hiccupMillis()));
        Map<String, Own> byName = new LinkedHashMap<>();
        all.forEach(own -> byName.put(own.name, own));
        all.forEach(own -> Measures.find(own.name)
                .ifPresent(measure -> measure.names().forEach(name -> byName.putIfAbsent(name, own))));
        return byName;
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
        return Optional.of(
                "no series '" + name + "'" + NearestName.suggestion(name, OWN.keySet()) + "; expected one of "
                        + String.join(", ", usual()) + ", server.METRIC of a monitor, or metrics.NAME of the client");
    }

    /** Finds values over time; empty where the run has none of that name. */
    public static Optional<Named> find(Analysis analysis, String name) {
        if (name.startsWith(SERVER)) {
            return analysis.server()
                    .find(name)
                    .map(track -> new Named(name, name, track.unit(), track.values()).inLargeUnit());
        }
        if (name.startsWith(METRIC)) {
            String metric = name.substring(METRIC.length());
            return analysis.details().metrics().stream()
                    .filter(row -> row.name().equals(metric))
                    .map(row -> new Named(name, metric, row.unit(), row.values()))
                    .filter(Named::isMeasured)
                    .findFirst();
        }
        return Optional.ofNullable(OWN.get(name)).map(own -> own.of(analysis)).filter(Named::isMeasured);
    }
}
