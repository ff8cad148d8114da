package org.diperf.plugins.srm;

import java.net.URI;
import java.util.Locale;

/**
 * Where a manager is, and the file that the target names.
 *
 * @param transport how it is spoken to
 * @param host a name or an address
 * @param port from 1 to 65,535
 * @param endpoint path of the service, for the request line
 * @param path of the file, from the root
 */
record SrmTarget(Transport transport, String host, int port, String endpoint, String path) {

    static final String ENDPOINT = "/srm/managerv2";
    private static final String FILE_NAME = "SFN=";

    /** How messages are carried. */
    enum Transport {
        /** TLS with GSI's proxies, then a byte that says whether a credential follows, then HTTP. */
        HTTPG(8443),
        /** TLS with GSI's proxies, then HTTP. */
        HTTPS(8443),
        HTTP(8080);

        private final int port;

        Transport(int port) {
            this.port = port;
        }
    }

    /**
     * Reads a URL: {@code srm://HOST:PORT/PATH}, {@code srm://HOST:PORT/ENDPOINT?SFN=/PATH}, or the latter with another scheme.
     *
     * @throws IllegalArgumentException when it is none of these
     */
    static SrmTarget of(URI url) {
        String scheme = String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
        Transport transport = switch (scheme) {
            case "srm", "httpg" -> Transport.HTTPG;
            case "https" -> Transport.HTTPS;
            case "http" -> Transport.HTTP;
            default -> null;
        };
        if (transport == null || url.getHost() == null || url.getPort() == 0 || url.getPort() > 65_535) {
            throw new IllegalArgumentException("target: expected srm://HOST:PORT/PATH, or httpg://, https:// or"
                    + " http://HOST:PORT/ENDPOINT?SFN=/PATH, got '" + url + "'");
        }
        String path = url.getPath() == null || url.getPath().isEmpty() ? "/" : url.getPath();
        String query = url.getQuery();
        boolean named = query != null && query.startsWith(FILE_NAME);
        if (query != null && !named) {
            throw new IllegalArgumentException(
                    "target: expected the file's path after ?SFN=, got '?" + query + "' in '" + url + "'");
        }
        boolean whole = named || !scheme.equals("srm");
        return new SrmTarget(
                transport,
                url.getHost().replaceAll("^\\[|]$", ""),
                url.getPort() > 0 ? url.getPort() : transport.port,
                whole && !path.equals("/") ? path : ENDPOINT,
                query != null ? query.substring(FILE_NAME.length()) : whole ? "/" : path);
    }

    boolean isSecure() {
        return transport != Transport.HTTP;
    }

    /** Returns host and port as they stand in a Host header. */
    String authority() {
        return bracketed() + ":" + port;
    }

    private String bracketed() {
        return host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    }

    /** Names a file by its SURL: none is the target's; from the root; or beside the target's. */
    String surl(String other) {
        String file = other.isEmpty()
                ? path
                : other.startsWith("/") ? other : path.substring(0, path.lastIndexOf('/') + 1) + other;
        return "srm://" + bracketed() + (file.startsWith("/") ? "" : "/") + file;
    }
}
