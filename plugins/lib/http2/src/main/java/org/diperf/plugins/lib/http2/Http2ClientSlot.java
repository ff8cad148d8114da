package org.diperf.plugins.lib.http2;

import org.jspecify.annotations.Nullable;

/**
 * One client's seat at a connection to a server, which it takes with its first request there. Confined to the event loop of the
 * connection, but for its making.
 */
public final class Http2ClientSlot {

    private final Http2Peer peer;
    private final int client;
    private @Nullable Http2Link link;

    /**
     * @param peer the server
     * @param client its number
     */
    public Http2ClientSlot(Http2Peer peer, int client) {
        this.client = client;
        this.peer = peer;
    }

    void begin(Http2Clients clients, Http2Call call, RequestHead head, byte[] body, boolean headOnly) {
        join(clients, call).begin(call, head, body, true, headOnly);
    }

    void connect(Http2Clients clients, Http2Call call) {
        join(clients, call).connect(call);
    }

    private Http2Link join(Http2Clients clients, Http2Call call) {
        Http2Link joined = link;
        if (joined == null) {
            joined = clients.of(call.loop()).join(peer, client);
            link = joined;
        }
        return joined;
    }

    void cancel(Http2Call call) {
        if (link != null) {
            link.cancel(call);
        }
    }

    void leave() {
        if (link != null) {
            link.leave();
            link = null;
        }
    }
}
