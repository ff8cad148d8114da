package org.diperf.controller.experiment;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
                    Place.of("--set " + written), "wanted PATH=VALUE such as load.clients=10, found '" + written + "'");
            return null;
        }
        return new Setting(written, List.of(path.split("\\.")), written.substring(equals + 1));
    }

    /** Gives a copy of the document with this value in its place. */
    Node apply(Node root, Function<String, @Nullable String> environment, Problems problems) {
        Place place = Place.of("--set " + written);
        Node read = new YamlReader(place.source(), false, environment, problems).read(value);
        Node leaf = read == null ? new Node.Scalar(place, Node.Kind.NULL, "") : read;
        return put(root, 0, leaf, place, problems);
    }

    private Node put(@Nullable Node at, int depth, Node leaf, Place place, Problems problems) {
        if (depth == steps.size()) {
            return leaf;
        }
        String step = steps.get(depth);
        if (at instanceof Node.Sequence list) {
            int size = list.items().size();
            int index = step.matches("[0-9]{1,6}") ? Integer.parseInt(step) : Integer.MAX_VALUE;
            if (index > size) {
                problems.add(
                        place,
                        "wanted a place in the list '" + String.join(".", steps.subList(0, depth)) + "', from 0 to "
                                + size + " (" + size + " appends), found '" + step + "'");
                return at;
            }
            Node old = index < size ? list.items().get(index) : null;
            return Node.with(list, index, put(old, depth + 1, leaf, place, problems));
        }
        if (at == null && step.equals("0") && depth > 0) {
            return new Node.Sequence(place, List.of(put(null, depth + 1, leaf, place, problems)));
        }
        // A text or number that stands where a mapping is wanted gives way: `--set target.per=tester` says so later.
        Node.Mapping mapping =
                at instanceof Node.Mapping known ? known : new Node.Mapping(place, Map.of(), new LinkedHashMap<>());
        return mapping.with(step, put(mapping.entries().get(step), depth + 1, leaf, place, problems));
    }
}
