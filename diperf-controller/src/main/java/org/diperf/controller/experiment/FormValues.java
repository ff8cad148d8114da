package org.diperf.controller.experiment;

import java.util.Collection;
import java.util.Map;
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
    private FormValues(
            Fields fields, Map<String, Object> values, Node.Mapping mapping, String path, Problems problems) {
        this.fields = fields;
        this.values = values;
        this.mapping = mapping;
        this.path = path;
        this.problems = problems;
    }

    /** Reads a mapping; {@code null} where there were problems. */
    static @Nullable FormValues read(Fields fields, Node node, String path, Problems problems) {
        Map<String, Object> values = fields.read(node, path, problems);
        return values != null && node instanceof Node.Mapping mapping
                ? new FormValues(fields, values, mapping, path, problems)
                : null;
    }

    /** Returns the value of a key that is required or has a default. */
    <V> V get(Key<V> key) {
        V value = find(key);
        if (value == null) {
            throw new IllegalStateException("'" + key.name() + "' is neither required nor has it a default");
        }
        return value;
    }

    /** Returns the value of a key; {@code null} where it was left out. */
    <V> @Nullable V find(Key<V> key) {
        Object value = values.get(key.name());
        return value == null ? null : key.cast(value);
    }

    boolean has(Key<?> key) {
        return values.containsKey(key.name());
    }

    /** Returns the value of a key; where it was left out, this one, which is written out. */
    <V> V getOr(Key<V> key, V otherwise) {
        values.putIfAbsent(key.name(), otherwise);
        return get(key);
    }

    <V> void put(Key<V> key, V value) {
        values.put(key.name(), value);
    }

    void remove(Key<?> key) {
        values.remove(key.name());
    }

    /** Says what is wrong with the value of a key. */
    void problem(Key<?> key, String text) {
        Node at = mapping.entries().get(key.name());
        problems.add(at == null ? mapping.position() : at.position(), Fields.join(path, key.name()), text);
    }

    /** Says what is wrong with the mapping. */
    void problem(String text) {
        problems.add(mapping.position(), path, text);
    }

    /** Counts what is wrong with the file so far. */
    int problems() {
        return problems.count();
    }

    /** Returns what stands in the resolved file. */
    Object written() {
        return fields.write(values);
    }

    /**
     * The shape of a mapping whose values are taken by their keys.
     *
     * @param fields that it has
     */
    record Mapping(Fields fields) implements Shape<FormValues> {

        @Override
        public @Nullable FormValues read(Node node, String path, Problems problems) {
            return FormValues.read(fields, node, path, problems);
        }

        @Override
        public Map<String, Object> schema() {
            return fields.schema();
        }

        @Override
        public Object write(FormValues value) {
            return value.written();
        }

        @Override
        public String expected() {
            return fields.expected();
        }

        @Override
        public Collection<String> keyNames() {
            return fields.names();
        }
    }
}
