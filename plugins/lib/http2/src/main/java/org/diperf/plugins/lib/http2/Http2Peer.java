package org.diperf.plugins.lib.http2;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A server, and how clients connect to it. Two are the same only if they are one object.
 *
 * @param addresses at least one, tried in their order
 * @param tls makes what secures a connection and offers {@code h2} by ALPN; {@code null}: without TLS, as the server is known to speak HTTP/2
 * @param source local address; {@code null}: the kernel's choice
 * @param seats clients that share a connection, at least 1
 */
@SuppressWarnings("ArrayRecordComponent")
public record Http2Peer(
        InetSocketAddress[] addresses,
        @Nullable Function<ByteBufAllocator, SslHandler> tls,
        @Nullable InetSocketAddress source,
        int seats) {}
