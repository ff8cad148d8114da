package org.diperf.core.spi;

import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * An event loop of the tester: one thread that owns a share of the asynchronous clients. {@link #execute} may be called
 * from any thread, everything else only on the loop.
 */
public interface Loop extends Executor {

    /** Reads the tester's monotonic clock, in nanoseconds; only differences are meaningful. */
    long nanoTime();

    /** Returns whether the calling thread is this loop's. */
    boolean inLoop();

    /**
     * Makes a timer. Arming one allocates nothing, so make it once, in {@code open}.
     *
     * @param task run on the loop each time the timer expires; must not block
     */
    Timer timer(Runnable task);

    /**
     * Returns the library object behind this loop, for clients that can use it: a Netty plugin bundled with the tester
     * asks for {@code io.netty.channel.EventLoop}.
     *
     * @return empty if this loop is not of that type; a plugin jar with its own Netty always gets empty, and runs its own
     *     loops
     */
    <T> Optional<T> unwrap(Class<T> type);

    /**
     * Runs a task once the loop has begun all calls that are due now, so that what clients have to send on a connection that they
     * share leaves together; after what was answered in this turn has been taken too. To be asked for again for each turn.
     *
     * @param task run on the loop, soon; must not block. By default it is executed as any other
     */
    default void afterCalls(Runnable task) {
        execute(task);
    }

    /** A timer that belongs to one loop. */
    interface Timer {

        /**
         * Arms the timer, or moves it if it is armed.
         *
         * @param atNanos when to expire, on {@link Loop#nanoTime}; at once if that has passed
         */
        void arm(long atNanos);

        /** Disarms the timer; does nothing if it is not armed. */
        void disarm();
    }
}
