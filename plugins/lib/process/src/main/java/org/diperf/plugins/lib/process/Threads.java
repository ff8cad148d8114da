package org.diperf.plugins.lib.process;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Tells virtual threads, which are there from Java 21 on, from others. */
final class Threads {

    private static final @Nullable Method IS_VIRTUAL = find();

    private Threads() {}

    private static @Nullable Method find() {
        try {
            return Thread.class.getMethod("isVirtual");
        } catch (NoSuchMethodException before21) {
            return null;
        }
    }

    /** Returns whether the current thread is virtual. */
    static boolean isVirtual() {
        try {
            return IS_VIRTUAL != null && (Boolean) IS_VIRTUAL.invoke(Thread.currentThread());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "Java " + Runtime.version() + " does not report what kind of thread this is", e);
        }
    }
}
