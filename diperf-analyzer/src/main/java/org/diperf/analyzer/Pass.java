package org.diperf.analyzer;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.diperf.analyzer.Outcomes.Endings;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.Calls;
import org.diperf.core.sample.SampleReader;
import org.jspecify.annotations.Nullable;

/**
 * One pass over the samples of a run. The caller's thread reads the files, checks blocks, drops those that came twice and
 * counts observations; others decode and count the calls, each for itself. The result does not depend on how many there are.
 */
final class Pass implements SampleReader.Visitor {

    /** Less is counted before threads would be warm. */
    private static final long SMALL_BYTES = 4 << 20;

    private static final int MOST_THREADS = 8;
    private static final int BATCHES_PER_THREAD = 3;

    private final Tally all;
    private final @Nullable Threads threads;

    private Pass(Tally all, @Nullable Threads threads) {
        this.all = all;
        this.threads = threads;
    }

    /** Says how many threads pay for a folder of samples; 0: none but the caller's. */
    static int threads(Path folder) throws IOException {
        long bytes = 0;
        if (Files.isDirectory(folder)) {
            for (Path file : SampleReader.files(folder)) {
                bytes += Files.size(file);
            }
        }
        int processors = Runtime.getRuntime().availableProcessors();
        return bytes < SMALL_BYTES ? 0 : Math.min(MOST_THREADS, processors);
    }

    /**
     * Counts all samples of a folder.
     *
     * @param number of threads that count; 0: the caller's
     */
    static void count(Path folder, Tally all, int number) throws IOException {
        if (number == 0) {
            SampleReader.read(folder, new Pass(all, null));
            all.close();
            return;
        }
        Threads threads = new Threads(all, number);
        try {
            SampleReader.read(folder, new Pass(all, threads));
            threads.finish();
        } finally {
            threads.executor.shutdownNow();
        }
        threads.tallies.forEach(all::addAll);
        all.close();
    }

    @Override
    public void block(Block header, ByteBuffer data) throws IOException {
        TesterTally tester = all.tester(header);
        if (tester.blocks.contains(header.number())) {
            tester.duplicates++;
            return;
        }
        if (header.kind() == Block.CALLS) {
            Endings endings = all.outcomes.of(Calls.outcomes(data, header));
            if (threads == null) {
                all.count(header, data, tester.clock, endings);
            } else {
                threads.add(header, data, tester.clock, endings);
            }
        } else if (header.kind() == Block.OBSERVATIONS) {
            all.observe(header, data);
        }
        tester.blocks.add(header.number());
    }

    @Override
    public void damaged(Path file, long offset, String reason) {
        all.damaged(file.getFileName() + " at byte " + offset + ": " + reason);
    }

    /** Threads that count, each with a tally of its own, and the batches that go to and fro between them and the reader. */
    private static final class Threads {

        private final List<Tally> tallies = new ArrayList<>();
        private final Queue<Tally> idle = new ConcurrentLinkedQueue<>();
        private final BlockingQueue<Batch> free;
        private final ExecutorService executor;
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        private Batch filling = new Batch();

        Threads(Tally all, int number) {
            free = new ArrayBlockingQueue<>(BATCHES_PER_THREAD * number);
            executor = Executors.newFixedThreadPool(number, Threads::daemon);
            for (int i = 0; i < number; i++) {
                tallies.add(all.share());
            }
            idle.addAll(tallies);
            while (free.offer(new Batch())) {
                // until there are enough
            }
        }

        private static Thread daemon(Runnable task) {
            Thread thread = new Thread(task, "diperf-count");
            thread.setDaemon(true);
            return thread;
        }

        void add(Block header, ByteBuffer data, TesterClock clock, Endings endings) throws IOException {
            filling.add(header, data, clock, endings);
            if (!filling.hasRoom()) {
                pass();
            }
        }

        private void pass() throws IOException {
            Batch batch = filling;
            executor.execute(() -> count(batch));
            try {
                filling = free.take();
            } catch (InterruptedException e) {
                throw interrupted(e);
            }
            rethrow();
        }

        private void count(Batch batch) {
            Tally tally = idle.remove();
            try {
                batch.count(tally);
            } catch (RuntimeException | Error e) {
                failure.compareAndSet(null, e);
            } finally {
                idle.add(tally);
                batch.clear();
                free.add(batch);
            }
        }

        /** Waits until all is counted. */
        void finish() throws IOException {
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
}
