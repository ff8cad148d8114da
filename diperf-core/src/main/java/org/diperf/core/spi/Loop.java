package org.diperf.core.spi;

import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * An event loop of the tester: one thread that owns a share of the asynchronous clients. {@link #execute} may be called
 * from any thread; everything else on the loop.
 */
public interface Loop extends Executor {

    /** Reads the tester's monotonic clock, in nanoseconds; only differences mean anything. */
    long nanoTime();

    /** Says whether the calling thread is this loop's. */
    boolean inLoop();

    /**
     * Makes a timer. Arming it allocates nothing, so make it once, in {@code open}.
     *
     * @param task run on the loop each time the timer expires; must not block
     */
    Timer timer(Runnable task);

    /**
     * Gives the library object behind this loop, for clients that can use it: a Netty plugin bundled with the tester
     * asks for {@code io.netty.channel.EventLoop}.
     *
     * @return empty where this loop is not of that type; a plugin jar with a Netty of its own always gets empty, and
     *     runs loops of its own
     */
    <T> Optional<T> unwrap(Class<T> type);

    /** A timer that belongs to one loop. */
    interface Timer {

        /**
         * Arms the timer, or moves it when it is armed.
         *
         * @param atNanos when to expire, on {@link Loop#nanoTime}; at once when that has passed
         */
        void arm(long atNanos);

        /** Disarms the timer; nothing happens when it is not armed. */
        void disarm();
    }
}
