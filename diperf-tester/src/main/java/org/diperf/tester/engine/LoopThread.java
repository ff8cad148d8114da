package org.diperf.tester.engine;

import java.util.concurrent.CompletableFuture;
import org.diperf.tester.engine.loop.CallLoop;
import org.diperf.tester.engine.loop.LoopRunner;

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

    /** Ends the thread. */
    void terminate();

    void join(long millis) throws InterruptedException;

    boolean isAlive();
}
