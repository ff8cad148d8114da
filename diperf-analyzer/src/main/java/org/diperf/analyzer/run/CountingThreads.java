package org.diperf.analyzer.run;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.diperf.analyzer.run.Outcomes.Endings;
import org.diperf.core.sample.Block;
import org.jspecify.annotations.Nullable;

/**
 * Threads that decode and count calls, each with a counter of its own, and the batches that go to and fro between them and
 * the thread that reads. Confined to the latter.
 */
public final class CountingThreads<T extends CallCounter> implements AutoCloseable {

    private static final int BATCHES_PER_THREAD = 3;

    private final List<T> counters = new ArrayList<>();
    private final Queue<T> idle = new ConcurrentLinkedQueue<>();
    /** Unbounded: a batch may be counted and back before the thread that reads has taken another one. */
    private final BlockingQueue<BlockBatch> free = new LinkedBlockingQueue<>();

    private final ExecutorService executor;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private BlockBatch filling = new BlockBatch();

    /**
     * @param make makes a counter for one of them
     * @param number at least 1
     */
    public CountingThreads(Supplier<T> make, int number) {
        executor = Executors.newFixedThreadPool(number, CountingThreads::daemon);
        for (int i = 0; i < number; i++) {
            counters.add(make.get());
        }
        idle.addAll(counters);
        for (int i = 0; i < BATCHES_PER_THREAD * number; i++) {
            free.add(new BlockBatch());
        }
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "diperf-count");
        thread.setDaemon(true);
        return thread;
    }

    /** Has a block of calls counted; the data may be overwritten afterwards. */
    public void add(Block header, ByteBuffer data, TesterClock clock, Endings endings) throws IOException {
        filling.add(header, data, clock, endings);
        if (!filling.hasRoom()) {
            pass();
        }
    }

    private void pass() throws IOException {
        BlockBatch batch = filling;
        executor.execute(() -> count(batch));
        try {
            filling = free.take();
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        rethrow();
    }

    private void count(BlockBatch batch) {
        T counter = idle.remove();
        try {
            batch.count(counter);
        } catch (RuntimeException | Error e) {
            failure.compareAndSet(null, e);
        } finally {
            idle.add(counter);
            batch.clear();
            free.add(batch);
        }
    }

    /** Waits until all is counted, and gives what each counted. */
    public List<T> finish() throws IOException {
        pass();
        executor.shutdown();
        try {
            while (!executor.awaitTermination(1, TimeUnit.DAYS)) {
                // A folder may be large.
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        rethrow();
        return counters;
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }

    private void rethrow() {
        Throwable thrown = failure.get();
        if (thrown != null) {
            throw new IllegalStateException("Counting samples failed: " + thrown, thrown);
        }
    }

    private static InterruptedIOException interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        InterruptedIOException interrupted = new InterruptedIOException("interrupted while samples were counted");
        interrupted.initCause(cause);
        return interrupted;
    }
}
