package org.diperf.plugins.mds;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Locale;
import org.diperf.plugins.lib.netty.Addresses;
import org.jspecify.annotations.Nullable;

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

    private static final String HTTP_TARGETS = "http://HOST:PORT/PATH or https://HOST:PORT/PATH";

    /**
     * Reads the target of a client that speaks HTTP alone.
     *
     * @param advice what to do about a target of LDAP
     * @throws IllegalArgumentException when it is none
     */
    static Server ofHttp(URI uri, String advice) {
        Server known = known(uri);
        if (known != null && !known.isLdap()) {
            return known;
        }
        throw new IllegalArgumentException(
                "target: expected " + HTTP_TARGETS + ", got '" + uri + "'" + (known == null ? "" : "; " + advice));
    }

    /**
     * Reads the target of a client that speaks LDAP alone.
     *
     * @throws IllegalArgumentException when it is none
     */
    static Server ofLdap(URI uri) {
        Server known = known(uri);
        if (known != null && known.isLdap()) {
            return known;
        }
        throw new IllegalArgumentException("target: expected ldap://HOST:PORT/BASE or ldaps://HOST:PORT/BASE, got '"
                + uri + "'" + (known == null ? "" : "; write client.plugin: wsrf"));
    }

    /**
     * @throws IllegalArgumentException when it is none of these
     */
    static Server of(URI uri) {
        Server known = known(uri);
        if (known == null) {
            throw new IllegalArgumentException("target: expected ldap://HOST:PORT/BASE, ldaps://HOST:PORT/BASE, "
                    + HTTP_TARGETS + ", got '" + uri + "'");
        }
        return known;
    }

    private static @Nullable Server known(URI uri) {
        String given = String.valueOf(uri.getScheme()).toUpperCase(Locale.ROOT);
        for (Scheme scheme : Scheme.values()) {
            if (scheme.name().equals(given) && uri.getHost() != null && uri.getPort() != 0 && uri.getPort() <= 65_535) {
                return of(scheme, uri);
            }
        }
        return null;
    }

    private static Server of(Scheme scheme, URI uri) {
        boolean ldap = scheme == Scheme.LDAP || scheme == Scheme.LDAPS;
        if (ldap && uri.getRawQuery() != null) {
            throw new IllegalArgumentException("target: expected ldap://HOST:PORT/BASE, got '" + uri
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
