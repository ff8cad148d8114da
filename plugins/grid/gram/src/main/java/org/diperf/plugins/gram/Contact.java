package org.diperf.plugins.gram;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import org.diperf.plugins.lib.netty.Addresses;
import org.jspecify.annotations.Nullable;

/**
 * Where jobs are submitted: a gatekeeper and one of its services.
 *
 * @param host a name or an address; an IPv6 one without brackets
 * @param port from 1 to 65,535
 * @param service such as {@code jobmanager-fork}, perhaps with {@code @} and an account
 * @param subject whom the gatekeeper must be, {@code null} where its certificate must name the host
 */
record Contact(
        String host, int port, String service, @Nullable String subject) {

    private static final int GATEKEEPER_PORT = 2119;
    private static final String WANTED =
            "target: expected gram://HOST:PORT/SERVICE or gram://HOST:PORT/SERVICE:SUBJECT,"
                    + " such as gram://localhost:2119/jobmanager-fork, got '";

    /**
     * @throws IllegalArgumentException when it is none
     */
    static Contact of(URI uri) {
        String path = uri.getPath() == null ? "" : uri.getPath().replaceFirst("^/", "");
        int colon = path.indexOf(':');
        String service = colon < 0 ? path : path.substring(0, colon);
        String subject = colon < 0 ? null : path.substring(colon + 1);
        boolean wellFormed = "gram".equals(uri.getScheme())
                && uri.getHost() != null
                && uri.getPort() != 0
                && uri.getPort() <= 65_535
                && uri.getRawQuery() == null
                && service.matches("[!-~&&[^@]]*(@[!-~&&[^@]]+)?")
                && (subject == null || subject.startsWith("/"));
        if (!wellFormed) {
            throw new IllegalArgumentException(WANTED + uri + "'");
        }
        return new Contact(
                uri.getHost().replaceAll("^\\[|]$", ""),
                uri.getPort() > 0 ? uri.getPort() : GATEKEEPER_PORT,
                service.isEmpty() ? "jobmanager" : service,
                subject);
    }

    /**
     * Finds its addresses.
     *
     * @return at least one
     */
    InetSocketAddress[] resolve() throws IOException {
        return Addresses.of(host, port);
    }

    /** Writes it as Globus' tools take it. */
    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host)
                + ':'
                + port
                + '/'
                + service
                + (subject == null ? "" : ":" + subject);
    }
}
