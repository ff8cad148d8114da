package org.diperf.controller.cli;

import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Turns SIGINT, SIGTERM and SIGHUP into an orderly end of the run; the second one ends the process at once. The JVM has no
 * public interface to signals, so they are reached by reflection; without it the run simply ends.
 */
final class StopSignals implements AutoCloseable {

    private static final int SIGINT = 2;

    private final Consumer<String> onFirst;
    private final AtomicInteger received = new AtomicInteger();

    /** @param onFirst stops the run; called on a thread of the JVM's, must return soon */
    StopSignals(Runnable onFirst) {
        this(signal -> onFirst.run());
    }

    /** @param onFirst stops the run; gets the signal's name, such as INT */
    StopSignals(Consumer<String> onFirst) {
        this.onFirst = onFirst;
        handle("INT", SIGINT);
        handle("TERM", 15);
        handle("HUP", 15);
    }

    /** Returns the exit code that the first signal asks for; 0 without any. */
    int exitCode() {
        int signal = received.get();
        return signal == 0 ? 0 : signal == SIGINT ? ExitCode.INTERRUPTED : ExitCode.TERMINATED;
    }

    private void receive(String name, int number) {
        if (received.compareAndSet(0, number)) {
            onFirst.accept(name);
        } else {
            Runtime.getRuntime().halt(number == SIGINT ? ExitCode.INTERRUPTED : ExitCode.TERMINATED);
        }
    }

    private void handle(String name, int number) {
        try {
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object proxy = Proxy.newProxyInstance(
                    StopSignals.class.getClassLoader(), new Class<?>[] {handler}, (self, method, arguments) -> {
                        if (method.getName().equals("handle")) {
                            receive(name, number);
                        }
                        return null;
                    });
            install(name, proxy);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            // This JVM keeps the signal to itself: it then ends the process, as without us.
        }
    }

    private static void install(String name, Object handler) throws ReflectiveOperationException {
        Class<?> signal = Class.forName("sun.misc.Signal");
        Class<?> type = Class.forName("sun.misc.SignalHandler");
        signal.getMethod("handle", signal, type)
                .invoke(null, signal.getConstructor(String.class).newInstance(name), handler);
    }

    /** Gives the signals back to the JVM. */
    @Override
    public void close() {
        try {
            Object standard =
                    Class.forName("sun.misc.SignalHandler").getField("SIG_DFL").get(null);
            for (String name : new String[] {"INT", "TERM", "HUP"}) {
                install(name, standard);
            }
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            // They stay with us; the process is about to end anyway.
        }
    }
}
