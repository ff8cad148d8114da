package org.diperf.tester.engine;

import java.nio.ByteBuffer;
import org.diperf.core.sample.BlockWriter;

/**
 * Stands before a sink that may fail: the first failure aborts the load with its reason. Blocks that were passed on
 * before stay where they are; what comes afterwards is let go, so that clients that still record are not stopped by it.
 * Thread-safe as the sink behind it is.
 */
final class GuardedSink implements BlockSink {

    private final BlockSink sink;
    private final RunSetup setup;
    private volatile boolean broken;

    GuardedSink(BlockSink sink, RunSetup setup) {
        this.sink = sink;
        this.setup = setup;
    }

    @Override
    public void write(BlockWriter block) {
        if (!broken) {
            try {
                sink.write(block);
                return;
            } catch (Throwable thrown) {
                broken = true;
                setup.abort("Its samples could not be kept: " + Failures.describe(thrown), 0);
            }
        }
        if (block.rows() > 0) {
            // Only its encoding empties a writer.
            block.encode(ByteBuffer.allocate(block.maxEncodedLength()), 1);
        }
    }
}
