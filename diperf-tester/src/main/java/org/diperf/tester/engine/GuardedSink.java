package org.diperf.tester.engine;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.sample.BlockWriter;
import org.diperf.tester.engine.call.BlockSink;
import org.diperf.tester.engine.call.Failures;
import org.diperf.tester.engine.call.RunSetup;

/**
 * Stands before a sink that may block or fail. It adds up for how long that held up the writers. The first failure aborts the load with
 * its reason: blocks that were passed on before stay where they are, and what comes afterwards is discarded, so that clients that still
 * record are not stopped by it. Thread-safe as the sink behind it is.
 */
final class GuardedSink implements BlockSink {

    /** Encoding a block takes less. */
    private static final long NOT_HELD_NANOS = 1_000_000L;

    private final BlockSink sink;
    private final RunSetup setup;
    private final NanoClock clock;
    private final AtomicLong held = new AtomicLong();
    private volatile boolean broken;

    GuardedSink(BlockSink sink, RunSetup setup, NanoClock clock) {
        this.sink = sink;
        this.setup = setup;
        this.clock = clock;
    }

    @Override
    public void write(BlockWriter block) {
        long began = clock.nanoTime();
        if (!broken) {
            try {
                sink.write(block);
            } catch (Throwable thrown) {
                broken = true;
                setup.abort("Its samples could not be saved: " + Failures.describe(thrown), 0);
            }
        }
        if (broken && block.rows() > 0) {
            // Only its encoding empties a writer.
            block.encode(ByteBuffer.allocate(block.maxEncodedLength()), 1);
        }
        long nanos = clock.nanoTime() - began;
        if (nanos > NOT_HELD_NANOS) {
            held.addAndGet(nanos);
        }
    }

    /** Returns for how long all writers together were held up, ns. */
    long heldNanos() {
        return held.get();
    }
}
