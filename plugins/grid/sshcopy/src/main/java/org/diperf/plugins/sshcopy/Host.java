package org.diperf.plugins.sshcopy;

import java.net.URI;
import java.util.Locale;
import org.diperf.core.spi.Parameters;

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
    static Host of(String scheme, URI uri, Parameters with) {
        if (!scheme.equals(String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT))
                || uri.getHost() == null
                || uri.getPort() == 0
                || uri.getPort() > 65_535) {
            throw new IllegalArgumentException(
                    "target: expected " + scheme + "://USER@HOST:PORT/PATH, got '" + uri + "'");
        }
        String given = uri.getUserInfo() != null
                ? uri.getUserInfo()
                : with.has("user") ? with.string("user") : System.getProperty("user.name");
        if (given.isEmpty() || given.indexOf(':') >= 0) {
            throw new IllegalArgumentException(
                    "target: expected just a user name before the @, got a password or nothing; use a key instead");
        }
        return new Host(
                given,
                uri.getHost().replaceAll("^\\[|]$", ""),
                uri.getPort() > 0 ? uri.getPort() : DEFAULT_PORT,
                uri.getPath() == null || uri.getPath().equals("/") ? "" : uri.getPath());
    }

    /** Resolves a path: from the root, or next to the target's file. */
    String resolve(String given) {
        return given.isEmpty()
                ? path
                : given.startsWith("/") ? given : path.substring(0, path.lastIndexOf('/') + 1) + given;
    }
}
