package org.diperf.tester.engine;

import org.diperf.core.spi.Loop;

/** A timer that a client arms. Confined to its loop. */
final class PluginTimer extends TimerHeap.Due implements Loop.Timer {

    private final CallLoop loop;
    private final RunSetup setup;
    private final Runnable task;

    PluginTimer(CallLoop loop, RunSetup setup, Runnable task) {
        super(false);
        this.loop = loop;
        this.setup = setup;
        this.task = task;
    }

    @Override
    void fire(long nowNanos) {
        try {
            task.run();
        } catch (Throwable thrown) {
            setup.log("A client's timer failed: " + Failures.describe(thrown));
        }
    }

    @Override
    public void arm(long atNanos) {
        assert loop.inLoop();
        loop.timers().arm(this, atNanos);
    }

    @Override
    public void disarm() {
        assert loop.inLoop();
        loop.timers().disarm(this);
    }
}
