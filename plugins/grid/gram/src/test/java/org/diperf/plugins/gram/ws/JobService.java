package org.diperf.plugins.gram.ws;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import org.diperf.core.spi.Url;

/** The stand-in for WS-GRAM of the examples, compiled from there and run in this process. */
final class JobService implements AutoCloseable {

    private static final Class<?> SERVICE = compiled();

    private final AutoCloseable service;

    private JobService(AutoCloseable service) {
        this.service = service;
    }

    private static Class<?> compiled() {
        try {
            Path classes = Files.createTempDirectory("wsgram-stand-in");
            Path source = Path.of("../../../examples/servers/WsGramService.java");
            int failed = ToolProvider.getSystemJavaCompiler()
                    .run(null, null, null, "-proc:none", "-d", classes.toString(), source.toString());
            assertThat(failed).isZero();
            URLClassLoader loader =
                    new URLClassLoader(new URL[] {classes.toUri().toURL()}, JobService.class.getClassLoader());
            return loader.loadClass("WsGramService");
        } catch (Exception e) {
            throw new IllegalStateException("The stand-in does not compile", e);
        }
    }

    /** Starts one on a free port, with the options of its command line. */
    static JobService start(String... options) throws Exception {
        return new JobService((AutoCloseable)
                SERVICE.getConstructor(int.class, String[].class).newInstance(0, options));
    }

    long count(String what) throws Exception {
        return (long) SERVICE.getMethod("count", String.class).invoke(service, what);
    }

    int jobs() throws Exception {
        return (int) SERVICE.getMethod("jobs").invoke(service);
    }

    Url uri() throws Exception {
        return Url.of("http://127.0.0.1:" + SERVICE.getMethod("port").invoke(service)
                + "/wsrf/services/ManagedJobFactoryService");
    }

    @Override
    public void close() throws Exception {
        service.close();
    }
}
