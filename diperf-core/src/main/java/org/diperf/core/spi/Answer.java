package org.diperf.core.spi;

import org.jspecify.annotations.Nullable;

/** What a service answered, for values that later calls need; see {@link Call#answer}. */
public interface Answer {

    /**
     * Gives a field of the answer's header.
     *
     * @param name in any case
     * @return its first value, {@code null} where there is none
     */
    @Nullable
    String header(String name);

    /** Gives the body as text. */
    String body();
}
