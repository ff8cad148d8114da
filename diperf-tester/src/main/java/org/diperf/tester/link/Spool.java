package org.diperf.tester.link;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.BlockWriter;
import org.diperf.core.sample.CorruptBlockException;
import org.diperf.tester.engine.call.BlockSink;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a tester's encoded blocks until they are acknowledged. Bounded: a writer waits while it is full, so the load
 * stops rather than that a sample is lost. Thread-safe.
 */
final class Spool implements BlockSink {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition room = lock.newCondition();
    private final Map<Long, ByteBuffer> blocks = new HashMap<>();
    private final long maxBytes;
    private final IntConsumer onBlock;
    private final Runnable onFull;
    private ByteBuffer scratch = ByteBuffer.allocate(1 << 16);
    private long bytes;
    private long last;
    private long acknowledged;
    private long waits;
    private boolean closed;

    /**
     * @param maxBytes of blocks; one block more may come on top
     * @param onBlock called with its bytes after each new block, on the writer's thread
     * @param onFull called when a writer has to wait, on its thread
     */
    Spool(long maxBytes, IntConsumer onBlock, Runnable onFull) {
        this.maxBytes = maxBytes;
        this.onBlock = onBlock;
        this.onFull = onFull;
    }

    @Override
    public void write(BlockWriter writer) {
        int length;
        lock.lock();
        try {
            if (bytes >= maxBytes && !closed) {
                waits++;
                onFull.run();
            }
            // Waits before it numbers: the order of numbers is the order in which blocks become visible.
            while (bytes >= maxBytes && !closed) {
                room.awaitUninterruptibly();
            }
            int longest = writer.maxEncodedLength();
            if (scratch.capacity() < longest) {
                scratch = ByteBuffer.allocate(longest);
            }
            scratch.clear();
            writer.encode(scratch, last + 1);
            scratch.flip();
            if (scratch.remaining() > Block.MAX_LENGTH) {
                throw new IllegalStateException("Expected a block of at most " + Block.MAX_LENGTH + " bytes, got "
                        + scratch.remaining() + ": write fewer rows per block");
            }
            last++;
            if (closed) {
                return;
            }
            ByteBuffer block =
                    ByteBuffer.allocate(scratch.remaining()).put(scratch).flip();
            blocks.put(last, block);
            length = block.remaining();
            bytes += length;
        } finally {
            lock.unlock();
        }
        onBlock.accept(length);
    }

    /** Returns the block of this number, when there is one that is not acknowledged. */
    @Nullable
    ByteBuffer block(long number) {
        return locked(() -> blocks.get(number));
    }

    /** Lets go of all blocks up to this number. */
    void acknowledge(long durable) {
        lock.lock();
        try {
            while (acknowledged < Math.min(durable, last)) {
                ByteBuffer gone = blocks.remove(++acknowledged);
                bytes -= gone == null ? 0 : gone.remaining();
            }
            room.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of the newest block; 0: there was none. */
    long last() {
        return locked(() -> last);
    }

    /** Returns the number of the last block that is acknowledged; 0: none is. */
    long acknowledged() {
        return locked(() -> acknowledged);
    }

    /** Counts the blocks that are not acknowledged. */
    long unacknowledged() {
        return locked(() -> last - acknowledged);
    }

    /** Counts the rows, calls and observations, of the blocks that are not acknowledged. */
    long unacknowledgedRows() {
        lock.lock();
        try {
            long rows = 0;
            for (ByteBuffer block : blocks.values()) {
                rows += Block.read(block.duplicate()).rows();
            }
            return rows;
        } catch (CorruptBlockException e) {
            throw new IllegalStateException("A block written by this tester cannot be read", e);
        } finally {
            lock.unlock();
        }
    }

    /** Counts how often a writer had to wait. */
    long waits() {
        return locked(() -> waits);
    }

    private <T extends @Nullable Object> T locked(Supplier<T> value) {
        lock.lock();
        try {
            return value.get();
        } finally {
            lock.unlock();
        }
    }

    /** Gives up: nobody waits any more, and what comes is only counted as unacknowledged. */
    void close() {
        lock.lock();
        try {
            closed = true;
            room.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
