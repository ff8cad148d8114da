package org.diperf.plugins.http;

import org.diperf.core.spi.Parameters;

/**
 * What one of the experiment's requests is to be, and how its answer is judged, whatever the version of HTTP. Immutable, and shared by all
 * clients.
 *
 * @param method its method
 * @param expected statuses that are success
 * @param keep whether the connection is kept for the next call
 * @param head whether the answer has no body
 * @param cookies whether the client's cookies go with it, and how long these last
 * @param follow how many redirects are followed
 * @param compressed whether the answer's body is unpacked though nobody reads it
 */
record Exchange(
        String method, Statuses expected, boolean keep, boolean head, Cookies cookies, int follow, boolean compressed) {

    /** How long a client's cookies last. */
    enum Cookies {
        /** It has none. */
        NONE,
        /** As long as the client. */
        CLIENT,
        /** For an iteration: each begins without any. */
        ITERATION;

        static Cookies of(Parameters with) {
            return switch (with.string("cookies")) {
                case "true" -> CLIENT;
                case "per-iteration" -> ITERATION;
                default -> NONE;
            };
        }
    }

    /** @param with the request's parameters */
    static Exchange of(Parameters with) {
        return new Exchange(
                with.string("method"),
                new Statuses(with.texts("expect")),
                with.string("connection").equals("keep") && !closes(with),
                with.string("method").equals("HEAD"),
                Cookies.of(with),
                (int) with.integer("follow"),
                with.bool("compressed"));
    }

    /** Returns whether the request itself says that nothing follows it on its connection (RFC 9112, section 9.6). */
    private static boolean closes(Parameters with) {
        return !HttpPlugin.isVersion2(with)
                && with.textMap("headers").entrySet().stream()
                        .anyMatch(field -> field.getKey().equalsIgnoreCase("Connection")
                                && field.getValue().toString().matches("(?i)(.*,)?\\s*close\\s*(,.*)?"));
    }

    /** Returns whether a call may be more than its one request as it stands. */
    boolean browses() {
        return follow > 0 || cookies != Cookies.NONE;
    }

    /** Returns whether more of an answer is read than its status and its size. */
    boolean readsAnswer() {
        return compressed || browses();
    }
}
