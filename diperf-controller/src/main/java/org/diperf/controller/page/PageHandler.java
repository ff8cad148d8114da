package org.diperf.controller.page;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a page server shows. */
@FunctionalInterface
interface PageHandler {

    /**
     * Answers a request that the gate let through. Called on the server's own threads, several at once; may read files.
     *
     * @param path decoded, begins with a slash
     * @param parameters of the address, the first of each name
     * @param accept formats that the client takes, as HTTP's field of that name says; empty: any
     */
    PageResponse get(String path, Map<String, String> parameters, String accept);

    /**
     * Does something for somebody who has the token. Called as {@link #get}.
     *
     * @param who address that asked
     */
    default PageResponse post(String path, String who) {
        return PageResponse.plain(404, "This page is read-only.");
    }

    /** Returns the stream of events at a path; {@code null}: there is none. Called on the server's event loop. */
    default @Nullable EventStream feed(String path) {
        return null;
    }
}
