package org.diperf.plugins.process;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A program that was started. Thread-safe. */
public abstract class Running {

    private static final long REAP_MILLIS = 500;

    final CompletableFuture<Exit> exit = new CompletableFuture<>();

    Running() {}

    /**
     * Waits until the program has ended, and been reaped, and its output has been taken.
     *
     * @throws InterruptedException when the thread was interrupted; the program and all that it started have then been
     *     killed
     */
    public final Exit await() throws InterruptedException {
        try {
            return exit.get();
        } catch (InterruptedException e) {
            kill();
            reaped();
            throw e;
        } catch (ExecutionException e) {
            throw new IllegalStateException("The program's output could not be taken", e.getCause());
        }
    }

    private void reaped() throws InterruptedException {
        try {
            exit.get(REAP_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            // A process in an uninterruptible wait dies later; its worker reaps it then.
        }
    }

    /** Kills the program and everything in its process group; nothing happens when it has ended. */
    public abstract void kill();
}
