package org.diperf.plugins.lib.netty;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** Looks up where a target's host is. */
public final class Addresses {

    private Addresses() {}

    /**
     * Finds all addresses of a host, which are tried in their order.
     *
     * @param host a name or an address; an IPv6 one without brackets
     * @return at least one
     * @throws IOException when nobody knows the name
     */
    public static InetSocketAddress[] of(String host, int port) throws IOException {
        try {
            InetAddress[] found = InetAddress.getAllByName(host);
            InetSocketAddress[] addresses = new InetSocketAddress[found.length];
            for (int i = 0; i < found.length; i++) {
                addresses[i] = new InetSocketAddress(found[i], port);
            }
            return addresses;
        } catch (UnknownHostException e) {
            throw new IOException(
                    "unknown host '" + host + "'; correct the target, or add the name to this machine's resolver", e);
        }
    }
}
