package org.diperf.core.spi;

import org.jspecify.annotations.Nullable;

/** What a service answered, for values that later calls need; see {@link Call#answer}. */
public interface Answer {

    /**
     * Returns a field of the answer's header.
     *
     * @param name case-insensitive
     * @return its first value, {@code null} if there is none
     */
    @Nullable
    String header(String name);

    /** Returns the body as text. */
    String body();
}
