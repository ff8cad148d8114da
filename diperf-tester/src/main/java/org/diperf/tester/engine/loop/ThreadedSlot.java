package org.diperf.tester.engine.loop;

import org.diperf.tester.engine.call.RunSetup;

/**
 * The slot of a client that has a thread of its own. Its state is guarded by the loop's lock; what is due is done by that
 * thread. The call ends when the client's method returns.
 */
final class ThreadedSlot extends CallSlot {

    /** Whether the thread is to ask for the next iteration at {@link #startNanos}. */
    boolean armed;

    long startNanos;

    /** Whether the thread is to make the first call of an iteration that has begun. */
    boolean awaited;

    private final ThreadedClient client;

    ThreadedSlot(CallLoop loop, ClientState cell, RunSetup setup, ThreadedClient client) {
        super(loop, cell, setup);
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
    boolean ownsEvents() {
        return client.isCurrentThread();
    }

    @Override
    void passEventsOn() {
        client.locked(super::passEventsOn);
    }

    @Override
    public boolean isSelfTimed() {
        return client.isSelfTimed();
    }
}
