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
 * the thread that reads; of few samples the latter counts itself. Confined to it.
 */
public final class CountingThreads<T extends CallCounter> implements AutoCloseable {

    private static final int BATCHES_PER_THREAD = 3;
    /** Less is counted before threads would be warm. */
    private static final long SMALL_BYTES = 4 << 20;

    private static final int MAX_THREADS = 8;

    private final List<T> counters = new ArrayList<>();
    private final Queue<T> idle = new ConcurrentLinkedQueue<>();
    /** Unbounded: a batch may be counted and back before the thread that reads has taken another one. */
    private final BlockingQueue<BlockBatch> free = new LinkedBlockingQueue<>();

    /** {@code null}: the caller counts. */
    private final @Nullable ExecutorService executor;

    private final T own;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private BlockBatch filling = new BlockBatch();

    /**
     * @param own counts where there is no thread but the caller's
     * @param make makes a counter for one of the others
     * @param number of threads; 0: the caller's
     */
    public CountingThreads(T own, Supplier<T> make, int number) {
        this.own = own;
        executor = number == 0 ? null : Executors.newFixedThreadPool(number, CountingThreads::daemon);
        for (int i = 0; i < number; i++) {
            counters.add(make.get());
        }
        idle.addAll(counters);
        for (int i = 0; i < BATCHES_PER_THREAD * number; i++) {
            free.add(new BlockBatch());
        }
    }

    /** Says how many threads pay for so many bytes of samples; 0: none but the caller's. */
    public static int number(long bytes) {
        return bytes < SMALL_BYTES
                ? 0
                : Math.min(MAX_THREADS, Runtime.getRuntime().availableProcessors());
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "diperf-count");
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Has a block of calls counted; the data may be overwritten afterwards.
     *
     * @throws org.diperf.core.sample.CorruptBlockException when the caller counts and it cannot be decoded; other threads note it
     *     as damage
     */
    public void add(Block header, ByteBuffer data, TesterClock clock, Endings endings) throws IOException {
        if (executor == null) {
            own.count(header, data, clock, endings);
            return;
        }
        filling.add(header, data, clock, endings);
        if (!filling.hasRoom()) {
            pass(executor);
        }
    }

    private void pass(ExecutorService to) throws IOException {
        BlockBatch batch = filling;
        to.execute(() -> count(batch));
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

    /** Waits until all is counted, and gives what each of the other threads counted. */
    public List<T> finish() throws IOException {
        if (executor == null) {
            return counters;
        }
        pass(executor);
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
        if (executor != null) {
            executor.shutdownNow();
        }
    }

    private void rethrow() {
        Throwable thrown = failure.get();
        if (thrown != null) {
            throw new IllegalStateException("Counting samples failed: " + thrown, thrown);
        }
    }

    private static InterruptedIOException interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        InterruptedIOException interrupted = new InterruptedIOException("interrupted while counting samples");
        interrupted.initCause(cause);
        return interrupted;
    }
}
