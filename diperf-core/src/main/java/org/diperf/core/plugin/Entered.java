package org.diperf.core.plugin;

/** Replaces the thread's context class loader until it is closed. */
record Entered(ClassLoader before) implements AutoCloseable {

    static Entered into(ClassLoader loader) {
        Entered entered = new Entered(Thread.currentThread().getContextClassLoader());
        Thread.currentThread().setContextClassLoader(loader);
        return entered;
    }

    @Override
    public void close() {
        Thread.currentThread().setContextClassLoader(before);
    }
}
