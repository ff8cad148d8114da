package org.diperf.tester.engine.loop;

import org.diperf.core.spi.Loop;
import org.diperf.tester.engine.call.RunSetup;

/** A timer that a client arms. Confined to its loop. */
final class PluginTimer implements Loop.Timer {

    private final CallLoop loop;
    private final TimerHeap.Due due;

    PluginTimer(CallLoop loop, RunSetup setup, Runnable task) {
        this.loop = loop;
        this.due = new TimerHeap.Due(false, nowNanos -> {
            try {
                task.run();
            } catch (Throwable thrown) {
                setup.survived("A client's timer failed: ", thrown);
            }
        });
    }

    @Override
    public void arm(long atNanos) {
        assert loop.inLoop();
        loop.timers().arm(due, atNanos);
    }

    @Override
    public void disarm() {
        assert loop.inLoop();
        loop.timers().disarm(due);
    }
}
