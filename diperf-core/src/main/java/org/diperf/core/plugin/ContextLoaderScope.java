package org.diperf.core.plugin;

/** Replaces the thread's context class loader until it is closed. */
record ContextLoaderScope(ClassLoader before) implements AutoCloseable {

    static ContextLoaderScope into(ClassLoader loader) {
        ContextLoaderScope entered =
                new ContextLoaderScope(Thread.currentThread().getContextClassLoader());
        Thread.currentThread().setContextClassLoader(loader);
        return entered;
    }

    @Override
    public void close() {
        Thread.currentThread().setContextClassLoader(before);
    }
}
