package org.diperf.plugins.srm;

import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.gridftp.control.Server;

/** The servers that transfer URLs name, and their addresses. Thread-safe. */
final class TransferServers {

    /** A transfer URL names whom it likes; of so many the addresses are kept. */
    private static final int MAX_SERVERS = 1_000;

    private final UnaryOperator<InetSocketAddress> lookUp;
    private final Map<InetSocketAddress, CompletableFuture<InetSocketAddress>> resolved = new ConcurrentHashMap<>();

    /** @param lookUp resolves an address, or gives an unresolved one; may block */
    TransferServers(UnaryOperator<InetSocketAddress> lookUp) {
        this.lookUp = lookUp;
    }

    /**
     * Finds the server of a transfer URL and its address, elsewhere than on an event loop where nobody has looked yet.
     *
     * @return with an unresolved address where the host is unknown
     * @throws IllegalArgumentException when it is no URL of GridFTP
     */
    CompletableFuture<Server> find(String turl) {
        Server named = Server.of(Url.of(turl), "transferURL");
        if (resolved.size() >= MAX_SERVERS) {
            resolved.clear();
        }
        CompletableFuture<InetSocketAddress> looking = resolved.computeIfAbsent(
                named.address(), address -> CompletableFuture.supplyAsync(() -> lookUp.apply(address)));
        return looking.thenApply(found -> {
            if (found.isUnresolved()) {
                // The name service may have been away for a moment.
                resolved.remove(named.address(), looking);
            }
            return new Server(found, named.secure(), named.path(), named.user(), named.password());
        });
    }
}
