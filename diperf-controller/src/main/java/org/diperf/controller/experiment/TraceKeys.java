package org.diperf.controller.experiment;

import java.util.List;
import org.diperf.core.experiment.TraceSettings;
import org.diperf.core.spi.ClientPlugin;
import org.jspecify.annotations.Nullable;

/** The key {@code trace}: its form, and what is made of it. */
final class TraceKeys {

    private static final Key<Boolean> W3C = Key.withDefault(
            "w3c", Scalar.bool(), true, "whether requests include a traceparent header (W3C Trace Context)");
    private static final Key<String> LINK = Key.optional(
            "link",
            Scalar.text(
                    "the address of a trace, with ${id} in place of its id, such as "
                            + "http://127.0.0.1:16686/trace/${id}",
                    "https?://\\S*\\$\\{id}\\S*"),
            "address of a trace for links in the report; ${id} stands for its id");

    static final Key<Shapes.Either<String>> TRACE = Key.optional(
            "trace",
            new Shapes.WordOrMapping<>(
                    Scalar.oneOf(List.of(W3C.name())),
                    Fields.of("a mapping such as {link: \"http://127.0.0.1:16686/trace/${id}\"}", W3C, LINK)),
            "w3c: requests include ids that identify them in a tracing system and in exports");

    private TraceKeys() {}

    /** @param plugin of the experiment's client; {@code null}: it is not known */
    static TraceSettings settings(FormValues experiment, @Nullable ClientPlugin plugin) {
        Shapes.Either<String> given = experiment.find(TRACE);
        FormValues keys = given == null ? null : given.mapping();
        if (given == null || (keys != null && !keys.get(W3C))) {
            return TraceSettings.NONE;
        }
        if (plugin != null && !plugin.sendsTraces()) {
            experiment.problem(
                    TRACE,
                    "expected a client that sends trace ids, such as http, got " + plugin.id() + "; drop 'trace'");
        }
        String link = keys == null ? null : keys.find(LINK);
        return new TraceSettings(true, link == null ? "" : link);
    }
}
