package org.diperf.core.spi;

import java.util.Set;

/** What texts can refer to besides the call itself: values of a call, and secrets. Immutable. */
public interface Names {

    /** Has no names. */
    Names NONE = new Names() {
        @Override
        public Set<String> values() {
            return Set.of();
        }

        @Override
        public String secret(String reference) {
            throw new IllegalArgumentException(
                    "expected text without secrets, got '${secret:" + reference + "}'; secrets cannot be used here");
        }
    };

    /** Returns the names that {@link Call#value} knows: columns of data files ({@code users.name}) and captured values. */
    Set<String> values();

    /**
     * Returns a secret.
     *
     * @param reference {@code env:NAME} or {@code file:PATH}
     * @throws IllegalArgumentException if it is not available, with a message that says what to do
     */
    String secret(String reference);
}
