package org.diperf.plugins.srm;

import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.netty.TargetAddress;

/**
 * Where a manager is, and the file that the target names.
 *
 * @param transport how it is spoken to
 * @param server host and port
 * @param endpoint path of the service, for the request line
 * @param path of the file, from the root
 */
record SrmTarget(Transport transport, TargetAddress server, String endpoint, String path) {

    static final String ENDPOINT = "/srm/managerv2";
    private static final String FILE_NAME = "SFN=";
    private static final String EXPECTED =
            "srm://HOST:PORT/PATH, or httpg://, https:// or http://HOST:PORT/ENDPOINT?SFN=/PATH";

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
    static SrmTarget of(Url url) {
        String scheme = url.scheme();
        Transport transport = switch (scheme) {
            case "srm", "httpg" -> Transport.HTTPG;
            case "https" -> Transport.HTTPS;
            case "http" -> Transport.HTTP;
            default -> null;
        };
        if (transport == null) {
            throw new IllegalArgumentException("target: expected " + EXPECTED + ", got '" + url + "'");
        }
        TargetAddress server = TargetAddress.of(url, transport.port, EXPECTED);
        String path = url.path().isEmpty() ? "/" : Url.decoded(url.path());
        String query = url.query() == null ? null : Url.decoded(url.query());
        boolean named = query != null && query.startsWith(FILE_NAME);
        if (query != null && !named) {
            throw new IllegalArgumentException(
                    "target: expected the file's path after ?SFN=, got '?" + query + "' in '" + url + "'");
        }
        boolean whole = named || !scheme.equals("srm");
        return new SrmTarget(
                transport,
                server,
                whole && !path.equals("/") ? path : ENDPOINT,
                query != null ? query.substring(FILE_NAME.length()) : whole ? "/" : path);
    }

    boolean isSecure() {
        return transport != Transport.HTTP;
    }

    /** Names a file by the SURL that is given, or by a path as {@link #surl} does. */
    String surlOrOther(String given) {
        return given.startsWith("srm://") ? given : surl(given);
    }

    /** Names a file by its SURL: none is the target's; from the root; or next to the target's. */
    String surl(String other) {
        String file = other.isEmpty()
                ? path
                : other.startsWith("/") ? other : path.substring(0, path.lastIndexOf('/') + 1) + other;
        return "srm://" + server.hostInUrl() + (file.startsWith("/") ? "" : "/") + file;
    }
}
