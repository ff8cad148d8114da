package org.diperf.plugins.gram.ws;

import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.gsi.ExampleServer;

/** The stand-in for WS-GRAM. */
final class JobService implements AutoCloseable {

    private static final Class<?> SERVICE = ExampleServer.compiled("WsGramService");

    private final ExampleServer service;

    private JobService(ExampleServer service) {
        this.service = service;
    }

    /** Starts one on a free port, with the options of its command line. */
    static JobService start(String... options) throws Exception {
        return new JobService(ExampleServer.start(SERVICE, (Object) options));
    }

    long count(String what) throws Exception {
        return service.count(what);
    }

    int jobs() throws Exception {
        return service.number("jobs");
    }

    Url uri() throws Exception {
        return Url.of("http://127.0.0.1:" + service.port() + "/wsrf/services/ManagedJobFactoryService");
    }

    @Override
    public void close() throws Exception {
        service.close();
    }
}
