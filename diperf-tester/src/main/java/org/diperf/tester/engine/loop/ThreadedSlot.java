package org.diperf.tester.engine.loop;

import java.util.concurrent.atomic.AtomicReference;
import org.diperf.core.sample.Outcome;
import org.diperf.core.spi.Failure;
import org.diperf.tester.engine.call.RunSetup;
import org.jspecify.annotations.Nullable;

/**
 * The slot of a client that has a thread of its own. Its state is guarded by the loop's lock; what is due is done by that
 * thread. The call ends when the client's method returns; {@code fail} only decides how.
 */
final class ThreadedSlot extends CallSlot {

    /** Whether the thread is to ask for the next iteration at {@link #startNanos}. */
    boolean armed;

    long startNanos;

    /** Whether the thread is to make the first call of an iteration that has begun. */
    boolean awaited;

    private final CallLoop loop;
    private final ThreadedClient client;
    private final AtomicReference<@Nullable String> said = new AtomicReference<>();

    ThreadedSlot(CallLoop loop, ClientCell cell, RunSetup setup, ThreadedClient client) {
        super(loop, cell, setup);
        this.loop = loop;
        this.client = client;
    }

    @Override
    void proceed() {
        if (client.isCurrentThread()) {
            super.proceed();
        } else {
            awaited = true;
            client.wake();
        }
    }

    @Override
    public void startAt(long atNanos, long nowNanos) {
        armed = true;
        startNanos = atNanos;
        client.wake();
    }

    @Override
    public void disarm() {
        super.disarm();
        armed = armed && resuming;
    }

    @Override
    public boolean isSelfTimed() {
        return client.isSelfTimed();
    }

    @Override
    public void ok(long ticket) {
        if (ticket != ticket() || !isOpen()) {
            loop.counters().lateEnd();
        }
    }

    @Override
    public void fail(long ticket, Failure failure) {
        if (ticket != ticket() || !isOpen()) {
            loop.counters().lateEnd();
        } else {
            said.compareAndSet(null, Outcome.ofFailure(failure));
        }
    }

    /** Forgets what was said of the call before, be it after its end. */
    void forgetSaid() {
        said.setPlain(null);
    }

    /** Returns what the client said of its call, {@code null} when nothing bad. */
    @Nullable
    String said() {
        return said.get();
    }
}
