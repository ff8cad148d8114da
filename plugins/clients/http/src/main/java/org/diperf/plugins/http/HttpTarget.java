package org.diperf.plugins.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Locale;
import org.diperf.plugins.lib.netty.Addresses;
import org.jspecify.annotations.Nullable;

/**
 * Where requests go.
 *
 * @param tls whether the connection is encrypted
 * @param host a name or an address; an IPv6 one without brackets
 * @param port from 1 to 65,535
 * @param path with the query, as it stands on the request line
 */
record HttpTarget(boolean tls, String host, int port, String path) {

    /**
     * @throws IllegalArgumentException when it is not a URL of HTTP
     */
    static HttpTarget of(URI uri) {
        String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        boolean tls = scheme.equals("https");
        String host = uri.getHost();
        if (host == null || (!tls && !scheme.equals("http")) || uri.getPort() == 0 || uri.getPort() > 65_535) {
            throw new IllegalArgumentException(
                    "target: expected http://host:port/path or https://host:port/path, got '" + uri + "'");
        }
        int port = uri.getPort() > 0 ? uri.getPort() : tls ? 443 : 80;
        String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        return new HttpTarget(
                tls,
                host.replaceAll("^\\[|]$", ""),
                port,
                uri.getRawQuery() == null ? path : path + "?" + uri.getRawQuery());
    }

    /**
     * @throws IllegalArgumentException when it is not the URL of a plain HTTP proxy
     */
    static HttpTarget proxy(String url) {
        try {
            HttpTarget proxy = of(URI.create(url));
            if (!proxy.tls) {
                return proxy;
            }
        } catch (IllegalArgumentException notAUrl) {
            // said below
        }
        throw new IllegalArgumentException("proxy: expected http://host:port, got '" + url + "'");
    }

    /** Returns host and port as they stand in a Host header. */
    String authority() {
        return hostInUrl() + (port == (tls ? 443 : 80) ? "" : ":" + port);
    }

    /** Returns host and port as CONNECT wants them: always with the port. */
    String hostAndPort() {
        return hostInUrl() + ":" + port;
    }

    private String hostInUrl() {
        return host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    }

    /** Returns the whole URL. */
    String url() {
        return (tls ? "https://" : "http://") + authority() + path;
    }

    /** Names scheme, host and port. */
    String origin() {
        return (tls ? "https://" : "http://") + hostAndPort().toLowerCase(Locale.ROOT);
    }

    /** Returns another place on the same server. */
    HttpTarget at(String otherPath) {
        return new HttpTarget(tls, host, port, otherPath);
    }

    /** Returns whether scheme, host and port are the same. */
    boolean isSameOrigin(HttpTarget other) {
        return tls == other.tls && port == other.port && host.equalsIgnoreCase(other.host);
    }

    /** Resolves a path of this target: from the root, a new query, or beside the target's own last part. */
    String resolve(@Nullable String relative) {
        if (relative == null || relative.isEmpty()) {
            return path;
        }
        String base = path.indexOf('?') < 0 ? path : path.substring(0, path.indexOf('?'));
        return switch (relative.charAt(0)) {
            case '/' -> relative;
            case '?' -> base + relative;
            default -> base.substring(0, base.lastIndexOf('/') + 1) + relative;
        };
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
