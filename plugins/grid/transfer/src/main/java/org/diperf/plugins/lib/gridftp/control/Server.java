package org.diperf.plugins.lib.gridftp.control;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.diperf.core.spi.Url;

/**
 * A server, as its URL names it.
 *
 * @param address unresolved where nobody has looked yet
 * @param secure whether it wants GSI
 * @param path from the root, not empty
 * @param user and password from the URL, empty where it has none
 */
public record Server(InetSocketAddress address, boolean secure, String path, String user, String password) {

    private static final int FTP_PORT = 21;
    private static final int GRID_PORT = 2811;

    /**
     * Reads a URL.
     *
     * @throws IllegalArgumentException when it has no host, or another scheme
     */
    public static Server of(Url url, String name) {
        String scheme = url.scheme();
        boolean secure = scheme.equals("gsiftp");
        if (url.host() == null || !(secure || scheme.equals("ftp") || scheme.equals("gridftp"))) {
            throw new IllegalArgumentException(
                    name + ": expected ftp://HOST:PORT/PATH or gsiftp://HOST:PORT/PATH, got '" + url + "'");
        }
        int port = url.port() > 0 ? url.port() : scheme.equals("ftp") ? FTP_PORT : GRID_PORT;
        String login = url.user();
        String password = url.password() == null ? "" : url.password();
        String path = url.path().isEmpty() ? "/" : Url.decoded(url.path());
        if (path.matches("(?s).*[\\r\\n\\x00].*") || (login + password).matches("(?s).*[\\r\\n\\x00].*")) {
            throw new IllegalArgumentException(name + ": expected a path on one line, got one with control characters");
        }
        return new Server(InetSocketAddress.createUnresolved(url.host(), port), secure, path, login, password);
    }

    public Server resolved() throws IOException {
        InetSocketAddress found = new InetSocketAddress(address.getHostString(), address.getPort());
        if (found.isUnresolved()) {
            throw new UnknownHostException("target: expected a host that can be resolved, got '"
                    + address.getHostString() + "'; correct the target, or make the name resolvable on this machine");
        }
        return new Server(found, secure, path, user, password);
    }

    /** Returns host and port as they stand in a URL. */
    public String hostAndPort() {
        String host = address.getHostString();
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
    }

    /** Resolves a path: none is this one; from the root; or next to this one's own last part. */
    public String resolve(String other) {
        if (other.isEmpty()) {
            return path;
        }
        return other.startsWith("/") ? other : path.substring(0, path.lastIndexOf('/') + 1) + other;
    }
}
