package org.diperf.tester.engine;

import java.nio.ByteBuffer;
import java.util.function.ObjLongConsumer;
import org.diperf.core.sample.CallWriter;
import org.diperf.core.sample.ObservationWriter;

/**
 * Stands before a sink that may fail: the first failure aborts the load with its reason. Blocks that were passed on
 * before stay where they are; what comes afterwards is let go, so that whoever still records is not stopped by it.
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
    public void write(CallWriter calls) {
        if (!broken) {
            try {
                sink.write(calls);
                return;
            } catch (Throwable thrown) {
                fail(thrown);
            }
        }
        if (calls.rows() > 0) {
            letGo(calls.maxEncodedLength(), calls::encode);
        }
    }

    @Override
    public void write(ObservationWriter observations) {
        if (!broken) {
            try {
                sink.write(observations);
                return;
            } catch (Throwable thrown) {
                fail(thrown);
            }
        }
        if (observations.rows() > 0) {
            letGo(observations.maxEncodedLength(), observations::encode);
        }
    }

    private void fail(Throwable thrown) {
        broken = true;
        setup.abort("Its samples could not be kept: " + Failures.describe(thrown), 0);
    }

    /** Empties a writer, which only its encoding does. */
    private static void letGo(int maxEncodedLength, ObjLongConsumer<ByteBuffer> encoder) {
        encoder.accept(ByteBuffer.allocate(maxEncodedLength), 1);
    }
}
