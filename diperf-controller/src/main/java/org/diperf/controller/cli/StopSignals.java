package org.diperf.controller.cli;

import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Ends a run in order on the first INT, TERM or HUP, and the JVM at once on the second. Reached by reflection, because
 * {@code sun.misc.Signal} is supported but outside the API that the compiler knows.
 */
final class StopSignals {

    private final Consumer<String> stop;
    /** Exit code of the first signal; 0 before it. */
    private final AtomicInteger exitCode = new AtomicInteger();

    /**
     * @param stop is given the signal's name, on a thread of the JVM; must return soon
     */
    StopSignals(Consumer<String> stop) {
        this.stop = stop;
    }

    /** Begins to listen; does nothing where the JVM leaves signals alone ({@code -Xrs}) or has none of the name. */
    void listen() {
        listen("INT", ExitStatus.INTERRUPTED);
        listen("TERM", ExitStatus.TERMINATED);
        listen("HUP", ExitStatus.TERMINATED);
    }

    private void listen(String name, int code) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object ours = Proxy.newProxyInstance(
                    StopSignals.class.getClassLoader(), new Class<?>[] {handler}, (proxy, method, args) -> {
                        if (method.getName().equals("handle")) {
                            raised(name, code);
                            return null;
                        }
                        return switch (method.getName()) {
                            case "hashCode" -> System.identityHashCode(proxy);
                            case "equals" -> args != null && proxy == args[0];
                            default -> "StopSignals " + name;
                        };
                    });
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance(name), ours);
        } catch (ReflectiveOperationException notHere) {
            // The JVM's own way of ending remains.
            return;
        }
    }

    private void raised(String name, int code) {
        if (exitCode.compareAndSet(0, code)) {
            stop.accept(name);
        } else {
            Runtime.getRuntime().halt(code);
        }
    }

    /** Gives the exit code that the first signal asks for; 0 when there was none. */
    int exitCode() {
        return exitCode.get();
    }
}
