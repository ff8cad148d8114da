package org.diperf.plugins.mds;

import org.diperf.plugins.lib.netty.HttpClientConnection;

/** One client's connection to a WSRF service, by HTTP/1.1; it takes one query at a time. */
record WsrfConnection(HttpClientConnection line) implements Connection {

    @Override
    public void ask(Query query) {
        line.begin(query);
    }

    @Override
    public void cancel(Query query) {
        if (line.current() == query) {
            line.cancel();
        }
    }

    @Override
    public void close() {
        line.cancel();
    }
}
