package org.diperf.controller.experiment;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One {@code --set path=value}.
 *
 * @param written as on the command line
 * @param steps of the path
 * @param value as YAML
 */
record Setting(String written, List<String> steps, String value) {

    /** Reads one, or adds a problem. */
    static @Nullable Setting parse(String written, Problems problems) {
        int equals = written.indexOf('=');
        String path = equals < 0 ? "" : written.substring(0, equals).strip();
        if (path.isEmpty() || path.startsWith(".") || path.endsWith(".") || path.contains("..")) {
            problems.add(
                    SourcePosition.of("--set " + written),
                    "expected PATH=VALUE such as load.clients=10, got '" + written + "'");
            return null;
        }
        return new Setting(written, List.of(path.split("\\.")), written.substring(equals + 1));
    }

    /** Returns a copy of the document with this value in its place. */
    Node apply(Node root, Function<String, @Nullable String> environment, Problems problems) {
        SourcePosition position = SourcePosition.of("--set " + written);
        Node read = new YamlReader(position.source(), false, environment, problems).read(value);
        Node leaf = read == null ? new Node.Scalar(position, Node.Kind.NULL, "") : read;
        return new KeyOverride(steps, position, leaf).apply(root, problems);
    }
}
