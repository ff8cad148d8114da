package org.diperf.plugins.grpc;

import java.net.URI;
import java.util.Locale;

/**
 * A service.
 *
 * @param tls whether connections are encrypted
 * @param host a name or an address; an IPv6 one without brackets
 * @param port from 1 to 65,535
 * @param isStandIn whether it is the plugin's own, which describes no methods
 */
record GrpcTarget(boolean tls, String host, int port, boolean isStandIn) {

    /** Marks the plugin's own stand-in. */
    static final String STAND_IN = "stand-in";

    /**
     * @throws IllegalArgumentException when it is not the address of a service of gRPC
     */
    static GrpcTarget of(URI uri) {
        String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        boolean tls = scheme.equals("grpcs");
        String host = uri.getHost();
        if (host == null || (!tls && !scheme.equals("grpc")) || uri.getPort() < 1 || uri.getPort() > 65_535) {
            throw new IllegalArgumentException(
                    "target: expected grpc://host:port or grpcs://host:port, got '" + uri + "'");
        }
        return new GrpcTarget(tls, host.replaceAll("^\\[|]$", ""), uri.getPort(), STAND_IN.equals(uri.getQuery()));
    }

    String scheme() {
        return tls ? "https" : "http";
    }

    String authority() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
