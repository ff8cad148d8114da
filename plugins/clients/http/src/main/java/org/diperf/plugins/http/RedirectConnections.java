package org.diperf.plugins.http;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.diperf.plugins.lib.netty.HttpTarget;

/**
 * Connections that one client keeps to servers that are no targets: a few, of which the one that was used longest ago makes way. Confined
 * to the client's owner.
 *
 * @param <C> a connection
 */
final class RedirectConnections<C> {

    private static final int MOST = 8;

    /** Makes a connection. */
    interface Making<C> {

        /**
         * Makes it.
         *
         * @throws IOException when the client's certificate cannot be read
         */
        C make() throws IOException;
    }

    private final Consumer<C> closing;
    /** By server, the one used last at the end. */
    private final Map<String, C> kept = new LinkedHashMap<>(16, 0.75f, true);

    /** @param closing closes a connection on which no exchange is under way */
    RedirectConnections(Consumer<C> closing) {
        this.closing = closing;
    }

    /**
     * Returns the connection to a server.
     *
     * @param making makes it where there is none
     */
    C of(HttpTarget server, Making<C> making) throws IOException {
        C known = kept.get(server.origin());
        if (known != null) {
            return known;
        }
        C made = making.make();
        if (kept.size() >= MOST) {
            C oldest = kept.remove(kept.keySet().iterator().next());
            if (oldest != null) {
                closing.accept(oldest);
            }
        }
        kept.put(server.origin(), made);
        return made;
    }

    /** Closes all. */
    void close() {
        kept.values().forEach(closing);
        kept.clear();
    }
}
