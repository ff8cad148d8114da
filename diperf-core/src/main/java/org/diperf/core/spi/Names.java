package org.diperf.core.spi;

import java.util.Set;

/** What texts may name besides the call itself: values that a call has, and secrets. Immutable. */
public interface Names {

    /** Knows of nothing. */
    Names NONE = new Names() {
        @Override
        public Set<String> values() {
            return Set.of();
        }

        @Override
        public String secret(String reference) {
            throw new IllegalArgumentException(
                    "wanted a text without secrets, found '${secret:" + reference + "}'; here none can be filled in");
        }
    };

    /** Lists what {@link Call#value} knows: columns of data files ({@code users.name}) and captured values. */
    Set<String> values();

    /**
     * Gives a secret.
     *
     * @param reference {@code env:NAME} or {@code file:PATH}
     * @throws IllegalArgumentException when it cannot be had, with a message that says what to do
     */
    String secret(String reference);
}
