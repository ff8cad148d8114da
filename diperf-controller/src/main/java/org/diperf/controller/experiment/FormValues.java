package org.diperf.controller.experiment;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a mapping of the file gives for its keys, defaults included. A default that depends on other values is added to it,
 * and so written out. Confined to one thread.
 */
final class FormValues {

    private final Fields fields;
    private final Map<String, Object> values;
    private final Node.Mapping mapping;
    private final String path;
    private final Problems problems;

    /**
     * @param values by name, each as its key's shape read it
     * @param mapping where they stand
     * @param path of the mapping in the file
     */
    FormValues(Fields fields, Map<String, Object> values, Node.Mapping mapping, String path, Problems problems) {
        this.fields = fields;
        this.values = values;
        this.mapping = mapping;
        this.path = path;
        this.problems = problems;
    }

    /** Returns the value of a key that is required or has a default. */
    <V> V get(Key<V> key) {
        V value = find(key);
        if (value == null) {
            throw new IllegalStateException("'" + key.name() + "' is not required, but has no default");
        }
        return value;
    }

    /** Returns the value of a key; {@code null} where it was left out. */
    <V> @Nullable V find(Key<V> key) {
        Object value = values.get(key.name());
        return value == null ? null : key.cast(value);
    }

    /** Returns whether there is a value, given or by default. */
    boolean has(Key<?> key) {
        return values.containsKey(key.name());
    }

    /** Returns whether the file itself has the key. */
    boolean isGiven(Key<?> key) {
        return mapping.entries().containsKey(key.name());
    }

    /** Returns the value of a key; where it was left out, this one, which is written out. */
    <V> V getOr(Key<V> key, V otherwise) {
        values.putIfAbsent(key.name(), otherwise);
        return get(key);
    }

    /** Returns the value of a key; where it was left out, what this one gives, which is written out. */
    <V> V getOrElse(Key<V> key, Supplier<? extends V> otherwise) {
        return has(key) ? get(key) : getOr(key, otherwise.get());
    }

    <V> void put(Key<V> key, V value) {
        values.put(key.name(), value);
    }

    void remove(Key<?> key) {
        values.remove(key.name());
    }

    /** Says what is wrong with the value of a key. */
    void problem(Key<?> key, String text) {
        problem(key.name(), text);
    }

    /** Says what is wrong at a path below this mapping. */
    void problem(String below, String text) {
        problems.add(Node.positionOf(mapping, below), Fields.join(path, below), text);
    }

    /** Says what is wrong with the mapping. */
    void problem(String text) {
        problems.add(mapping.position(), path, text);
    }

    /** Counts what is wrong with the file so far. */
    int problems() {
        return problems.count();
    }

    /** Writes the value of a key that has one. */
    Object write(Key<?> key) {
        return written(other -> other.name().equals(key.name()))
                .values()
                .iterator()
                .next();
    }

    /** Returns what stands in the resolved file. */
    Map<String, Object> written() {
        return written(key -> true);
    }

    /** Returns what plugins declared, as it stands in the resolved file. */
    Map<String, Object> parameters() {
        return written(key -> key.shape() instanceof Shapes.PluginParameter);
    }

    private Map<String, Object> written(Predicate<Key<?>> which) {
        Map<String, Object> written = new LinkedHashMap<>();
        for (Key<?> key : fields.keys()) {
            Object given = values.get(key.name());
            if (given != null && which.test(key)) {
                written.put(key.name(), key.write(given));
            }
        }
        return written;
    }
}
