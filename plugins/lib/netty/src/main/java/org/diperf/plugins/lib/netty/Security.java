package org.diperf.plugins.lib.netty;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import org.diperf.core.spi.Failure;

/** How the connections of a client to a server are secured. Immutable; equal ones may share a connection. */
public interface Security {

    /**
     * Makes the client's side of a handshake that has no time limit of its own. To be called on the connection's event loop.
     *
     * @throws IOException when there is no credential for it
     */
    SslHandler handler(ByteBufAllocator alloc) throws IOException;

    /** Says why a handshake failed; the connection's own failures included. */
    default Failure handshakeFailure(Throwable cause) {
        return Failures.handshake(cause);
    }
}
