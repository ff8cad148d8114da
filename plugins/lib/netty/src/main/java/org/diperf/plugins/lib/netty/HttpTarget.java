package org.diperf.plugins.lib.netty;

import java.util.Locale;
import org.diperf.core.spi.Url;
import org.jspecify.annotations.Nullable;

/**
 * Where requests go.
 *
 * @param tls whether the connection is encrypted
 * @param server host and port
 * @param path with the query, as it stands on the request line
 */
public record HttpTarget(boolean tls, TargetAddress server, String path) {

    private static final String EXPECTED = "http://HOST:PORT/PATH or https://HOST:PORT/PATH";

    /**
     * @throws IllegalArgumentException when it is not a URL of HTTP
     */
    public static HttpTarget of(Url url) {
        boolean tls = url.scheme().equals("https");
        if (!tls && !url.scheme().equals("http")) {
            throw new IllegalArgumentException("target: expected " + EXPECTED + ", got '" + url + "'");
        }
        return new HttpTarget(tls, TargetAddress.of(url, defaultPort(tls), EXPECTED), url.pathAndQuery());
    }

    private static int defaultPort(boolean tls) {
        return tls ? 443 : 80;
    }

    /**
     * @throws IllegalArgumentException when it is not the URL of a plain HTTP proxy
     */
    public static HttpTarget proxy(String url) {
        try {
            HttpTarget proxy = of(Url.of(url));
            if (!proxy.tls) {
                return proxy;
            }
        } catch (IllegalArgumentException notAUrl) {
            // said below
        }
        throw new IllegalArgumentException("proxy: expected http://HOST:PORT, got '" + url + "'");
    }

    /** Returns host and port as they stand in a Host header. */
    public String authority() {
        return server.port() == defaultPort(tls) ? server.hostInUrl() : server.toString();
    }

    /** Returns the whole URL. */
    public String url() {
        return (tls ? "https://" : "http://") + authority() + path;
    }

    /** Names scheme, host and port. */
    public String origin() {
        return (tls ? "https://" : "http://") + server.toString().toLowerCase(Locale.ROOT);
    }

    /** Returns another place on the same server. */
    public HttpTarget at(String otherPath) {
        return new HttpTarget(tls, server, otherPath);
    }

    /** Returns whether scheme, host and port are the same. */
    public boolean isSameOrigin(HttpTarget other) {
        return origin().equals(other.origin());
    }

    /** Resolves a path of this target: from the root, a new query, or next to the target's own last part. */
    public String resolve(@Nullable String relative) {
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
}
