package org.diperf.controller.page;

import java.util.Map;

/** What a page server shows. */
interface PageHandler {

    /**
     * Answers a request that the gate let through. Called on the server's own threads, several at once; may read files.
     *
     * @param path decoded, begins with a slash
     * @param parameters of the address, the first of each name
     */
    PageResponse get(String path, Map<String, String> parameters);

    /**
     * Answers like {@link #get(String, Map)}, in one of several formats.
     *
     * @param accept formats that the asker takes, as HTTP's field of that name says; empty: any
     */
    default PageResponse get(String path, Map<String, String> parameters, String accept) {
        return get(path, parameters);
    }

    /**
     * Does something for somebody who has the token. Called as {@link #get}.
     *
     * @param who address that asked
     */
    PageResponse post(String path, String who);

    /** Returns the stream of events at a path; {@link EventStream#NONE}: there is none. */
    EventStream feed(String path);
}
