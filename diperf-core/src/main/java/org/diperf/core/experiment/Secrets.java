package org.diperf.core.experiment;

import java.util.LinkedHashMap;
import java.util.Map;

/** Secrets used in an experiment's texts, with their values, which are never shown. Immutable. */
public final class Secrets {

    /** No secrets. */
    public static final Secrets NONE = new Secrets(Map.of());

    private static final String MASK = "***";
    /** A shorter value would mask half of all words. */
    private static final int SHORTEST_MASKED = 3;

    private final Map<String, String> values;

    /** @param values of the secrets, by {@code env:NAME} or {@code file:PATH} */
    public Secrets(Map<String, String> values) {
        this.values = Map.copyOf(new LinkedHashMap<>(values));
    }

    /** Returns the values by their references; for the wire alone. */
    public Map<String, String> values() {
        return values;
    }

    /** Puts asterisks in the place of all values of at least three letters; the same object where there is none. */
    public String masked(String text) {
        String masked = text;
        for (String value : values.values()) {
            if (value.length() >= SHORTEST_MASKED && masked.contains(value)) {
                masked = masked.replace(value, MASK);
            }
        }
        return masked;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Secrets secrets && secrets.values.equals(values);
    }

    @Override
    public int hashCode() {
        return values.keySet().hashCode();
    }

    /** Shows what they are called. */
    @Override
    public String toString() {
        return "Secrets" + values.keySet();
    }
}
