package org.diperf.plugins.mds;

import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.gsi.ExampleServer;

/** The stand-in for the Trigger Service and its aggregator. */
final class Trigger implements AutoCloseable {

    private static final Class<?> SERVICE = ExampleServer.compiled("TriggerService");

    private final ExampleServer service;

    private Trigger(ExampleServer service) {
        this.service = service;
    }

    /** Starts one on a free port, with the options of its command line. */
    static Trigger start(String... options) throws Exception {
        return new Trigger(ExampleServer.start(SERVICE, (Object) options));
    }

    long count(String what) throws Exception {
        return service.count(what);
    }

    boolean awaitCount(String what, long wanted) throws Exception {
        return service.awaitCount(what, wanted);
    }

    int subscriptions() throws Exception {
        return service.number("subscriptions");
    }

    Url uri() throws Exception {
        return Url.of("http://127.0.0.1:" + service.port() + "/wsrf/services/DefaultTriggerService");
    }

    @Override
    public void close() throws Exception {
        service.close();
    }
}
