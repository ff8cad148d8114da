package org.diperf.controller.experiment;

import org.jspecify.annotations.Nullable;

/**
 * Declares one key.
 *
 * @param name as it stands in the file
 * @param shape of its value
 * @param help one line; for a default that depends on others it says which
 * @param fallback the default as {@link Shape#read} would give it; {@code null} where it is left out or derived
 * @param required whether it must be given
 */
record Key(String name, Shape shape, String help, @Nullable Object fallback, boolean required) {

    static Key required(String name, Shape shape, String help) {
        return new Key(name, shape, help, null, true);
    }

    static Key optional(String name, Shape shape, String help) {
        return new Key(name, shape, help, null, false);
    }

    static Key withDefault(String name, Shape shape, Object fallback, String help) {
        return new Key(name, shape, help, fallback, false);
    }
}
