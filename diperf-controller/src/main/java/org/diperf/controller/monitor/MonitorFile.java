package org.diperf.controller.monitor;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.diperf.core.sample.CallWriter;
import org.diperf.core.sample.ObservationWriter;
import org.diperf.core.sample.SampleWriter;

/**
 * Keeps what monitors see: blocks of the sample format whose tester is the number of the monitor and whose times are on the
 * controller's clock. Thread-safe.
 */
final class MonitorFile implements Closeable {

    private static final long MAX_FILE_BYTES = 1L << 30;
    /** Blocks until they are made durable: a controller that is killed loses no more than these. */
    private static final int BLOCKS_A_FLUSH = 32;

    private ByteBuffer room = ByteBuffer.allocate(1 << 16).order(ByteOrder.LITTLE_ENDIAN);
    private int unflushed;
    private final SampleWriter writer;

    MonitorFile(Path folder) throws IOException {
        this.writer = new SampleWriter(folder, MAX_FILE_BYTES);
    }

    synchronized void append(ObservationWriter block, long number) throws IOException {
        ByteBuffer to = room(block.maxEncodedLength());
        block.encode(to, number);
        append(to);
    }

    synchronized void append(CallWriter block, long number) throws IOException {
        ByteBuffer to = room(block.maxEncodedLength());
        block.encode(to, number);
        append(to);
    }

    private ByteBuffer room(int bytes) {
        if (room.capacity() < bytes) {
            room = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        }
        return room.clear();
    }

    private void append(ByteBuffer block) throws IOException {
        writer.append(block.flip());
        if (++unflushed >= BLOCKS_A_FLUSH) {
            writer.force();
            unflushed = 0;
        }
    }

    @Override
    public synchronized void close() throws IOException {
        writer.close();
    }
}
