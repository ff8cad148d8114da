package org.diperf.plugins.srm;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import org.diperf.core.spi.Url;

/** The stand-in of the examples, compiled from there and run in this process. */
final class Manager implements AutoCloseable {

    private static final Class<?> SERVICE = compiled();

    private final AutoCloseable service;
    private final boolean secure;

    private Manager(AutoCloseable service, boolean secure) {
        this.service = service;
        this.secure = secure;
    }

    private static Class<?> compiled() {
        try {
            Path classes = Files.createTempDirectory("srm-stand-in");
            Path source = Path.of("../../../examples/servers/SrmService.java");
            int failed = ToolProvider.getSystemJavaCompiler()
                    .run(null, null, null, "-proc:none", "-d", classes.toString(), source.toString());
            assertThat(failed).isZero();
            URLClassLoader loader =
                    new URLClassLoader(new URL[] {classes.toUri().toURL()}, Manager.class.getClassLoader());
            return loader.loadClass("SrmService");
        } catch (Exception e) {
            throw new IllegalStateException("The stand-in does not compile", e);
        }
    }

    /** Starts one on a free port, with the options of its command line. */
    static Manager start(Path folder, String turl, String... options) throws Exception {
        boolean secure = false;
        for (String option : options) {
            secure |= option.startsWith("gsi=");
        }
        return new Manager(
                (AutoCloseable) SERVICE.getConstructor(int.class, Path.class, String.class, String[].class)
                        .newInstance(0, folder, turl, options),
                secure);
    }

    int port() throws Exception {
        return (int) SERVICE.getMethod("port").invoke(service);
    }

    long count(String what) throws Exception {
        return (long) SERVICE.getMethod("count", String.class).invoke(service, what);
    }

    /** Waits a little for what happens after a call has ended. */
    boolean awaitCount(String what, long wanted) throws Exception {
        long until = System.nanoTime() + 5_000_000_000L;
        while (count(what) < wanted && System.nanoTime() < until) {
            java.util.concurrent.locks.LockSupport.parkNanos(5_000_000);
        }
        return count(what) == wanted;
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
