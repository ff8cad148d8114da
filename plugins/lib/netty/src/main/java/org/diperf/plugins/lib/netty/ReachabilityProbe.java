package org.diperf.plugins.lib.netty;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Finds out whether a server can be reached. */
public final class ReachabilityProbe {

    private ReachabilityProbe() {}

    /**
     * Connects to the first address that lets it, and hangs up.
     *
     * @param addresses of one server, tried in their order
     * @param timeout for all of them together
     * @throws IOException when none can be reached; names the server
     */
    public static void any(String host, int port, InetSocketAddress[] addresses, Duration timeout) throws IOException {
        int millis = (int) Math.max(1, Math.min(Integer.MAX_VALUE, timeout.toMillis() / Math.max(1, addresses.length)));
        @Nullable IOException failure = null;
        for (InetSocketAddress address : addresses) {
            try (Socket socket = new Socket()) {
                socket.connect(address, millis);
                return;
            } catch (IOException e) {
                failure = e;
            }
        }
        throw new IOException(
                host + ":" + port + " cannot be reached: "
                        + (failure == null ? "it has no address" : failure.getMessage()),
                failure);
    }
}
