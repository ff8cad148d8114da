package org.diperf.controller.experiment;

import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.diperf.core.experiment.TraceSettings;
import org.diperf.core.spi.ClientPlugin;
import org.jspecify.annotations.Nullable;

/** The key {@code trace}: its form, and what is made of it. */
final class TraceKeys {

    private static final String W3C = "w3c";
    private static final String LINK = "link";

    private TraceKeys() {}

    static Shape<?> shape() {
        return new Shapes.WordOrMapping(
                Scalar.oneOf(List.of(W3C)),
                Fields.of(
                        "a mapping such as {link: \"http://127.0.0.1:16686/trace/${id}\"}",
                        Key.withDefault(
                                W3C,
                                Scalar.bool(),
                                true,
                                "whether requests carry a traceparent, as W3C's Trace Context says"),
                        Key.optional(
                                LINK,
                                Scalar.text(
                                        "the address of a trace with ${id} for its id, such as http://127.0.0.1:16686/trace/${id}",
                                        "https?://\\S*\\$\\{id}\\S*"),
                                "address of a trace, to which the report links; ${id} stands for its id")));
    }

    /**
     * @param values of the experiment
     * @param plugin of its client; {@code null}: it is not known
     */
    static TraceSettings choice(
            Map<String, Object> values, @Nullable ClientPlugin plugin, BiConsumer<String, String> problem) {
        Object given = values.get("trace");
        if (given == null) {
            return TraceSettings.NONE;
        }
        Map<String, Object> keys = ExperimentBuilder.map(given);
        boolean sent = given instanceof String || Boolean.TRUE.equals(keys.get(W3C));
        if (sent && plugin != null && !plugin.sendsTraces()) {
            problem.accept(
                    "trace",
                    "expected a client that sends trace ids, such as http, got " + plugin.id() + "; leave 'trace' out");
        }
        return sent ? new TraceSettings(true, String.valueOf(keys.getOrDefault(LINK, ""))) : TraceSettings.NONE;
    }
}
