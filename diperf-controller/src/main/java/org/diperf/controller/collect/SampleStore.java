package org.diperf.controller.collect;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.diperf.analyzer.text.Numbers;
import org.diperf.core.clock.ClockRow;
import org.diperf.core.clock.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Keeps blocks and clock exchanges on a thread of its own, several at a time: everything that came within 200 ms is made
 * durable at once and then reported. Before blocks are reported, the exchanges that came before them and the journal's
 * notes are durable too, because nobody could read or resume the run without. The queue is bounded by bytes; who offers is
 * told when it is full. All methods may be called from any thread.
 *
 * <p>It may hold blocks in memory instead, so that no disk is busy during a run: it then reports them as they come, and
 * writes them when somebody waits for them, when it is closed, or when they have grown to their bound; from then on it
 * works as without. Nobody else has what it held: when the disk does not take that, it tries again, as often and for as
 * long as {@link Limits} say.
 */
final class SampleStore implements BlockSequence.Store, AutoCloseable {

    private static final long COMMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    /** What a block in memory takes besides its bytes: its buffers and its place in the queue. */
    private static final int BLOCK_OVERHEAD = 200;

    private final ReentrantLock lock = new ReentrantLock();
    /** The writer waits for work; signalled only when there is reason to wake it, not for each block. */
    private final Condition work = lock.newCondition();

    private final Condition progress = lock.newCondition();
    private final Disk disk;
    private final RowFile clock;
    private final Journal journal;
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
    /** Items that were reported while they were held; those that are not durable are owed. */
    private long reported;

    private int awaiting;
    /** How often somebody has begun to wait. */
    private long awaited;

    private boolean full;
    private boolean closing;
    private @Nullable String failure;

    /**
     * What the store may keep.
     *
     * @param queueBytes waiting for the disk; at these it is full
     * @param memoryBytes held in memory; 0: nothing is held
     * @param patienceNanos for how long what was held is offered to a disk that does not take it
     * @param retryNanos from one such offer to the next
     */
    record Limits(long queueBytes, long memoryBytes, long patienceNanos, long retryNanos) {}

    /** Hears what became of the blocks, on the writer's thread. */
    interface Events {
        /** These testers' blocks up to these numbers are durable, or held. */
        void durable(Map<Integer, Long> highest);

        /** The queue has room again after it was full. */
        void drained();

        /** Blocks are no longer held but written, for this reason. */
        void overflowed(String reason);

        /** What was held cannot be written for now, for this reason, and is kept meanwhile; told once. */
        void waitsForDisk(String reason);

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
     * Makes a store whose writer has yet to be started.
     *
     * @param disk closed with the store
     * @param appends whether to append to the clock's file, whose last row may have been cut off
     * @param journal made durable with the blocks; not closed with the store
     */
    SampleStore(Disk disk, Path clockCsv, boolean appends, Journal journal, Limits limits, Events events)
            throws IOException {
        this.limits = limits;
        this.events = events;
        this.disk = disk;
        this.journal = journal;
        this.holding = limits.memoryBytes > 0;
        try {
            this.clock = appends ? RowFile.append(clockCsv) : RowFile.create(clockCsv, ClockRow.HEADER);
        } catch (IOException e) {
            disk.close();
            throw e;
        }
        this.writer = new Thread(this::write, "diperf-collector-writer");
        writer.setDaemon(true);
    }

    /** Starts the thread that writes. Without it, the owner of the store writes by {@link #turn}. */
    void start() {
        writer.start();
    }

    /**
     * Queues a block.
     *
     * @return whether there is room for more; when not, {@link Events#drained} tells when there is
     */
    @Override
    public boolean offer(int tester, long number, ByteBuffer block) {
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
            awaited++;
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
        if (writer.getState() == Thread.State.NEW && failure == null) {
            write();
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
                takeOrWrite();
            }
        } catch (IOException | RuntimeException e) {
            events.failed(fail(words(e)));
        } catch (InterruptedException e) {
            fail("The sample writer was interrupted");
            Thread.currentThread().interrupt();
        }
    }

    /** Writes what is queued now, on the caller's thread: the one turn of a writer that was not started. */
    void turn() throws InterruptedException {
        if (failure != null) {
            return;
        }
        try {
            takeOrWrite();
        } catch (IOException | RuntimeException e) {
            try (disk) {
                clock.close();
            } catch (IOException again) {
                e.addSuppressed(again);
            }
            events.failed(fail(words(e)));
        }
    }

    private static String words(Exception e) {
        return "The samples cannot be written: " + (e instanceof IOException ? e.getMessage() : e);
    }

    private void takeOrWrite() throws IOException, InterruptedException {
        tellOverflow();
        Map<Integer, Long> held = takeHeld();
        if (held == null) {
            writeBatch();
        } else if (!held.isEmpty()) {
            events.durable(held);
        }
    }

    /** Lets go of what is queued; returns the reason with what that means. */
    private String fail(String reason) {
        lock.lock();
        try {
            long owed = queue.stream()
                    .limit(Math.max(0, reported - durable))
                    .filter(item -> item.block != null)
                    .count();
            String whole = reason + "; "
                    + (owed == 0
                            ? "acknowledged samples are safe"
                            : Numbers.count(owed, "block") + " of unsaved samples lost");
            failure = whole;
            queue.clear();
            received.clear();
            queuedBytes = 0;
            progress.signalAll();
            return whole;
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
                    + " MiB, their limit: from now on they are written to disk during the run, as with "
                    + "controller.collect: disk. Give the controller a larger heap (java -Xmx)");
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
            reported = offered;
            return taken;
        } finally {
            lock.unlock();
        }
    }

    private void writeBatch() throws IOException, InterruptedException {
        List<Item> batch = nextBatch();
        Map<Integer, Long> highest = kept(batch);
        events.durable(highest);
        if (committed(batch)) {
            events.drained();
        }
    }

    /** Makes a batch durable, sooner or later where it is owed; returns the highest number of each tester's blocks. */
    private Map<Integer, Long> kept(List<Item> batch) throws IOException, InterruptedException {
        long deadlineNanos = NanoClock.SYSTEM.nanoTime() + limits.patienceNanos;
        boolean told = false;
        boolean rowsAreDurable = false;
        while (true) {
            try {
                if (!rowsAreDurable) {
                    keepRows(batch);
                    rowsAreDurable = true;
                }
                return keepBlocks(batch);
            } catch (IOException e) {
                undo(e);
                if (!isOwed() || NanoClock.SYSTEM.nanoTime() - deadlineNanos >= 0) {
                    throw e;
                }
                if (!told) {
                    events.waitsForDisk(String.valueOf(e.getMessage()));
                    told = true;
                }
                awaitRetry();
            }
        }
    }

    /** Waits a little, or until somebody waits for what is queued. */
    private void awaitRetry() throws InterruptedException {
        lock.lock();
        try {
            long before = awaited;
            long remaining = limits.retryNanos;
            while (remaining > 0 && awaited == before) {
                remaining = work.awaitNanos(remaining);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Makes the rows of a batch durable, for good. */
    private void keepRows(List<Item> batch) throws IOException {
        for (Item item : batch) {
            if (item.block == null) {
                clock.append(item.row);
            }
        }
        clock.force();
    }

    /**
     * Makes the blocks of a batch durable. They are written when everything else is durable: a collector that resumes takes
     * those that it finds in the files, and they are of no use without the rest.
     */
    private Map<Integer, Long> keepBlocks(List<Item> batch) throws IOException {
        journal.force();
        Map<Integer, Long> highest = new HashMap<>();
        for (Item item : batch) {
            if (item.block != null) {
                disk.append(item.block.duplicate());
                highest.put(item.tester, item.number);
            }
        }
        if (!highest.isEmpty()) {
            disk.force();
        }
        return highest;
    }

    /** Leaves the files as they were before a batch that failed. */
    private void undo(IOException failure) {
        try {
            disk.undo();
            clock.undo();
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    /** Returns whether something was reported that is not durable. */
    private boolean isOwed() {
        lock.lock();
        try {
            return durable < reported;
        } finally {
            lock.unlock();
        }
    }

    /** Lists what is queued, but no more than should be made durable at once; it stays queued until then. */
    private List<Item> nextBatch() {
        lock.lock();
        try {
            List<Item> batch = new ArrayList<>();
            long bytes = 0;
            for (Item item : queue) {
                if (bytes > limits.queueBytes / 2) {
                    break;
                }
                bytes += item.bytes();
                batch.add(item);
            }
            received.clear();
            return batch;
        } finally {
            lock.unlock();
        }
    }

    /** Takes a batch that is durable off the queue; returns whether the full queue has room again. */
    private boolean committed(List<Item> batch) {
        lock.lock();
        try {
            for (Item item : batch) {
                queue.remove();
                queuedBytes -= item.bytes();
            }
            durable += batch.size();
            progress.signalAll();
            boolean drained = full && queuedBytes <= limits.queueBytes / 2;
            full &= !drained;
            return drained;
        } finally {
            lock.unlock();
        }
    }
}
