package org.diperf.plugins.lib.http2;

import java.net.InetSocketAddress;
import org.diperf.plugins.lib.netty.Addresses;
import org.diperf.plugins.lib.netty.Security;
import org.jspecify.annotations.Nullable;

/**
 * A server, and how clients connect to it. Two are the same only if they are one object.
 *
 * @param tls secures a connection and offers {@code h2} by ALPN; {@code null}: without TLS, as the server is known to speak HTTP/2
 * @param source local address; {@code null}: the kernel's choice
 * @param seats clients that share a connection, at least 1
 * @param timeoutNanos of a call, of which each address has its share
 */
public record Http2Peer(
        Addresses addresses,
        @Nullable Security tls,
        @Nullable InetSocketAddress source,
        int seats,
        long timeoutNanos) {}
