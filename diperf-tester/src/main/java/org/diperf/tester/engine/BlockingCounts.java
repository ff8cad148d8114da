package org.diperf.tester.engine;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.diperf.core.sample.Outcome;
import org.diperf.core.wire.TesterStatus;

/** Counts of blocking load, from all threads. Thread-safe. */
final class BlockingCounts {

    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong ok = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong lateEnds = new AtomicLong();
    private final AtomicLong firstCall = new AtomicLong();
    private final AtomicLong maxDelay = new AtomicLong();
    private final AtomicInteger active = new AtomicInteger();
    private final AtomicInteger inFlight = new AtomicInteger();

    void active(int change) {
        active.addAndGet(change);
    }

    void begun(long atNanos) {
        sent.incrementAndGet();
        inFlight.incrementAndGet();
        if (firstCall.get() == 0) {
            firstCall.compareAndSet(0, atNanos == 0 ? 1 : atNanos);
        }
    }

    /** Takes notice that a client has let go of its call, or never will. */
    void letGo() {
        inFlight.decrementAndGet();
    }

    void recorded(String outcome) {
        if (outcome.equals(Outcome.OK)) {
            ok.incrementAndGet();
        } else if (Outcome.isFailure(outcome)) {
            failed.incrementAndGet();
        }
    }

    /** Counts a call that was begun by the plan, but by no client. */
    void neverSent() {
        sent.incrementAndGet();
    }

    void dropped() {
        dropped.incrementAndGet();
    }

    void lateEnd() {
        lateEnds.incrementAndGet();
    }

    void delayed(long nanos) {
        maxDelay.accumulateAndGet(nanos, Math::max);
    }

    int inFlight() {
        return inFlight.get();
    }

    long lateEnds() {
        return lateEnds.get();
    }

    long firstCallNanos() {
        return firstCall.get();
    }

    long takeMaxDelayNanos() {
        return maxDelay.getAndSet(0);
    }

    TesterStatus status() {
        int calling = inFlight.get();
        int living = active.get();
        return new TesterStatus(
                living == 0 ? calling : living, calling, sent.get(), ok.get(), failed.get(), dropped.get());
    }
}
