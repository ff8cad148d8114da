package org.diperf.plugins.grpc;

import java.net.URI;
import java.util.Locale;
import org.diperf.plugins.lib.netty.TargetAddress;

/**
 * A service.
 *
 * @param tls whether connections are encrypted
 * @param server host and port
 * @param isStandIn whether it is the plugin's own, which describes no methods
 */
record GrpcTarget(boolean tls, TargetAddress server, boolean isStandIn) {

    /** Marks the plugin's own stand-in. */
    static final String STAND_IN = "stand-in";

    private static final String EXPECTED = "grpc://HOST:PORT or grpcs://HOST:PORT";

    /**
     * @throws IllegalArgumentException when it is not the address of a service of gRPC
     */
    static GrpcTarget of(URI uri) {
        String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        boolean tls = scheme.equals("grpcs");
        if (!tls && !scheme.equals("grpc")) {
            throw new IllegalArgumentException("target: expected " + EXPECTED + ", got '" + uri + "'");
        }
        return new GrpcTarget(tls, TargetAddress.of(uri, 0, EXPECTED), STAND_IN.equals(uri.getQuery()));
    }

    String scheme() {
        return tls ? "https" : "http";
    }

    String authority() {
        return server.toString();
    }
}
