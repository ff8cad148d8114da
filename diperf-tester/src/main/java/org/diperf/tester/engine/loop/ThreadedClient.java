package org.diperf.tester.engine.loop;

import static java.util.Objects.requireNonNull;

import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.BlockingClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.Context;
import org.diperf.tester.engine.call.Failures;
import org.diperf.tester.engine.call.RunSetup;
import org.diperf.tester.machine.CurrentThreadStats;
import org.diperf.tester.machine.ProcFiles;
import org.jspecify.annotations.Nullable;

/**
 * Makes an asynchronous client of a blocking one: a thread of its own makes, opens, calls and closes it. The thread holds
 * the loop's lock but while the client works and while it waits. When it has ended a call under the lock, and the loop then
 * wants the next one at once, {@link #call} only notes that: the thread makes it as soon as it has let go of the lock, so
 * no call costs a wake-up.
 */
final class ThreadedClient implements AsyncClient {

    /**
     * What the kernel takes at most, as a rule, from a segment's coming until it counts the thread that waits for it as ready to run: the
     * processor that is to do so may rest, and is woken first.
     */
    private static final long WAKE_NANOS = 80_000;

    private final LoopLock lock;
    private final ClientFactory maker;
    private @Nullable Thread thread;
    private @Nullable ThreadedSlot slot;
    private @Nullable CallLoop loop;
    private @Nullable BlockingClient made;
    private boolean selfTimed;
    private boolean called;
    private boolean closing;
    /** Whether what the thread does is counted since its last call; else it has waited since. */
    private boolean marked;

    /** Whether its next call is its first: in that the JVM links code, for which threads wait for each other unseen. */
    private boolean fresh = true;

    private @Nullable CurrentThreadStats watched;
    private volatile boolean woken;

    /** Whether somebody who held the lock is about to wake the thread. */
    private volatile boolean wakeIsDue;

    /** Who is woken after it, by the same thread. */
    private @Nullable ThreadedClient wokenNext;

    /** @param maker of the blocking client */
    ThreadedClient(LoopLock lock, ClientFactory maker) {
        this.lock = lock;
        this.maker = maker;
    }

    /** Makes the client's one slot, which its thread waits for. */
    ThreadedSlot slot(CallLoop ofLoop, ClientState cell, RunSetup setup) {
        ThreadedSlot only = new ThreadedSlot(ofLoop, cell, setup, this);
        loop = ofLoop;
        slot = only;
        return only;
    }

    // ---- the loop's side, under its lock ----

    @Override
    public void open(Context context) {
        thread = lock.threads().start("diperf-client-" + context.client(), () -> live(context));
    }

    @Override
    public void call(Call call) {
        assert isCurrentThread() : "calls must be made on the client's own thread";
        called = true;
    }

    @Override
    public void cancel(Call call) {
        interrupt();
    }

    /** Has the thread close the client; returns at once. */
    @Override
    public void close() {
        closing = true;
        wake();
    }

    /** Returns whether the client times its calls itself; known once it is opened. */
    boolean isSelfTimed() {
        return selfTimed;
    }

    void interrupt() {
        if (thread != null) {
            lock.threads().interrupt(thread);
        }
    }

    boolean isCurrentThread() {
        return Thread.currentThread() == thread;
    }

    /** Has the thread look what is to be done. */
    void wake() {
        if (thread != null && !isCurrentThread()) {
            woken = true;
            lock.wakeWhenFree(this);
        }
    }

    /** Returns whether the caller is to have the thread woken; not when that is due anyway. */
    boolean claimWake() {
        if (wakeIsDue) {
            return false;
        }
        wakeIsDue = true;
        return true;
    }

    /** Sets who is woken after it. */
    void wakeNext(ThreadedClient next) {
        wokenNext = next;
    }

    /** Wakes the thread; returns who is to be woken next. The lock is not held. */
    @Nullable
    ThreadedClient wakeNow() {
        ThreadedClient next = wokenNext;
        wokenNext = null;
        // Before it is woken: whoever sees that no wake-up is due brings another one.
        wakeIsDue = false;
        if (thread != null) {
            lock.threads().wake(thread);
        }
        return next;
    }

    boolean isWoken() {
        return woken;
    }

    // ---- the thread ----

    /** Does something in the loop while the client works. */
    void locked(Runnable work) {
        lock.lock();
        try {
            work.run();
        } finally {
            lock.unlock();
        }
    }

    private void live(Context context) {
        BlockingClient opened = null;
        Throwable thrown = null;
        boolean timesItself = false;
        try {
            opened = make();
            opened.open(context);
            timesItself = opened.selfTimed();
        } catch (Throwable failed) {
            thrown = failed;
        }
        watched = lock.watches() && !timesItself ? CurrentThreadStats.open() : null;
        lock.lock();
        try {
            made = opened;
            selfTimed = timesItself && thrown == null;
            ThreadedSlot own = requireNonNull(slot, "slot is set under the lock held when open was called");
            CallLoop home = requireNonNull(loop, "set with the slot");
            home.clients().opened(own.cell, selfTimed, thrown);
            lock.tellChange();
            work(own, home);
            unwatch();
            closeUnlocked(home);
            home.clientClosed(own.cell);
            lock.tellChange();
        } finally {
            lock.unlock();
        }
    }

    private BlockingClient make() throws Exception {
        Client fresh = maker.newClient();
        if (fresh instanceof BlockingClient blocking) {
            return blocking;
        }
        throw new IllegalStateException("Session.newClient: expected a BlockingClient, as declared by kind(); got "
                + fresh.getClass().getName());
    }

    /** Does what is due until the client is to be closed, or a call that took too long has cost it its place. */
    private void work(ThreadedSlot own, CallLoop home) {
        while (!own.dead && !(closing && !called && !own.awaited)) {
            woken = false;
            if (called) {
                called = false;
                callUnlocked(own, home);
            } else if (own.awaited) {
                own.awaited = false;
                home.nextCall(own, own.iterationDueNanos);
            } else if (own.armed) {
                long now = lock.clock().nanoTime();
                if (own.startNanos - now <= 0) {
                    own.armed = false;
                    home.startNext(own, now);
                } else {
                    marked = false;
                    lock.restUntil(own.startNanos, this);
                }
            } else {
                marked = false;
                lock.rest();
            }
        }
    }

    /** Makes one call; the lock is held before and afterwards. */
    private void callUnlocked(ThreadedSlot own, CallLoop home) {
        long ticket = own.ticket();
        BlockingClient client = requireNonNull(made, "a client that could not be created is never called");
        lock.unlock();
        String thrownAs = null;
        boolean ended;
        long endNanos;
        String outcome;
        try {
            own.endsByReturning();
            if (watched != null && !marked) {
                watched.mark();
                marked = true;
            }
            // Again, because others may have had the processor since the lock was let go of. Whoever records a timeout
            // meanwhile may see the stamp from under the lock.
            own.sentAt(lock.clock().nanoTime());
            try {
                client.call(own);
            } catch (Throwable thrown) {
                thrownAs = Failures.outcome(thrown);
            }
            ended = own.take(ticket);
            endNanos = lock.clock().nanoTime();
            if (own.isTold()) {
                unwatch();
            }
            if (watched != null) {
                long busy = watched.sinceMark();
                long call = endNanos - own.sentNanos();
                // Where within the call the thread worked and waited is not known: all of it stands with the end.
                own.handedOut(ticket, own.sentNanos());
                own.answeredWithin(fresh || busy == ProcFiles.ABSENT ? call : Math.min(busy + WAKE_NANOS, call));
                fresh = false;
            }
            outcome = own.judged(own.outcome(thrownAs), endNanos);
        } finally {
            lock.lock();
        }
        // An interrupt that was meant for this call has come by now.
        Thread.interrupted();
        if (ended) {
            home.ended(own, endNanos, outcome);
        }
    }

    /** No longer looks what the thread spends: the client is at its end, or says itself what its calls took. */
    private void unwatch() {
        if (watched != null) {
            watched.close();
            watched = null;
        }
    }

    private void closeUnlocked(CallLoop home) {
        BlockingClient client = made;
        if (client == null) {
            return;
        }
        Throwable failure = null;
        lock.unlock();
        try {
            Thread.interrupted();
            client.close();
        } catch (Throwable thrown) {
            failure = thrown;
        } finally {
            lock.lock();
        }
        if (failure != null) {
            home.clients().notClosed(failure);
        }
    }
}
