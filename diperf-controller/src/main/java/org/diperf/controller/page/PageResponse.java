package org.diperf.controller.page;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One answer of a site.
 *
 * @param status of HTTP
 * @param headers next to length and those that every answer has
 * @param body not to be changed any more
 * @param file whose content is the body instead; {@code null}: it is not from a file
 * @param left done once, when all of it has left or its connection has ended, on the event loop
 */
record PageResponse(
        int status,
        Map<String, String> headers,
        byte[] body,
        @Nullable Path file,
        Runnable left) {

    /** Lets a page load its own scripts, styles and numbers, and nothing else. */
    static final String OWN_POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
            + " img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    /**
     * For a page that comes from a run's folder: it may run its own script, as what it is: nobody, who can ask for nothing. Its own
     * policy, within it, names that script.
     */
    static final String STORED_POLICY = "sandbox allow-scripts allow-popups; default-src 'none'; img-src 'self' data:;"
            + " style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none';"
            + " frame-ancestors 'none'";

    private static final String POLICY = "content-security-policy";

    private static final byte[] EMPTY = {};

    private static final Runnable NOTHING = () -> {};

    PageResponse {
        headers = Map.copyOf(headers);
    }

    static PageResponse of(String type, byte[] body) {
        return new PageResponse(200, Map.of("content-type", type, POLICY, OWN_POLICY), body, null, NOTHING);
    }

    static PageResponse of(String type, String body) {
        return of(type, body.getBytes(StandardCharsets.UTF_8));
    }

    /** Makes one of a file of a run's folder. */
    static PageResponse stored(String type, Path file) {
        return new PageResponse(200, Map.of("content-type", type, POLICY, STORED_POLICY), EMPTY, file, NOTHING);
    }

    static PageResponse plain(int status, String line) {
        return new PageResponse(
                status,
                Map.of("content-type", "text/plain; charset=utf-8", POLICY, OWN_POLICY),
                (line + "\n").getBytes(StandardCharsets.UTF_8),
                null,
                NOTHING);
    }

    static PageResponse seeOther(String location) {
        return plain(303, location).with("location", location);
    }

    PageResponse with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new PageResponse(status, more, body, file, left);
    }

    /** @param then is done when all of it has left or its connection has ended */
    PageResponse whenLeft(Runnable then) {
        return new PageResponse(status, headers, body, file, then);
    }
}
