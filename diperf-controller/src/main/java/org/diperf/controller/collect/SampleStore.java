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
import org.diperf.core.sample.SampleWriter;
import org.jspecify.annotations.Nullable;

/**
 * Writes blocks and clock exchanges on a thread of its own, several at a time: everything that came within 200 ms is
 * made durable at once and then reported. The queue is bounded by bytes; who offers is told when it is full. All methods
 * may be called from any thread.
 */
final class SampleStore implements AutoCloseable {

    static final String CLOCK_HEADER =
            "tester,host,source,server_sent_ns,client_received_ns,client_sent_ns,server_received_ns";

    private static final long COMMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final SampleWriter samples;
    private final BufferedWriter clock;
    private final long maxQueueBytes;
    private final Events events;
    private final Thread writer;
    private ArrayDeque<Item> queue = new ArrayDeque<>();
    private long queuedBytes;
    private long offered;
    private long durable;
    private int awaiting;
    private boolean full;
    private boolean closing;
    private @Nullable String failure;

    /** Hears what became of the blocks, on the writer's thread. */
    interface Events {
        /** These testers' blocks up to these numbers are durable. */
        void durable(Map<Integer, Long> highest);

        /** The queue has room again after it was full. */
        void drained();

        /** Nothing more will be written; what was reported as durable stays so. */
        void failed(String reason);
    }

    /** One block, or one row of the clock file when the tester is 0. */
    private record Item(int tester, long number, @Nullable ByteBuffer block, String row) {}

    SampleStore(Path samplesFolder, long maxFileBytes, Path clockCsv, long maxQueueBytes, Events events)
            throws IOException {
        this.maxQueueBytes = maxQueueBytes;
        this.events = events;
        this.samples = new SampleWriter(samplesFolder, maxFileBytes);
        try {
            this.clock = Files.newBufferedWriter(clockCsv, StandardCharsets.UTF_8);
            clock.write(CLOCK_HEADER + "\n");
        } catch (IOException e) {
            samples.close();
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
        return add(new Item(tester, number, block, ""), block.remaining());
    }

    /** Queues a row of the clock file, without its end of line. */
    void offerClock(String row) {
        add(new Item(0, 0, null, row), row.length());
    }

    private boolean add(Item item, int bytes) {
        lock.lock();
        try {
            if (failure != null || closing) {
                return true;
            }
            queue.add(item);
            queuedBytes += bytes;
            offered++;
            full |= queuedBytes >= maxQueueBytes;
            changed.signalAll();
            return !full;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until everything offered so far is durable; false when the time is over or writing has failed. */
    boolean awaitDurable(long timeoutNanos) throws InterruptedException {
        lock.lock();
        try {
            long wanted = offered;
            long remaining = timeoutNanos;
            awaiting++;
            changed.signalAll();
            while (durable < wanted && failure == null && remaining > 0) {
                remaining = changed.awaitNanos(remaining);
            }
            awaiting--;
            return durable >= wanted && failure == null;
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
            changed.signalAll();
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
        try (samples;
                clock) {
            while (true) {
                ArrayDeque<Item> batch = nextBatch();
                if (batch.isEmpty()) {
                    return;
                }
                events.durable(commit(batch));
                if (committed(batch.size())) {
                    events.drained();
                }
            }
        } catch (IOException | RuntimeException e) {
            String reason = "The samples cannot be written: " + e + "; what was acknowledged is safe";
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
            queuedBytes = 0;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for work, then a little for more of it; empty at the end. */
    private ArrayDeque<Item> nextBatch() throws InterruptedException {
        lock.lock();
        try {
            while (queue.isEmpty() && !closing) {
                changed.await();
            }
            long remaining = COMMIT_NANOS;
            while (remaining > 0 && !closing && awaiting == 0 && queuedBytes < maxQueueBytes / 2) {
                remaining = changed.awaitNanos(remaining);
            }
            ArrayDeque<Item> batch = queue;
            queue = new ArrayDeque<>();
            return batch;
        } finally {
            lock.unlock();
        }
    }

    private Map<Integer, Long> commit(ArrayDeque<Item> batch) throws IOException {
        Map<Integer, Long> highest = new HashMap<>();
        for (Item item : batch) {
            int bytes;
            if (item.block() != null) {
                bytes = item.block().remaining();
                samples.append(item.block());
                highest.put(item.tester(), item.number());
            } else {
                bytes = item.row().length();
                clock.write(item.row());
                clock.write('\n');
            }
            lock.lock();
            try {
                queuedBytes -= bytes;
            } finally {
                lock.unlock();
            }
        }
        clock.flush();
        if (!highest.isEmpty()) {
            samples.force();
        }
        return highest;
    }

    /** Notes that a batch is durable, and says whether the full queue has room again. */
    private boolean committed(int items) {
        lock.lock();
        try {
            durable += items;
            changed.signalAll();
            boolean drained = full && queuedBytes < maxQueueBytes / 2;
            full &= !drained;
            return drained;
        } finally {
            lock.unlock();
        }
    }
}
