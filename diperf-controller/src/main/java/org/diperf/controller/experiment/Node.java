package org.diperf.controller.experiment;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A piece of a YAML document and where it stands. Immutable. */
sealed interface Node {

    /** Says where it begins. */
    SourcePosition position();

    /** Describes it for "found ...". */
    String found();

    /** Returns it without places: text, number, boolean, list or map of these. */
    Object plain();

    /** What a scalar was written as. */
    enum Kind {
        TEXT,
        NUMBER,
        BOOLEAN,
        NULL
    }

    /** A text, number, boolean or nothing. */
    record Scalar(SourcePosition position, Kind kind, String text) implements Node {

        @Override
        public String found() {
            return kind == Kind.NULL ? "nothing" : "'" + text + "'";
        }

        @Override
        public Object plain() {
            if (kind == Kind.BOOLEAN) {
                return Boolean.valueOf(text);
            }
            if (kind == Kind.NUMBER) {
                try {
                    return Long.valueOf(text);
                } catch (NumberFormatException notWhole) {
                    return Double.valueOf(text);
                }
            }
            return text;
        }
    }

    /** A list. Steps of paths name an item by its place, or by its name where it has one. */
    record Sequence(SourcePosition position, List<Node> items) implements Node {

        public Sequence {
            items = List.copyOf(items);
        }

        @Override
        public String found() {
            return "a list";
        }

        @Override
        public Object plain() {
            return items.stream().map(Node::plain).toList();
        }

        /**
         * Returns the place that a step of a path names, which may be behind the last item.
         *
         * @return below 0: it names none, or several
         */
        int indexOf(String step) {
            if (step.matches("[0-9]{1,6}")) {
                return Integer.parseInt(step);
            }
            int first = names().indexOf(step);
            return first == names().lastIndexOf(step) ? first : -1;
        }

        /** Names the items, by their places; an item without a name has an empty one. */
        List<String> names() {
            return items.stream().map(Sequence::name).toList();
        }

        /** Returns its {@code name}; an item without one is named by the texts of its first list, as a link by its ends. */
        private static String name(Node item) {
            if (!(item instanceof Mapping mapping)) {
                return "";
            }
            if (mapping.entries().get("name") instanceof Scalar name) {
                return name.text();
            }
            return mapping.entries().values().stream()
                    .filter(Sequence.class::isInstance)
                    .findFirst()
                    .map(list -> ((Sequence) list).items())
                    .filter(items -> items.stream().allMatch(Scalar.class::isInstance))
                    .map(items ->
                            items.stream().map(text -> ((Scalar) text).text()).collect(Collectors.joining("-")))
                    .orElse("");
        }
    }

    /**
     * Keys with values, in the order of the file.
     *
     * @param keys where each key stands
     */
    record Mapping(SourcePosition position, Map<String, Node> entries, Map<String, SourcePosition> keys)
            implements Node {

        public Mapping {
            entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
            keys = Map.copyOf(keys);
        }

        @Override
        public String found() {
            return entries.isEmpty() ? "nothing" : "the keys " + entries.keySet();
        }

        @Override
        public Map<String, Object> plain() {
            Map<String, Object> plain = new LinkedHashMap<>();
            entries.forEach((key, value) -> plain.put(key, value.plain()));
            return plain;
        }

        /** Says where a key stands; the mapping itself where it is not there. */
        SourcePosition positionOf(String key) {
            return keys.getOrDefault(key, position);
        }

        /** Makes a copy with one more, or another, entry. */
        Mapping with(String key, Node value) {
            return with(key, value.position(), value);
        }

        /** Makes a copy with one more, or another, entry whose key stands elsewhere than its value. */
        Mapping with(String key, SourcePosition keyPosition, Node value) {
            Map<String, Node> newEntries = new LinkedHashMap<>(entries);
            newEntries.put(key, value);
            Map<String, SourcePosition> newKeys = new LinkedHashMap<>(keys);
            newKeys.put(key, keyPosition);
            return new Mapping(position, newEntries, newKeys);
        }

        /** Makes a copy without some entries. */
        Mapping without(Collection<String> names) {
            Map<String, Node> fewer = new LinkedHashMap<>(entries);
            fewer.keySet().removeAll(names);
            return new Mapping(position, fewer, keys);
        }
    }

    /** Finds a descendant by its dotted path. */
    static @Nullable Node find(Node root, String path) {
        Node at = root;
        for (String step : path.split("\\.")) {
            Node next = null;
            if (at instanceof Mapping mapping) {
                next = mapping.entries().get(step);
            } else if (at instanceof Sequence sequence) {
                int index = sequence.indexOf(step);
                next = index >= 0 && index < sequence.items().size()
                        ? sequence.items().get(index)
                        : null;
            }
            if (next == null) {
                return null;
            }
            at = next;
        }
        return at;
    }

    /** Says where a path stands; where it is absent, its nearest ancestor. */
    static SourcePosition positionOf(Node root, String path) {
        String rest = path;
        while (!rest.isEmpty()) {
            Node node = find(root, rest);
            if (node != null) {
                return node.position();
            }
            int dot = rest.lastIndexOf('.');
            rest = dot < 0 ? "" : rest.substring(0, dot);
        }
        return root.position();
    }

    /** Makes a copy of a list with one item exchanged, or appended. */
    static Sequence with(Sequence sequence, int index, Node value) {
        List<Node> items = new ArrayList<>(sequence.items());
        if (index == items.size()) {
            items.add(value);
        } else {
            items.set(index, value);
        }
        return new Sequence(sequence.position(), items);
    }
}
