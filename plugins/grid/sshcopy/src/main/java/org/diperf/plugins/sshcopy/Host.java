package org.diperf.plugins.sshcopy;

import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Url;

/**
 * Where to log in, as whom, and what is copied there.
 *
 * @param user name there
 * @param name of the host, or address; an IPv6 one without brackets
 * @param port from 1 to 65,535
 * @param path of the file, from the root; empty where the target names none
 */
record Host(String user, String name, int port, String path) {

    private static final int DEFAULT_PORT = 22;

    /**
     * @throws IllegalArgumentException when it is not a URL of this scheme
     */
    static Host of(String scheme, Url uri, Parameters with) {
        if (!scheme.equals(uri.scheme()) || uri.host() == null || uri.port() == 0) {
            throw new IllegalArgumentException(
                    "target: expected " + scheme + "://USER@HOST:PORT/PATH, got '" + uri + "'");
        }
        String given = !uri.user().isEmpty()
                ? uri.user()
                : with.has("user") ? with.string("user") : System.getProperty("user.name");
        if (uri.password() != null || given.isEmpty() || given.indexOf(':') >= 0) {
            throw new IllegalArgumentException(
                    "target: expected just a user name before the @, got a password or nothing; use a key instead");
        }
        return new Host(
                given,
                uri.host(),
                uri.port() > 0 ? uri.port() : DEFAULT_PORT,
                uri.path().equals("/") ? "" : Url.decoded(uri.path()));
    }

    /** Resolves a path: from the root, or next to the target's file. */
    String resolve(String given) {
        return given.isEmpty()
                ? path
                : given.startsWith("/") ? given : path.substring(0, path.lastIndexOf('/') + 1) + given;
    }
}
