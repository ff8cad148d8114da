package org.diperf.plugins.grpc;

import org.diperf.core.spi.Url;
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
    static GrpcTarget of(Url url) {
        boolean tls = url.scheme().equals("grpcs");
        if (!tls && !url.scheme().equals("grpc")) {
            throw new IllegalArgumentException("target: expected " + EXPECTED + ", got '" + url + "'");
        }
        return new GrpcTarget(tls, TargetAddress.of(url, 0, EXPECTED), STAND_IN.equals(url.query()));
    }

    String scheme() {
        return tls ? "https" : "http";
    }

    String authority() {
        return server.toString();
    }
}
