package org.diperf.plugins.lib.gsi;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import javax.tools.ToolProvider;

/** A stand-in of the examples, compiled from there and run in this process. */
public final class ExampleServer implements AutoCloseable {

    private static final long PATIENCE_NANOS = 30_000_000_000L;

    private final AutoCloseable service;

    private ExampleServer(AutoCloseable service) {
        this.service = service;
    }

    /**
     * Compiles one of examples/servers, for a module three folders below the root.
     *
     * @param name of the class
     */
    public static Class<?> compiled(String name) {
        try {
            Path classes = Files.createTempDirectory("stand-in");
            Path source = Path.of("../../../examples/servers", name + ".java");
            int failed = ToolProvider.getSystemJavaCompiler()
                    .run(null, null, null, "-proc:none", "-d", classes.toString(), source.toString());
            assertThat(failed).isZero();
            URLClassLoader loader =
                    new URLClassLoader(new URL[] {classes.toUri().toURL()}, ExampleServer.class.getClassLoader());
            return loader.loadClass(name);
        } catch (Exception e) {
            throw new IllegalStateException("The stand-in does not compile", e);
        }
    }

    /**
     * Starts one on a free port.
     *
     * @param arguments of the constructor after the port; the last is the options of the command line
     */
    public static ExampleServer start(Class<?> kind, Object... arguments) throws Exception {
        Object[] all = new Object[arguments.length + 1];
        all[0] = 0;
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return new ExampleServer((AutoCloseable) kind.getConstructors()[0].newInstance(all));
    }

    public int port() throws Exception {
        return number("port");
    }

    /** Asks for one of its numbers. */
    public int number(String method) throws Exception {
        return (int) service.getClass().getMethod(method).invoke(service);
    }

    /** Returns how often something happened, as the stand-in names it. */
    public long count(String what) throws Exception {
        return (long) service.getClass().getMethod("count", String.class).invoke(service, what);
    }

    /** Waits a little for what happens after a call has ended. */
    public boolean awaitCount(String what, long wanted) throws Exception {
        long until = System.nanoTime() + PATIENCE_NANOS;
        while (count(what) < wanted && System.nanoTime() < until) {
            LockSupport.parkNanos(5_000_000);
        }
        return count(what) == wanted;
    }

    @Override
    public void close() throws Exception {
        service.close();
    }
}
