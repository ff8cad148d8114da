package org.diperf.tester.engine.loop;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.diperf.core.clock.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Guards a {@link CallLoop} whose clients have threads of their own: the thread that holds it is in the loop. Says how the clients'
 * threads wait for their next start, which they do without it. Thread-safe.
 */
public final class LoopLock {

    /** Whoever changes what is waited for wakes those who wait; this only bounds the harm of a clock that jumps. */
    private static final long LONGEST_PARK_NANOS = 5_000_000_000L;

    /** It is held for a few microseconds: about as long as these take. */
    private static final int SPINS = 64;

    /** Then its holder has most likely been preempted, perhaps by the very thread that waits. */
    private static final int YIELDS = 16;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ClientThreads threads;
    private final NanoClock clock;
    private volatile long spinNanos;
    private volatile boolean watches;

    /** Clients that the holder wakes as soon as it has let go of the lock, first and last of them; guarded by it. */
    private @Nullable ThreadedClient toWake;

    private @Nullable ThreadedClient lastToWake;

    public LoopLock(ClientThreads threads, NanoClock clock) {
        this.threads = threads;
        this.clock = clock;
    }

    /** Sets for how long before a start a thread spins. */
    public void spin(long nanos) {
        spinNanos = nanos;
    }

    public long spinNanos() {
        return spinNanos;
    }

    /** Sets whether threads look what they spend on a call, which takes a descriptor each. */
    public void watch(boolean watched) {
        watches = watched;
    }

    boolean watches() {
        return watches;
    }

    ClientThreads threads() {
        return threads;
    }

    NanoClock clock() {
        return clock;
    }

    /**
     * Waits for the lock. A thread parks for it only as a last resort: being woken from among ten thousand parked threads
     * costs the kernel tens of microseconds, as it looks through all that share a bucket of its table.
     */
    public void lock() {
        for (int i = 0; i < SPINS; i++) {
            if (lock.tryLock()) {
                return;
            }
            Thread.onSpinWait();
        }
        for (int i = 0; i < YIELDS; i++) {
            if (lock.tryLock()) {
                return;
            }
            Thread.yield();
        }
        lock.lock();
    }

    /** Lets go of the lock, and wakes those that are to be woken. */
    public void unlock() {
        ThreadedClient client = toWake;
        toWake = null;
        lastToWake = null;
        lock.unlock();
        while (client != null) {
            client = client.wakeNow();
        }
    }

    /**
     * Has a client woken when the lock is free, because a woken thread often takes the processor of the one that woke it and
     * would find the lock held; for who holds the lock.
     */
    void wakeWhenFree(ThreadedClient client) {
        if (!client.claimWake()) {
            return;
        }
        ThreadedClient last = lastToWake;
        if (last == null) {
            toWake = client;
        } else {
            last.wakeNext(client);
        }
        lastToWake = client;
    }

    public boolean isHeld() {
        return lock.isHeldByCurrentThread();
    }

    /** Tells {@link #awaitChange} that a client has been opened or closed; for who holds the lock. */
    void tellChange() {
        changed.signalAll();
    }

    /** Lets go of the lock until the condition holds, which only a client that is opened or closed can bring about. */
    public void awaitChange(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            changed.await();
        }
    }

    /** Lets go of the lock until the waiting thread is woken, or a while. */
    void rest() {
        unlock();
        try {
            threads.park(LONGEST_PARK_NANOS);
        } finally {
            lock();
        }
    }

    /** Lets go of the lock until an instant, precisely where few threads wait, or until the waiting thread is woken. */
    void restUntil(long atNanos, ThreadedClient waiting) {
        unlock();
        try {
            long sleep = atNanos - clock.nanoTime() - spinNanos;
            if (sleep > 0) {
                threads.park(Math.min(sleep, LONGEST_PARK_NANOS));
            } else {
                while (!waiting.isWoken() && atNanos - clock.nanoTime() > 0) {
                    Thread.onSpinWait();
                }
            }
        } finally {
            lock();
        }
    }
}
