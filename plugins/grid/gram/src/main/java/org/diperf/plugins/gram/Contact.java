package org.diperf.plugins.gram;

import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.netty.TargetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Where jobs are submitted: a gatekeeper and one of its services.
 *
 * @param server host and port
 * @param service such as {@code jobmanager-fork}, perhaps with {@code @} and an account
 * @param subject whom the gatekeeper must be, {@code null} where its certificate must name the host
 */
record Contact(
        TargetAddress server, String service, @Nullable String subject) {

    private static final int GATEKEEPER_PORT = 2119;
    private static final String EXPECTED = "gram://HOST:PORT/SERVICE or gram://HOST:PORT/SERVICE:SUBJECT,"
            + " such as gram://localhost:2119/jobmanager-fork";

    /**
     * @throws IllegalArgumentException when it is none
     */
    static Contact of(Url uri) {
        String path = Url.decoded(uri.path()).replaceFirst("^/", "");
        int colon = path.indexOf(':');
        String service = colon < 0 ? path : path.substring(0, colon);
        String subject = colon < 0 ? null : path.substring(colon + 1);
        boolean wellFormed = "gram".equals(uri.scheme())
                && uri.query() == null
                && service.matches("[!-~&&[^@]]*(@[!-~&&[^@]]+)?")
                && (subject == null || subject.startsWith("/"));
        if (!wellFormed) {
            throw new IllegalArgumentException("target: expected " + EXPECTED + ", got '" + uri + "'");
        }
        return new Contact(
                TargetAddress.of(uri, GATEKEEPER_PORT, EXPECTED), service.isEmpty() ? "jobmanager" : service, subject);
    }

    /** Writes it as Globus' tools take it. */
    @Override
    public String toString() {
        return server + "/" + service + (subject == null ? "" : ":" + subject);
    }
}
