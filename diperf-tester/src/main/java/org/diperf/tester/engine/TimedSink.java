package org.diperf.tester.engine;

import java.util.concurrent.atomic.AtomicLong;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.sample.BlockWriter;

/** Passes blocks on, and adds up for how long that held up their writers. Thread-safe. */
final class TimedSink implements BlockSink {

    /** Encoding a block takes less. */
    private static final long NOT_HELD_NANOS = 1_000_000L;

    private final BlockSink to;
    private final NanoClock clock;
    private final AtomicLong held = new AtomicLong();

    TimedSink(BlockSink to, NanoClock clock) {
        this.to = to;
        this.clock = clock;
    }

    @Override
    public void write(BlockWriter block) {
        long began = clock.nanoTime();
        to.write(block);
        long nanos = clock.nanoTime() - began;
        if (nanos > NOT_HELD_NANOS) {
            held.addAndGet(nanos);
        }
    }

    /** Returns the sum over all writers, ns. */
    long nanos() {
        return held.get();
    }
}
