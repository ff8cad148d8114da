package org.diperf.controller.experiment;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.diperf.analyzer.text.SeriesNames;
import org.diperf.core.experiment.FigureSettings;
import org.jspecify.annotations.Nullable;

/** The shape of figures that an experiment asks for. */
final class FigureKeys {

    private FigureKeys() {}

    /** Makes the shape of {@code report.figures}. */
    static Shape<List<Map<String, Object>>> figures() {
        Shape<List<String>> some =
                new Shapes.ListOf<>("a list of series, such as [load, response]", new SeriesName(), 1);
        Shape<List<String>> any = new Shapes.ListOf<>("a list of series, such as [throughput]", new SeriesName(), 0);
        return new Shapes.ListOf<>(
                "a list of figures, such as [{left: [load, response], right: [throughput]}]",
                Fields.of(
                        "a figure",
                        Key.required("left", some, "series drawn against the left axes"),
                        Key.withDefault("right", any, List.of(), "series drawn against the right axes"),
                        Key.optional(
                                "title",
                                Scalar.text("a title of at most 100 characters", "[^\\p{Cc}]{1,100}"),
                                "title of the figure")),
                0);
    }

    /** Makes the choice of what was read. */
    static FigureSettings choice(Map<?, ?> figure) {
        Object title = figure.get("title");
        return new FigureSettings(
                names(figure.get("left")), names(figure.get("right")), title == null ? null : title.toString());
    }

    private static List<String> names(@Nullable Object value) {
        return value instanceof List<?> list
                ? list.stream().map(String::valueOf).toList()
                : List.of();
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
