package org.diperf.plugins.weather;

import org.diperf.core.clock.NanoClock;

/** A clock that a test moves. */
final class ManualClock implements NanoClock {

    private long nanos = 1_000_000_000_000L;

    @Override
    public long nanoTime() {
        return nanos;
    }

    void advanceSeconds(double seconds) {
        nanos += (long) (seconds * 1e9);
    }
}
