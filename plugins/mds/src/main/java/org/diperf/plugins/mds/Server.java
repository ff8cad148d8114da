package org.diperf.plugins.mds;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Locale;
import org.diperf.plugins.lib.netty.Addresses;

/**
 * Where queries go.
 *
 * @param scheme how
 * @param host a name or an address; an IPv6 one without brackets
 * @param port from 1 to 65,535
 * @param path of LDAP the base's DN, decoded; of HTTP what stands on the request line
 */
record Server(Scheme scheme, String host, int port, String path) {

    /** The schemes of targets. */
    enum Scheme {
        LDAP(389),
        LDAPS(636),
        HTTP(80),
        HTTPS(443);

        private final int port;

        Scheme(int port) {
            this.port = port;
        }
    }

    /**
     * @throws IllegalArgumentException when it is none of these
     */
    static Server of(URI uri) {
        String given = String.valueOf(uri.getScheme()).toUpperCase(Locale.ROOT);
        for (Scheme scheme : Scheme.values()) {
            if (scheme.name().equals(given) && uri.getHost() != null && uri.getPort() != 0 && uri.getPort() <= 65_535) {
                return of(scheme, uri);
            }
        }
        throw new IllegalArgumentException("target: wanted ldap://HOST:PORT/BASE, ldaps://HOST:PORT/BASE,"
                + " http://HOST:PORT/PATH or https://HOST:PORT/PATH, found '" + uri + "'");
    }

    private static Server of(Scheme scheme, URI uri) {
        boolean ldap = scheme == Scheme.LDAP || scheme == Scheme.LDAPS;
        if (ldap && uri.getRawQuery() != null) {
            throw new IllegalArgumentException("target: wanted ldap://HOST:PORT/BASE, found '" + uri
                    + "'; give attributes, scope and filter in client.with");
        }
        String path = String.valueOf(uri.getRawPath());
        if (ldap) {
            path = uri.getPath() == null ? "" : uri.getPath().replaceFirst("^/", "");
        } else if (uri.getRawPath() == null || path.isEmpty()) {
            path = "/";
        }
        return new Server(
                scheme,
                uri.getHost().replaceAll("^\\[|]$", ""),
                uri.getPort() > 0 ? uri.getPort() : scheme.port,
                !ldap && uri.getRawQuery() != null ? path + "?" + uri.getRawQuery() : path);
    }

    boolean isLdap() {
        return scheme == Scheme.LDAP || scheme == Scheme.LDAPS;
    }

    /** Returns whether the connection is encrypted from its beginning. */
    boolean isSecure() {
        return scheme == Scheme.LDAPS || scheme == Scheme.HTTPS;
    }

    /** Returns host and port as they stand in a Host header. */
    String authority() {
        String name = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
        return port == scheme.port ? name : name + ":" + port;
    }

    /**
     * Finds its addresses.
     *
     * @return at least one
     */
    InetSocketAddress[] resolve() throws IOException {
        return Addresses.of(host, port);
    }
}
