package org.diperf.controller.experiment;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.diperf.core.spi.NearestName;
import org.jspecify.annotations.Nullable;

/**
 * A value that goes over what a document says: of a {@code --set}, of an axis or of a variant.
 *
 * @param steps of the path
 * @param position of the path, for messages
 * @param value to be put there
 */
record KeyOverride(List<String> steps, SourcePosition position, Node value) {

    static KeyOverride at(String path, SourcePosition position, Node value) {
        return new KeyOverride(List.of(path.split("\\.")), position, value);
    }

    /** Returns a copy of the document with this value in its place. */
    Node apply(Node root, Problems problems) {
        return put(root, 0, problems);
    }

    private Node put(@Nullable Node at, int depth, Problems problems) {
        if (depth == steps.size()) {
            return value;
        }
        String step = steps.get(depth);
        if (at instanceof Node.Sequence list) {
            int size = list.items().size();
            int index = list.indexOf(step);
            if (index < 0 || index > size) {
                List<String> names =
                        list.names().stream().filter(name -> !name.isEmpty()).toList();
                problems.add(
                        position,
                        "expected an index into the list '" + String.join(".", steps.subList(0, depth))
                                + "', from 0 to "
                                + size + " (" + size + " appends)"
                                + (names.isEmpty() ? "" : ", or the name of an item, one of " + names) + ", got '"
                                + step + "'" + NearestName.suggestion(step, names));
                return at;
            }
            Node old = index < size ? list.items().get(index) : null;
            return Node.with(list, index, put(old, depth + 1, problems));
        }
        if (at == null && step.equals("0") && depth > 0) {
            return new Node.Sequence(position, List.of(put(null, depth + 1, problems)));
        }
        // A text or number that stands where a mapping is expected gives way: `--set target.per=tester` says so later.
        Node.Mapping mapping =
                at instanceof Node.Mapping known ? known : new Node.Mapping(position, Map.of(), new LinkedHashMap<>());
        return mapping.with(step, position, put(mapping.entries().get(step), depth + 1, problems));
    }
}
