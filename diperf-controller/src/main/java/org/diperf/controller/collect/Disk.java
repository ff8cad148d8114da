package org.diperf.controller.collect;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.diperf.core.sample.SampleWriter;

/** Where blocks are kept for good. Confined to the thread of the {@link SampleStore}. */
interface Disk extends Closeable {

    /** Appends a block, consumed; it is durable after the next {@link #force}. */
    void append(ByteBuffer block) throws IOException;

    /** Makes all that was appended durable. */
    void force() throws IOException;

    /** Removes what was appended since the last {@link #force}, after a failure; it can then be appended again. */
    void undo() throws IOException;

    /** Writes sample files. */
    static Disk files(SampleWriter samples) {
        return new Disk() {
            @Override
            public void append(ByteBuffer block) throws IOException {
                samples.appendToBatch(block);
            }

            @Override
            public void force() throws IOException {
                samples.force();
            }

            @Override
            public void undo() throws IOException {
                samples.undo();
            }

            @Override
            public void close() throws IOException {
                samples.close();
            }
        };
    }
}
