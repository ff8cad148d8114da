package org.diperf.plugins.mds;

import java.util.Arrays;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.netty.HttpTarget;
import org.diperf.plugins.lib.netty.TargetAddress;

/**
 * Where queries go.
 *
 * @param scheme how
 * @param at host and port
 * @param path of LDAP the base's DN, decoded; of HTTP what stands on the request line
 */
record Server(Scheme scheme, TargetAddress at, String path) {

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

    private static final String LDAP_TARGETS = "ldap://HOST:PORT/BASE or ldaps://HOST:PORT/BASE";
    private static final String HTTP_TARGETS = "http://HOST:PORT/PATH or https://HOST:PORT/PATH";

    /**
     * Reads the target of a client that speaks HTTP alone.
     *
     * @throws IllegalArgumentException when it is none
     */
    static Server ofHttp(Url uri) {
        Server known = of(uri, HTTP_TARGETS);
        if (known.isLdap()) {
            throw new IllegalArgumentException(
                    "target: expected " + HTTP_TARGETS + ", got '" + uri + "'; set client.plugin: ldap");
        }
        return known;
    }

    /**
     * Reads the target of a client that speaks LDAP alone.
     *
     * @throws IllegalArgumentException when it is none
     */
    static Server ofLdap(Url uri) {
        Server known = of(uri, LDAP_TARGETS);
        if (!known.isLdap()) {
            throw new IllegalArgumentException(
                    "target: expected " + LDAP_TARGETS + ", got '" + uri + "'; set client.plugin: wsrf");
        }
        return known;
    }

    /**
     * @throws IllegalArgumentException when it is none of these
     */
    static Server of(Url uri) {
        return of(uri, "ldap://HOST:PORT/BASE, ldaps://HOST:PORT/BASE, " + HTTP_TARGETS);
    }

    private static Server of(Url uri, String expected) {
        Scheme scheme = Arrays.stream(Scheme.values())
                .filter(known -> known.name().equalsIgnoreCase(uri.scheme()))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("target: expected " + expected + ", got '" + uri + "'"));
        TargetAddress at = TargetAddress.of(uri, scheme.port, expected);
        if (scheme == Scheme.HTTP || scheme == Scheme.HTTPS) {
            return new Server(scheme, at, HttpTarget.of(uri).path());
        }
        if (uri.query() != null) {
            throw new IllegalArgumentException("target: expected ldap://HOST:PORT/BASE, got '" + uri
                    + "'; set attributes, scope and filter in client.with");
        }
        return new Server(scheme, at, Url.decoded(uri.path()).replaceFirst("^/", ""));
    }

    boolean isLdap() {
        return scheme == Scheme.LDAP || scheme == Scheme.LDAPS;
    }

    /** Returns whether the connection is encrypted from its beginning. */
    boolean isSecure() {
        return scheme == Scheme.LDAPS || scheme == Scheme.HTTPS;
    }

    /** Returns it as a target of HTTP. */
    HttpTarget http() {
        return new HttpTarget(isSecure(), at, path, "");
    }
}
