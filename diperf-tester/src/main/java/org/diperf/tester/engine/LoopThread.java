package org.diperf.tester.engine;

import java.util.concurrent.CompletableFuture;
import org.diperf.tester.engine.loop.CallLoop;
import org.diperf.tester.engine.loop.LoopRunner;
import org.jspecify.annotations.Nullable;

/** A thread that turns one {@link CallLoop}. Methods may be called from any thread. */
interface LoopThread extends LoopRunner {

    /** Begins to turn. */
    void start(CallLoop core);

    /** Runs something on the loop. */
    CompletableFuture<Void> submit(Runnable task);

    /** Waits until the clients that were begun to be opened are. */
    void awaitOpened() throws InterruptedException;

    /** Notes that the plan has grown, before the loop does. */
    void grown();

    /**
     * Looks whether the loop still turns. For one thread, which asks about every 10 ms.
     *
     * @return what has held it and for how long, once it is known and again at its end; {@code null}: nothing new
     */
    @Nullable
    String held(long nowNanos);

    /** Ends the thread. */
    void terminate();

    void join(long millis) throws InterruptedException;

    boolean isAlive();
}
