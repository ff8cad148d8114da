package org.diperf.controller.collect;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.diperf.core.clock.ClockRow;
import org.jspecify.annotations.Nullable;

/**
 * Keeps blocks and clock exchanges on a thread of its own, several at a time: everything that came within 200 ms is made
 * durable at once and then reported. The queue is bounded by bytes; who offers is told when it is full. All methods may
 * be called from any thread.
 *
 * <p>It may hold blocks in memory instead, so that no disk is busy during a run: it then reports them as they come, and
 * writes them when somebody waits for them, when it is closed, or when they have grown to their bound; from then on it
 * goes on as without.
 */
final class SampleStore implements AutoCloseable {

    private static final long COMMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    /** What a block in memory takes besides its bytes: its buffers and its place in the queue. */
    private static final int BLOCK_OVERHEAD = 200;

    private final ReentrantLock lock = new ReentrantLock();
    /** The writer waits for work; signalled only when there is reason to wake it, not for each block. */
    private final Condition work = lock.newCondition();

    private final Condition progress = lock.newCondition();
    private final Disk disk;
    private final BufferedWriter clock;
    private final Limits limits;
    private final Events events;
    private final Thread writer;
    private final ArrayDeque<Item> queue = new ArrayDeque<>();
    private Map<Integer, Long> received = new HashMap<>();
    private boolean holding;
    private boolean overflowing;
    private long queuedBytes;
    private long offered;
    private long durable;
    private int awaiting;
    private boolean full;
    private boolean closing;
    private @Nullable String failure;

    /**
     * What the store may keep.
     *
     * @param queueBytes waiting for the disk; at these it is full
     * @param memoryBytes held in memory; 0: nothing is held
     */
    record Limits(long queueBytes, long memoryBytes) {}

    /** Hears what became of the blocks, on the writer's thread. */
    interface Events {
        /** These testers' blocks up to these numbers are durable, or held. */
        void durable(Map<Integer, Long> highest);

        /** The queue has room again after it was full. */
        void drained();

        /** Blocks are no longer held but written, for this reason. */
        void overflowed(String reason);

        /** Nothing more will be written; what was reported as durable stays so. */
        void failed(String reason);
    }

    /** One block, or one row of the clock file when the tester is 0. */
    private record Item(int tester, long number, @Nullable ByteBuffer block, String row) {
        int bytes() {
            return BLOCK_OVERHEAD + (block == null ? row.length() : block.remaining());
        }
    }

    /**
     * @param disk closed with the store
     * @param appends whether to append to the clock's file, whose last row may have been cut off
     */
    SampleStore(Disk disk, Path clockCsv, boolean appends, Limits limits, Events events) throws IOException {
        this.limits = limits;
        this.events = events;
        this.disk = disk;
        this.holding = limits.memoryBytes > 0;
        try {
            this.clock =
                    appends ? WholeLines.append(clockCsv) : Files.newBufferedWriter(clockCsv, StandardCharsets.UTF_8);
            if (!appends) {
                clock.write(ClockRow.HEADER + "\n");
            }
        } catch (IOException e) {
            disk.close();
            throw e;
        }
        this.writer = new Thread(this::write, "diperf-collector-writer");
        writer.setDaemon(true);
        writer.start();
    }

    /**
     * Queues a block.
     *
     * @return whether there is room for more; when not, {@link Events#drained} tells when there is
     */
    boolean offer(int tester, long number, ByteBuffer block) {
        return add(new Item(tester, number, block, ""));
    }

    /** Queues a row of the clock file, without its end of line. */
    void offerClock(String row) {
        add(new Item(0, 0, null, row));
    }

    private boolean add(Item item) {
        lock.lock();
        try {
            if (failure != null || closing) {
                return true;
            }
            boolean asleep = queue.isEmpty() || holding && received.isEmpty();
            boolean ripe = isRipe();
            queue.add(item);
            queuedBytes += item.bytes();
            offered++;
            if (item.block != null) {
                received.put(item.tester, item.number);
            }
            if (holding && queuedBytes >= limits.memoryBytes) {
                holding = false;
                overflowing = true;
            }
            full |= !holding && queuedBytes >= limits.queueBytes;
            if (asleep || ripe != isRipe()) {
                work.signal();
            }
            return !full;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether there is so much to write that it should not wait for more. */
    private boolean isRipe() {
        return !holding && queuedBytes >= limits.queueBytes / 2;
    }

    /** Waits until everything offered so far is durable; false when the time is over or writing has failed. */
    boolean awaitDurable(long timeoutNanos) throws InterruptedException {
        lock.lock();
        try {
            long wanted = offered;
            long remaining = timeoutNanos;
            awaiting++;
            holding = false;
            work.signal();
            while (durable < wanted && failure == null && remaining > 0) {
                remaining = progress.awaitNanos(remaining);
            }
            awaiting--;
            return durable >= wanted && failure == null;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the bytes that are not durable yet, with some for the order they are kept in. */
    long waitingBytes() {
        lock.lock();
        try {
            return queuedBytes;
        } finally {
            lock.unlock();
        }
    }

    /** Writes what is queued and closes the files. */
    @Override
    public void close() throws IOException {
        lock.lock();
        try {
            closing = true;
            holding = false;
            work.signal();
        } finally {
            lock.unlock();
        }
        boolean interrupted = false;
        while (writer.isAlive()) {
            try {
                writer.join();
            } catch (InterruptedException e) {
                // The samples come first.
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (failure != null) {
            throw new IOException(failure);
        }
    }

    private void write() {
        try (disk;
                clock) {
            while (awaitWork()) {
                tellOverflow();
                Map<Integer, Long> held = takeHeld();
                if (held == null) {
                    writeBatch();
                } else if (!held.isEmpty()) {
                    events.durable(held);
                }
            }
        } catch (IOException | RuntimeException e) {
            String reason = "The samples cannot be written: " + e + "; what was acknowledged is "
                    + (limits.memoryBytes > 0 ? "lost where it was still in memory" : "safe");
            fail(reason);
            events.failed(reason);
        } catch (InterruptedException e) {
            fail("The writer of samples was interrupted");
            Thread.currentThread().interrupt();
        }
    }

    private void fail(String reason) {
        lock.lock();
        try {
            failure = reason;
            queue.clear();
            received.clear();
            queuedBytes = 0;
            progress.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for work, then a little for more of it; false at the end. */
    private boolean awaitWork() throws InterruptedException {
        lock.lock();
        try {
            while ((holding ? received.isEmpty() : queue.isEmpty()) && !closing) {
                work.await();
            }
            long remaining = COMMIT_NANOS;
            while (remaining > 0 && !closing && awaiting == 0 && !isRipe()) {
                remaining = work.awaitNanos(remaining);
            }
            return !closing || !queue.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    private void tellOverflow() {
        boolean tell;
        lock.lock();
        try {
            tell = overflowing;
            overflowing = false;
        } finally {
            lock.unlock();
        }
        if (tell) {
            events.overflowed("the samples in memory have grown to " + (limits.memoryBytes >> 20)
                    + " MiB, their bound: from now on they go to the disk during the run, as with controller.collect:"
                    + " disk. Give the controller a larger heap (java -Xmx)");
        }
    }

    /** Returns what came since the last time, when it is held; null when it is to be written. */
    private @Nullable Map<Integer, Long> takeHeld() {
        lock.lock();
        try {
            if (!holding) {
                return null;
            }
            Map<Integer, Long> taken = received;
            received = new HashMap<>();
            return taken;
        } finally {
            lock.unlock();
        }
    }

    private void writeBatch() throws IOException {
        ArrayDeque<Item> batch = new ArrayDeque<>();
        long bytes = takeBatch(batch);
        int items = batch.size();
        Map<Integer, Long> highest = new HashMap<>();
        for (Item item = batch.poll(); item != null; item = batch.poll()) {
            if (item.block != null) {
                disk.append(item.block);
                highest.put(item.tester, item.number);
            } else {
                clock.write(item.row);
                clock.write('\n');
            }
        }
        clock.flush();
        if (!highest.isEmpty()) {
            disk.force();
        }
        events.durable(highest);
        if (committed(items, bytes)) {
            events.drained();
        }
    }

    /** Takes what is queued, but no more than should be made durable at once. */
    private long takeBatch(ArrayDeque<Item> batch) {
        lock.lock();
        try {
            long bytes = 0;
            while (!queue.isEmpty() && bytes <= limits.queueBytes / 2) {
                Item item = queue.remove();
                bytes += item.bytes();
                batch.add(item);
            }
            received.clear();
            return bytes;
        } finally {
            lock.unlock();
        }
    }

    /** Notes that a batch is durable, and says whether the full queue has room again. */
    private boolean committed(int items, long bytes) {
        lock.lock();
        try {
            queuedBytes -= bytes;
            durable += items;
            progress.signalAll();
            boolean drained = full && queuedBytes <= limits.queueBytes / 2;
            full &= !drained;
            return drained;
        } finally {
            lock.unlock();
        }
    }
}
