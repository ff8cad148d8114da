package org.diperf.core.spi;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a service answered, for values that later calls need and for checks; see {@link Call#answer}. */
public interface Answer {

    /**
     * Returns a field of the answer's header.
     *
     * @param name case-insensitive
     * @return its first value, {@code null} if there is none
     */
    @Nullable
    String header(String name);

    /**
     * Returns all values of a field of the answer's header, such as {@code Set-Cookie}, which has one for each cookie.
     *
     * @param name case-insensitive
     */
    default List<String> headers(String name) {
        String first = header(name);
        return first == null ? List.of() : List.of(first);
    }

    /** Returns the answer's status, such as {@code 200} or the exit code of a program; empty where the service has none. */
    default String status() {
        return "";
    }

    /**
     * Returns the size of the whole body, of which {@link #body} may be the first part.
     *
     * @return bytes, at least 0
     */
    default long size() {
        return body().getBytes(StandardCharsets.UTF_8).length;
    }

    /** Returns the answer's header as it came, for people; empty where the service has none. */
    default String head() {
        return "";
    }

    /** Returns the body as text. */
    String body();
}
