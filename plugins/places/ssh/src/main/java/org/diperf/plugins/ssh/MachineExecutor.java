package org.diperf.plugins.ssh;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Does the same on many machines, on as many at once as it has threads. */
final class MachineExecutor implements AutoCloseable {

    private final ExecutorService threads;

    MachineExecutor(int size) {
        AtomicInteger number = new AtomicInteger();
        this.threads = Executors.newFixedThreadPool(size, task -> {
            Thread thread = new Thread(task, "diperf-ssh-pool-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Returns the results in the order of the items, when all are there.
     *
     * @throws InterruptedException when the caller is interrupted; what has not begun then never does
     */
    <T, R> List<R> all(List<T> items, Function<? super T, ? extends R> work) throws InterruptedException {
        List<Future<R>> futures = new ArrayList<>();
        for (T item : items) {
            futures.add(threads.submit(() -> work.apply(item)));
        }
        List<R> results = new ArrayList<>();
        for (Future<R> future : futures) {
            try {
                results.add(future.get());
            } catch (InterruptedException e) {
                futures.forEach(each -> each.cancel(false));
                throw e;
            } catch (ExecutionException e) {
                if (e.getCause() instanceof RuntimeException fault) {
                    throw fault;
                }
                throw new IllegalStateException("Work on a machine failed", e.getCause());
            }
        }
        return results;
    }

    /** Does something without waiting for it; not at all when the pool is closed. */
    void background(Runnable work) {
        try {
            threads.execute(work);
        } catch (RejectedExecutionException closed) {
            // The end of the run takes care of the rest.
            return;
        }
    }

    /** Takes nothing more on, and waits for the end of what is under way. */
    void settle() throws InterruptedException {
        threads.shutdown();
        // Whatever is done on a machine has a limit of its own.
        var unused = threads.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
        threads.shutdown();
    }
}
