package org.diperf.tester.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import org.diperf.tester.engine.loop.ClientThreads;
import org.jspecify.annotations.Nullable;

/**
 * Threads of clients that are turned by hand: one runs at a time, and only while the test waits for it, until it parks,
 * sleeps or ends. Time is the test's.
 */
final class HandThreads implements ClientThreads {

    private static final long NEVER = Long.MAX_VALUE;

    private final LongSupplier clock;
    private final List<Turned> all = new ArrayList<>();
    private final Semaphore back = new Semaphore(0);
    private @Nullable Turned running;

    private static final class Turned {
        private final Semaphore go = new Semaphore(0);
        private final Thread thread;
        private boolean runnable = true;
        private boolean ended;
        private long wakeAt = NEVER;

        Turned(String name, Runnable task, Semaphore back) {
            thread = new Thread(
                    () -> {
                        go.acquireUninterruptibly();
                        try {
                            task.run();
                        } finally {
                            ended = true;
                            back.release();
                        }
                    },
                    name);
            thread.setDaemon(true);
            thread.start();
        }
    }

    HandThreads(LongSupplier clock) {
        this.clock = clock;
    }

    // ---- the test's side ----

    /** Runs every thread that has something to do until none has; says whether any had. */
    boolean run() {
        boolean any = false;
        for (int i = 0; i < all.size(); i++) {
            Turned turned = all.get(i);
            if (!turned.ended && (turned.runnable || turned.wakeAt <= clock.getAsLong())) {
                any = true;
                turned.runnable = false;
                running = turned;
                turned.go.release();
                back.acquireUninterruptibly();
                running = null;
                i = -1;
            }
        }
        return any;
    }

    /** Returns the next instant at which a thread wakes by itself. */
    long nextWake() {
        return all.stream()
                .filter(turned -> !turned.ended)
                .mapToLong(turned -> turned.wakeAt)
                .min()
                .orElse(NEVER);
    }

    /** Counts the threads that have not ended. */
    long living() {
        return all.stream().filter(turned -> !turned.ended).count();
    }

    // ---- the threads' side ----

    @Override
    public Thread start(String name, Runnable task) {
        Turned turned = new Turned(name, task, back);
        all.add(turned);
        return turned.thread;
    }

    @Override
    public void park(long nanos) {
        Turned own = own();
        if (own.runnable || Thread.currentThread().isInterrupted()) {
            own.runnable = false;
            return;
        }
        giveBack(own, clock.getAsLong() + nanos);
    }

    private void giveBack(Turned own, long wakeAt) {
        own.wakeAt = wakeAt;
        back.release();
        own.go.acquireUninterruptibly();
        own.wakeAt = NEVER;
    }

    /** Lets the calling thread do nothing for so long; for clients. */
    void sleep(long nanos) throws InterruptedException {
        Turned own = own();
        long until = nanos == NEVER ? NEVER : clock.getAsLong() + nanos;
        while (until > clock.getAsLong()) {
            if (Thread.interrupted()) {
                throw new InterruptedException("told to end");
            }
            giveBack(own, until);
        }
    }

    private Turned own() {
        Turned own = running;
        if (own == null || own.thread != Thread.currentThread()) {
            throw new AssertionError("only a thread that was given its turn may run");
        }
        return own;
    }

    @Override
    public void wake(Thread thread) {
        all.stream().filter(turned -> turned.thread == thread).forEach(turned -> turned.runnable = true);
    }

    @Override
    public void interrupt(Thread thread) {
        thread.interrupt();
        wake(thread);
    }
}
