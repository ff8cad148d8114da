package org.diperf.tester;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The JVM's way to signals, which has no public interface; reached by reflection, done without where it is missing. */
final class Signals {

    private static final Logger LOG = LoggerFactory.getLogger(Signals.class);

    private Signals() {}

    /** Makes this process ignore SIGINT. */
    static void ignoreInterrupt() {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Constructor<?> named = signal.getConstructor(String.class);
            Object ignore = handler.getField("SIG_IGN").get(null);
            signal.getMethod("handle", signal, handler).invoke(null, named.newInstance("INT"), ignore);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            Throwable cause = e instanceof InvocationTargetException wrapped ? wrapped.getTargetException() : e;
            LOG.warn("Ctrl-C will end this tester immediately: {}", cause.toString());
        }
    }
}
