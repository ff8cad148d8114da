package org.diperf.controller.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.core.experiment.OutputSettings;
import org.diperf.core.plugin.Plugins;

/** The key {@code outputs}: its form, and what is made of it. */
final class OutputKeys {

    private static final String PROMETHEUS = "prometheus";
    private static final String OTLP = "otlp";
    private static final Pattern ADDRESS = Pattern.compile("(\\[[0-9a-fA-F:.]+\\]|[A-Za-z0-9.-]+):([0-9]{1,5})");

    private OutputKeys() {}

    static Shape<List<Map<String, Object>>> shape() {
        return new Shapes.ListOf<>(
                "a list of outputs such as [{prometheus: 127.0.0.1:9464}]",
                new Shapes.ExactlyOne(Fields.of(
                        "an output",
                        Key.optional(
                                PROMETHEUS,
                                Scalar.text("an address such as 127.0.0.1:9464", "\\S+:[0-9]{1,5}"),
                                "address of this machine at which Prometheus scrapes the run"),
                        Key.optional(
                                OTLP,
                                Scalar.text(
                                        "the address of a collector such as http://127.0.0.1:4318", "https?://\\S+"),
                                "address of a collector to which series are sent by OpenTelemetry's protocol; needs the"
                                        + " plugin otlp"))),
                1);
    }

    /**
     * @param values of the experiment
     * @param plugins that are there, by their ids
     */
    static List<OutputSettings> choices(
            Map<String, Object> values, List<String> plugins, BiConsumer<String, String> problem) {
        List<OutputSettings> choices = new ArrayList<>();
        List<?> outputs = (List<?>) values.getOrDefault("outputs", List.of());
        for (int i = 0; i < outputs.size(); i++) {
            Map<String, Object> output = ExperimentBuilder.map(outputs.get(i));
            if (output.containsKey(OTLP)) {
                if (plugins.contains(OTLP)) {
                    choices.add(new OutputSettings.Sent(OTLP, String.valueOf(output.get(OTLP))));
                } else {
                    problem.accept(
                            "outputs." + i + "." + OTLP,
                            "expected the plugin otlp, got that it is not there: it comes with DiPerF's archives and"
                                    + " Debian package, and is org.diperf.plugins:diperf-plugin-otlp in Maven"
                                    + Plugins.missing(OTLP, plugins));
                }
                continue;
            }
            String text = String.valueOf(output.get(PROMETHEUS));
            Matcher address = ADDRESS.matcher(text);
            int port = address.matches() ? Integer.parseInt(address.group(2)) : -1;
            if (port < 0 || port > 65_535) {
                problem.accept(
                        "outputs." + i + "." + PROMETHEUS,
                        "expected HOST:PORT with a port from 0 to 65535, such as 127.0.0.1:9464, got '" + text + "'");
            } else {
                choices.add(new OutputSettings.Prometheus(address.group(1), port));
            }
        }
        return choices;
    }
}
