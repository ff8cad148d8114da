package org.diperf.controller.experiment;

import org.jspecify.annotations.Nullable;

/**
 * Declares one key: everything that reading, checking, the schema, the resolved file and its help need to know of it.
 *
 * @param name as it stands in the file
 * @param shape of its value
 * @param help one line; for a default that depends on others it says which
 * @param fallback the default; {@code null} where it is left out or derived
 * @param required whether it must be given
 * @param <V> type of its value
 */
record Key<V>(
        String name, Shape<V> shape, String help, @Nullable V fallback, boolean required) {

    static <V> Key<V> required(String name, Shape<V> shape, String help) {
        return new Key<>(name, shape, help, null, true);
    }

    static <V> Key<V> optional(String name, Shape<V> shape, String help) {
        return new Key<>(name, shape, help, null, false);
    }

    static <V> Key<V> withDefault(String name, Shape<V> shape, V fallback, String help) {
        return new Key<>(name, shape, help, fallback, false);
    }

    /** Makes the same key, which need not be given. */
    Key<V> notRequired() {
        return new Key<>(name, shape, help, fallback, false);
    }

    /** Makes the same key, which need not be given and has no default. */
    Key<V> withoutDefault() {
        return optional(name, shape, help);
    }

    /** Takes a value as one of this key's. */
    @SuppressWarnings("unchecked") // Values are kept by the names of the keys whose shapes gave them.
    V cast(Object value) {
        return (V) value;
    }

    /** Writes a value of this key. */
    Object write(Object value) {
        return shape.write(cast(value));
    }
}
