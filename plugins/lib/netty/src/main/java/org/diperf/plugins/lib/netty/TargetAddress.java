package org.diperf.plugins.lib.netty;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.diperf.core.spi.Url;

/**
 * Host and port of a target.
 *
 * @param host a name or an address; an IPv6 one without brackets
 * @param port from 1 to 65,535
 */
public record TargetAddress(String host, int port) {

    /**
     * Reads host and port of a target.
     *
     * @param defaultPort where the target has none; 0: it must have one
     * @param expected form of the target, such as {@code tcp://HOST:PORT}
     * @throws IllegalArgumentException when it has no host or no usable port, or a user
     */
    public static TargetAddress of(Url target, int defaultPort, String expected) {
        if (!target.user().isEmpty() || target.password() != null) {
            throw new IllegalArgumentException("target: expected " + expected + ", got '" + target
                    + "' with a user, whom this client does not send; drop it");
        }
        return ofServer(target, defaultPort, expected);
    }

    /** Reads them where the caller sends the target's user and password. */
    static TargetAddress ofServer(Url target, int defaultPort, String expected) {
        int port = target.port() == -1 ? defaultPort : target.port();
        String host = target.host();
        if (host == null || port == 0) {
            throw new IllegalArgumentException("target: expected " + expected
                    + (target.port() == 0 ? " with a port from 1 to 65535" : "") + ", got '" + target + "'");
        }
        return new TargetAddress(host, port);
    }

    /** Returns whether the host is an address, and so has no name. */
    public boolean isAddress() {
        return host.indexOf(':') >= 0 || host.matches("[0-9.]+");
    }

    /** Returns the host as URLs have it: an IPv6 address in brackets. */
    public String hostInUrl() {
        return host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    }

    /** Returns the server for {@link org.diperf.core.spi.ClientPlugin#servers}. */
    public InetSocketAddress unresolved() {
        return InetSocketAddress.createUnresolved(host, port);
    }

    /**
     * Looks up the host.
     *
     * @throws IOException when the name is not known
     */
    public Addresses resolve() throws IOException {
        return Addresses.of(host, port);
    }

    /** Returns host and port as URLs have them. */
    @Override
    public String toString() {
        return hostInUrl() + ":" + port;
    }
}
