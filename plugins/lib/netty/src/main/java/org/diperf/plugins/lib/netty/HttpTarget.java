package org.diperf.plugins.lib.netty;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import org.diperf.core.spi.Url;
import org.jspecify.annotations.Nullable;

/**
 * Where requests go.
 *
 * @param tls whether the connection is encrypted
 * @param server host and port
 * @param path with the query, as it stands on the request line
 * @param authorization value of the header field that says who asks (RFC 7617), a secret; empty: nobody does
 */
public record HttpTarget(boolean tls, TargetAddress server, String path, String authorization) {

    private static final String EXPECTED = "http://HOST:PORT/PATH or https://HOST:PORT/PATH";

    /**
     * @throws IllegalArgumentException when it is not a URL of HTTP
     */
    public static HttpTarget of(Url url) {
        boolean tls = url.scheme().equals("https");
        if (!tls && !url.scheme().equals("http")) {
            throw new IllegalArgumentException("target: expected " + EXPECTED + ", got '" + url + "'");
        }
        return new HttpTarget(
                tls, TargetAddress.ofServer(url, defaultPort(tls), EXPECTED), url.pathAndQuery(), authorization(url));
    }

    private static String authorization(Url url) {
        String password = url.password();
        if (url.user().isEmpty() && password == null) {
            return "";
        }
        String pair = url.user() + ":" + (password == null ? "" : password);
        return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }

    private static int defaultPort(boolean tls) {
        return tls ? 443 : 80;
    }

    /**
     * @throws IllegalArgumentException when it is not the URL of a plain HTTP proxy
     */
    public static HttpTarget proxy(String url) {
        Url read = Url.of(url);
        if (!read.scheme().equals("http")) {
            throw new IllegalArgumentException("proxy: expected http://HOST:PORT, got '" + read + "'");
        }
        return of(read);
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
        return new HttpTarget(tls, server, otherPath, authorization);
    }

    /** Returns the same place, asked by whom another is asked by where that is on the same server and this one names nobody. */
    public HttpTarget authorizedAs(HttpTarget other) {
        return authorization.isEmpty() && isSameOrigin(other)
                ? new HttpTarget(tls, server, path, other.authorization)
                : this;
    }

    /** Returns whether scheme, host and port are the same. */
    public boolean isSameOrigin(HttpTarget other) {
        return origin().equals(other.origin());
    }

    /** Resolves a path of this target: from the root, a new query, or next to the target's own last part; a fragment is left out. */
    public String resolve(@Nullable String relative) {
        if (relative == null || relative.isEmpty()) {
            return path;
        }
        int fragment = relative.indexOf('#');
        String given = fragment < 0 ? relative : relative.substring(0, fragment);
        if (given.isEmpty()) {
            return path;
        }
        String base = path.indexOf('?') < 0 ? path : path.substring(0, path.indexOf('?'));
        return switch (given.charAt(0)) {
            case '/' -> given;
            case '?' -> base + given;
            default -> base.substring(0, base.lastIndexOf('/') + 1) + given;
        };
    }

    /** Returns {@link #url}, without who asks. */
    @Override
    public String toString() {
        return url();
    }
}
