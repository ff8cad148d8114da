package org.diperf.controller.experiment;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.diperf.core.spi.NearestName;
import org.jspecify.annotations.Nullable;

/**
 * A mapping with known keys; any other is an error.
 *
 * @param expected what the mapping is
 * @param keys in the order in which they are written
 * @param hints for names that are known but not here: what to do about them
 * @param oneOf optional keys of which at least one must be given, the preferred one first; empty: none must
 */
record Fields(String expected, List<Key<?>> keys, Map<String, String> hints, List<String> oneOf)
        implements Shape<FormValues> {

    Fields {
        keys = List.copyOf(keys);
        hints = Map.copyOf(hints);
        oneOf = List.copyOf(oneOf);
    }

    static Fields of(String expected, Key<?>... keys) {
        return new Fields(expected, List.of(keys), Map.of(), List.of());
    }

    /** Makes a copy that takes more keys. */
    Fields and(List<Key<?>> more) {
        List<Key<?>> all = new ArrayList<>(keys);
        all.addAll(more);
        return new Fields(expected, all, hints, oneOf);
    }

    /** Makes a copy that says what to do about names that are known but not here. */
    Fields hinting(Map<String, String> names) {
        return new Fields(expected, keys, names, oneOf);
    }

    /** Makes a copy that wants at least one of these keys. */
    Fields needing(String... names) {
        return new Fields(expected, keys, hints, List.of(names));
    }

    @Override
    public Collection<String> keyNames() {
        return names();
    }

    List<String> names() {
        return keys.stream().<String>map(Key::name).toList();
    }

    /** Writes what a mapping has in which nothing is written. */
    Map<String, Object> writtenDefaults() {
        Map<String, Object> written = new LinkedHashMap<>();
        for (Key<?> key : keys) {
            Object fallback = key.writtenDefault();
            if (fallback != null) {
                written.put(key.name(), fallback);
            }
        }
        return written;
    }

    /** Says what to do about a name that is no key here; {@code null}: nothing is known of it. */
    @Nullable
    String hint(String path, String name) {
        String known = hints.get(name);
        if (known != null) {
            return known;
        }
        List<String> having = keys.stream()
                .filter(key -> key.shape().keyNames().contains(name))
                .<String>map(Key::name)
                .toList();
        if (having.isEmpty()) {
            return null;
        }
        String shown = having.get(0) + ": { " + name + ": ... }";
        return "it belongs in '" + String.join("' or '", having) + "': "
                + (path.isEmpty() ? shown : path.substring(path.lastIndexOf('.') + 1) + ": { " + shown + " }");
    }

    /**
     * Says what is right instead of a name that is no key here.
     *
     * @param meant takes the key that it stands for, if it is one of these: it is not missing then
     */
    private String correction(String path, String name, Set<String> meant) {
        String hint = hint(path, name);
        if (hint != null) {
            return "; " + hint;
        }
        Optional<TheirWords> theirs = TheirWords.ofKey(path, name);
        String ours = theirs.flatMap(word -> word.among(names()))
                .or(() -> NearestName.of(name, names()))
                .orElse(null);
        if (ours != null) {
            meant.add(ours);
            return theirs.isPresent() ? "; use '" + ours + "'" : ". Did you mean '" + ours + "'?";
        }
        theirs.ifPresent(word -> meant.add(word.key().replaceFirst("\\..*", "")));
        return theirs.map(word -> "; it is '" + word.key() + "' here").orElse("");
    }

    private Key<?> key(String name) {
        return keys.stream().filter(key -> key.name().equals(name)).findFirst().orElseThrow();
    }

    static String join(String path, String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    @Override
    public @Nullable FormValues read(Node node, String path, Problems problems) {
        if (!(node instanceof Node.Mapping mapping)) {
            problems.add(
                    node.position(),
                    path,
                    "expected " + expected + " with the keys " + names() + ", got " + node.found());
            return null;
        }
        int before = problems.count();
        Set<String> meant = new HashSet<>();
        for (String name : mapping.entries().keySet()) {
            if (!names().contains(name)) {
                problems.add(
                        mapping.positionOf(name),
                        "expected one of " + names() + (path.isEmpty() ? "" : " in '" + path + "'") + ", got '" + name
                                + "'" + correction(path, name, meant));
            }
        }
        Map<String, Object> values = new LinkedHashMap<>();
        for (Key<?> key : keys) {
            Node given = mapping.entries().get(key.name());
            if (given == null && key.absent() == Key.Absent.EMPTY) {
                given = new Node.Mapping(mapping.position(), Map.of(), Map.of());
            }
            Object value = key.fallback();
            if (given != null) {
                value = key.shape().read(given, join(path, key.name()), problems);
            } else if (key.isRequired() && !meant.contains(key.name())) {
                problems.add(
                        mapping.position(),
                        join(path, key.name()),
                        "is missing: expected " + key.shape().expected() + " (" + key.help() + ")");
            }
            if (value != null) {
                values.put(key.name(), value);
            }
        }
        if (!oneOf.isEmpty()
                && oneOf.stream().noneMatch(name -> mapping.entries().containsKey(name) || meant.contains(name))) {
            Key<?> preferred = key(oneOf.get(0));
            problems.add(
                    mapping.position(),
                    join(path, preferred.name()),
                    "is missing: expected " + preferred.shape().expected() + " (" + preferred.help() + "), or one of "
                            + oneOf.subList(1, oneOf.size()));
        }
        return problems.count() == before ? new FormValues(this, values, mapping, path, problems) : null;
    }

    @Override
    public Map<String, Object> schema() {
        Map<String, Object> properties = new LinkedHashMap<>();
        List<String> required = new ArrayList<>();
        for (Key<?> key : keys) {
            Map<String, Object> property = new LinkedHashMap<>();
            property.put("description", key.help());
            property.putAll(key.shape().schema());
            Object fallback = key.writtenDefault();
            if (fallback != null) {
                property.put("default", fallback);
            }
            properties.put(key.name(), property);
            if (key.isRequired()) {
                required.add(key.name());
            }
        }
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("properties", properties);
        if (!required.isEmpty()) {
            schema.put("required", required);
        }
        if (!oneOf.isEmpty()) {
            schema.put(
                    "anyOf",
                    oneOf.stream()
                            .map(name -> Map.of("required", List.of(name)))
                            .toList());
        }
        schema.put("additionalProperties", false);
        return schema;
    }

    @Override
    public Object write(FormValues value) {
        return value.written();
    }
}
