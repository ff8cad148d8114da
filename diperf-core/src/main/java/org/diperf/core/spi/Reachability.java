package org.diperf.core.spi;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Checks whether a server can be reached by TCP. */
final class Reachability {

    private Reachability() {}

    /** Ends a connection. */
    interface HangUp {
        void end(Socket socket) throws IOException;
    }

    /**
     * Connects to the first address that lets it, and hangs up.
     *
     * @param server not looked up
     * @param timeout for all addresses together
     * @param hangUp ends the connection
     * @throws IOException when none can be reached; names the server
     */
    static void check(InetSocketAddress server, Duration timeout, HangUp hangUp) throws IOException {
        String host = server.getHostString();
        String name = (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + server.getPort();
        @Nullable IOException failure = null;
        try {
            InetAddress[] addresses = InetAddress.getAllByName(host);
            int millis = (int) Math.max(1, Math.min(Integer.MAX_VALUE, timeout.toMillis() / addresses.length));
            for (InetAddress address : addresses) {
                try (Socket socket = new Socket()) {
                    socket.connect(new InetSocketAddress(address, server.getPort()), millis);
                    socket.setSoTimeout(millis);
                    end(socket, hangUp);
                    return;
                } catch (IOException e) {
                    failure = e;
                }
            }
        } catch (UnknownHostException e) {
            failure = e;
        }
        throw new IOException(name + " cannot be reached: " + why(failure), failure);
    }

    private static void end(Socket socket, HangUp hangUp) {
        try {
            hangUp.end(socket);
        } catch (IOException reached) {
            // Whatever it says, it is there.
        }
    }

    private static String why(@Nullable IOException failure) {
        if (failure == null) {
            return "it has no address";
        }
        String remedy = Failure.of(failure).remedy();
        return (failure instanceof UnknownHostException ? "unknown host" : failure.getMessage())
                + (remedy.isEmpty() ? "" : "; " + remedy);
    }
}
