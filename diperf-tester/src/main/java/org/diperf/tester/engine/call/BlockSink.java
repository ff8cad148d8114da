package org.diperf.tester.engine.call;

import org.diperf.core.sample.BlockWriter;

/**
 * Takes finished blocks. Thread-safe; may block the caller for as long as the buffer is full, but never drops.
 */
public interface BlockSink {

    /** Encodes and numbers what a writer has gathered, at least one row, which empties the writer. */
    void write(BlockWriter block);
}
