package org.diperf.plugins.srm;

import java.nio.file.Path;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.gsi.ExampleServer;

/** The stand-in for a manager. */
final class Manager implements AutoCloseable {

    private static final Class<?> SERVICE = ExampleServer.compiled("SrmService");

    private final ExampleServer service;
    private final boolean secure;

    private Manager(ExampleServer service, boolean secure) {
        this.service = service;
        this.secure = secure;
    }

    /** Starts one on a free port, with the options of its command line. */
    static Manager start(Path folder, String turl, String... options) throws Exception {
        boolean secure = false;
        for (String option : options) {
            secure |= option.startsWith("gsi=");
        }
        return new Manager(ExampleServer.start(SERVICE, folder, turl, options), secure);
    }

    int port() throws Exception {
        return service.port();
    }

    long count(String what) throws Exception {
        return service.count(what);
    }

    boolean awaitCount(String what, long wanted) throws Exception {
        return service.awaitCount(what, wanted);
    }

    Url uri(String path) throws Exception {
        return Url.of(
                secure
                        ? "srm://localhost:" + port() + path
                        : "http://127.0.0.1:" + port() + SrmTarget.ENDPOINT + "?SFN=" + path);
    }

    @Override
    public void close() throws Exception {
        service.close();
    }
}
