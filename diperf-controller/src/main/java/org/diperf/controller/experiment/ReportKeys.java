package org.diperf.controller.experiment;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.diperf.analyzer.text.SeriesNames;
import org.diperf.core.experiment.FigureSettings;
import org.diperf.core.experiment.ReportSettings;
import org.jspecify.annotations.Nullable;

/** The section {@code report}: its keys, and the settings that they give. */
final class ReportKeys {

    private static final String PER_MINUTE = "per-minute";

    private static final Key<List<String>> LEFT = Key.required(
            "left",
            new Shapes.ListOf<>("a list of series, such as [load, response]", new SeriesName(), 1),
            "series drawn against the left axes");
    private static final Key<List<String>> RIGHT = Key.withDefault(
            "right",
            new Shapes.ListOf<>("a list of series, such as [throughput]", new SeriesName(), 0),
            List.of(),
            "series drawn against the right axes");
    private static final Key<String> TITLE = Key.optional(
            "title",
            Scalar.text("a title of at most 100 characters", "[^\\x00-\\x1f\\x7f-\\x9f]{1,100}"),
            "title of the figure");

    private static final Key<Duration> QUANTUM =
            Key.withDefault("quantum", Quantities.duration(true), Duration.ofSeconds(1), "time per point of a series");
    private static final Key<Quantities.Smooth> SMOOTH = Key.withDefault(
            "smooth",
            Quantities.smooth(),
            new Quantities.Smooth(Duration.ofSeconds(60), 0),
            "width of the moving average: 60s, or '60 points'");
    private static final Key<String> RATE = Key.withDefault(
            "rate", Scalar.oneOf(List.of("per-second", PER_MINUTE)), "per-second", "unit of displayed rates");
    private static final Key<List<FormValues>> FIGURES = Key.withDefault(
            "figures",
            new Shapes.ListOf<>(
                    "a list of figures, such as [{left: [load, response], right: [throughput]}]",
                    Fields.of("a figure", LEFT, RIGHT, TITLE),
                    0),
            List.of(),
            "additional figures of values over time");

    private static final Key<Duration> MAX_ADDED = Key.withDefault(
            "max-added",
            Quantities.duration(false),
            Duration.ofMillis(1),
            "how much of p50 or p99 may be the load generator's, beyond half of it, before the run is suspect");

    static final Fields FIELDS = Fields.of("a report", QUANTUM, SMOOTH, RATE, FIGURES, MAX_ADDED);

    private ReportKeys() {}

    static ReportSettings settings(FormValues given) {
        Quantities.Smooth smooth = given.get(SMOOTH);
        return new ReportSettings(
                given.get(QUANTUM),
                smooth.width(),
                smooth.points(),
                given.get(RATE).equals(PER_MINUTE),
                given.get(FIGURES).stream()
                        .map(figure -> new FigureSettings(figure.get(LEFT), figure.get(RIGHT), figure.find(TITLE)))
                        .toList(),
                given.get(MAX_ADDED));
    }

    /** The name of values over time. */
    private record SeriesName() implements Shape<String> {

        @Override
        public @Nullable String read(Node node, String path, Problems problems) {
            if (!(node instanceof Node.Scalar scalar)) {
                problems.add(node.position(), path, "expected " + expected() + ", got " + node.found());
                return null;
            }
            Optional<String> problem = SeriesNames.problem(scalar.text());
            if (problem.isPresent()) {
                problems.add(node.position(), path, problem.get());
                return null;
            }
            return scalar.text();
        }

        @Override
        public Map<String, Object> schema() {
            return Map.of(
                    "anyOf",
                    List.of(
                            Map.of("enum", SeriesNames.all()),
                            Map.of("type", "string", "pattern", "^(?:server|metrics)\\..+$")));
        }

        @Override
        public Object write(String value) {
            return value;
        }

        @Override
        public String expected() {
            return "the name of a series, such as throughput";
        }
    }
}
