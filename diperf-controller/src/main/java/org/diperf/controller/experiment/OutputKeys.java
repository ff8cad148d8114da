package org.diperf.controller.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.core.experiment.OutputSettings;
import org.diperf.core.plugin.Plugins;

/** The key {@code outputs}: its form, and what is made of it. */
final class OutputKeys {

    private static final Key<String> PROMETHEUS = Key.optional(
            "prometheus",
            Scalar.text("an address such as 127.0.0.1:9464", "\\S+:[0-9]{1,5}"),
            "address on this machine where Prometheus can scrape the run's metrics");
    private static final Key<String> OTLP = Key.optional(
            "otlp",
            Scalar.text("the address of a collector such as http://127.0.0.1:4318", "https?://\\S+"),
            "address of a collector that receives series over the OpenTelemetry protocol; needs the plugin otlp");

    static final Key<List<FormValues>> OUTPUTS = Key.optional(
            "outputs",
            new Shapes.ListOf<>(
                    "a list of outputs such as [{prometheus: 127.0.0.1:9464}]",
                    new Shapes.ExactlyOne(Fields.of("an output", PROMETHEUS, OTLP)),
                    1),
            "where metrics are sent during the run, in addition to the run folder");

    private static final Pattern ADDRESS = Pattern.compile("(\\[[0-9a-fA-F:.]+\\]|[A-Za-z0-9.-]+):([0-9]{1,5})");

    private OutputKeys() {}

    /** @param plugins that are there, by their ids */
    static List<OutputSettings> settings(FormValues experiment, List<String> plugins) {
        List<OutputSettings> settings = new ArrayList<>();
        List<FormValues> outputs = experiment.find(OUTPUTS);
        for (FormValues output : outputs == null ? List.<FormValues>of() : outputs) {
            String collector = output.find(OTLP);
            if (collector != null && plugins.contains(OTLP.name())) {
                settings.add(new OutputSettings.Sent(OTLP.name(), collector));
            } else if (collector != null) {
                output.problem(
                        OTLP,
                        "expected the plugin otlp, which is not installed: it comes with DiPerF's archives and Debian "
                                + "package, and is org.diperf.plugins:diperf-plugin-otlp in Maven"
                                + Plugins.missing(OTLP.name(), plugins));
            } else {
                String text = output.get(PROMETHEUS);
                Matcher address = ADDRESS.matcher(text);
                int port = address.matches() ? Integer.parseInt(address.group(2)) : -1;
                if (port < 0 || port > 65_535) {
                    output.problem(
                            PROMETHEUS,
                            "expected HOST:PORT with a port from 0 to 65535, such as 127.0.0.1:9464, got '" + text
                                    + "'");
                } else {
                    settings.add(new OutputSettings.Prometheus(address.group(1), port));
                }
            }
        }
        return settings;
    }
}
