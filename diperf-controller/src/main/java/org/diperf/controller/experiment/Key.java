package org.diperf.controller.experiment;

import org.jspecify.annotations.Nullable;

/**
 * Declares one key: everything that reading, checking, the schema, the resolved file and its help need to know of it.
 *
 * @param name as it stands in the file
 * @param shape of its value
 * @param help one line; for a default that depends on others it says which
 * @param fallback the default; {@code null} where it is left out or derived
 * @param absent what is done where it is not given and has no default
 * @param <V> type of its value
 */
record Key<V>(
        String name, Shape<V> shape, String help, @Nullable V fallback, Absent absent) {

    /** What is done where a key is not given and has no default. */
    enum Absent {
        /** That is a problem. */
        REFUSED,
        /** It has no value. */
        LEFT_OUT,
        /** It is read as an empty mapping, and so has the defaults of the keys in it. */
        EMPTY
    }

    static <V> Key<V> required(String name, Shape<V> shape, String help) {
        return new Key<>(name, shape, help, null, Absent.REFUSED);
    }

    static <V> Key<V> optional(String name, Shape<V> shape, String help) {
        return new Key<>(name, shape, help, null, Absent.LEFT_OUT);
    }

    static <V> Key<V> withDefault(String name, Shape<V> shape, V fallback, String help) {
        return new Key<>(name, shape, help, fallback, Absent.LEFT_OUT);
    }

    /** Declares a mapping whose keys have defaults, so that it need not be given. */
    static Key<FormValues> section(String name, Shape<FormValues> shape, String help) {
        return new Key<>(name, shape, help, null, Absent.EMPTY);
    }

    /** Makes the same key with values of another shape: of those whose shape depends on plugins. */
    Key<V> of(Shape<V> other) {
        return new Key<>(name, other, help, fallback, absent);
    }

    boolean isRequired() {
        return absent == Absent.REFUSED;
    }

    /** Makes the same key, which need not be given. */
    Key<V> notRequired() {
        return new Key<>(name, shape, help, fallback, isRequired() ? Absent.LEFT_OUT : absent);
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

    /** Writes the default; {@code null} where it is left out or derived. */
    @Nullable
    Object writtenDefault() {
        if (absent == Absent.EMPTY) {
            return shape instanceof Fields fields ? fields.writtenDefaults() : null;
        }
        return fallback == null ? null : write(fallback);
    }
}
