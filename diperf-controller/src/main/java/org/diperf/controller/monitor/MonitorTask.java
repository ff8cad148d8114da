package org.diperf.controller.monitor;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.diperf.analyzer.text.Numbers;
import org.diperf.core.run.AnnexRecord;
import org.diperf.core.run.MonitorRecord;
import org.diperf.core.spi.Annex;
import org.diperf.core.spi.Monitor;
import org.diperf.core.spi.MonitorContext;
import org.jspecify.annotations.Nullable;

/**
 * One monitor at work: asks it for a sample each period, and counts what fails. Runs on a thread of its own; {@link #stop},
 * {@link #record} and {@link #complaint} may be called from any.
 */
final class MonitorTask implements Runnable {

    /** Of many samples a second, some go to the file at once. */
    private static final long FLUSH_NANOS = 100_000_000L;

    private static final String LATE = "did not stop in time, so its last samples are missing";

    private final int number;
    private final String kind;
    private final Source source;
    private final MonitorContext context;
    private final MonitorSamples recorder;
    private final WallClockMap walls;
    private final Consumer<String> say;
    private long flushedNanos = Long.MIN_VALUE / 2;
    private final CountDownLatch opened = new CountDownLatch(1);
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final AtomicLong samples = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong skipped = new AtomicLong();
    private volatile @Nullable String firstFailure;
    private volatile @Nullable String openFailure;
    private volatile @Nullable String lastFailure;
    private volatile @Nullable MonitorRecord last;
    private volatile @Nullable Annex annex;

    /** Where the monitor comes from. */
    interface Source {

        /** Opens it, on the thread that will also take its samples. */
        Monitor open(MonitorContext context) throws Exception;
    }

    /**
     * @param number from 1
     * @param kind of monitor
     * @param say is told of the first failure, on the monitor's thread
     */
    MonitorTask(
            int number,
            String kind,
            Source source,
            MonitorContext context,
            MonitorSamples recorder,
            WallClockMap walls,
            Consumer<String> say) {
        this.number = number;
        this.kind = kind;
        this.source = source;
        this.context = context;
        this.recorder = recorder;
        this.walls = walls;
        this.say = say;
    }

    @Override
    public void run() {
        try (Monitor monitor = open()) {
            if (monitor != null) {
                sample(monitor);
                opened.countDown();
                each(monitor);
                monitor.finish(recorder);
                recorder.flush();
                annex = monitor.annex().orElse(null);
            }
        } catch (InterruptedException e) {
            lastFailure = LATE;
            Thread.currentThread().interrupt();
        } catch (Exception | Error e) {
            lastFailure = "its last report is missing: " + words(e);
        } finally {
            last = record();
            opened.countDown();
        }
    }

    private @Nullable Monitor open() {
        walls.read();
        try {
            return source.open(context);
        } catch (Exception | Error e) {
            openFailure = words(e);
            say.accept("monitor '" + context.name() + "' could not be opened: " + openFailure);
            return null;
        }
    }

    /** Samples are due at whole periods after the first: one that is late moves none after it. */
    private void each(Monitor monitor) throws InterruptedException {
        long period = context.period().toNanos();
        long due = recorder.nanoTime() + period;
        while (!stopped.await(due - recorder.nanoTime(), TimeUnit.NANOSECONDS)) {
            sample(monitor);
            long missed = Math.max(0, (recorder.nanoTime() - due) / period);
            skipped.addAndGet(missed);
            due += (missed + 1) * period;
        }
        sample(monitor);
    }

    private void sample(Monitor monitor) throws InterruptedException {
        walls.read();
        try {
            monitor.sample(recorder);
            if (recorder.nanoTime() - flushedNanos >= FLUSH_NANOS) {
                recorder.flush();
                flushedNanos = recorder.nanoTime();
            }
            samples.incrementAndGet();
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception | Error e) {
            failed.incrementAndGet();
            recorder.missed();
            if (firstFailure == null) {
                firstFailure = words(e);
                say.accept("monitor '" + context.name() + "': " + firstFailure);
            }
        }
    }

    private static String words(Throwable failure) {
        String message = failure.getMessage();
        return message == null || message.isBlank() ? failure.getClass().getSimpleName() : message;
    }

    /** Waits for the first sample; false when the time is over. */
    boolean awaitOpen(long nanos) throws InterruptedException {
        return opened.await(Math.max(0, nanos), TimeUnit.NANOSECONDS);
    }

    /** Ends the samples, after one more. */
    void stop() {
        stopped.countDown();
    }

    /** Says what became of it, for the record of the run. */
    MonitorRecord record() {
        MonitorRecord ended = last;
        return ended != null
                ? ended
                : new MonitorRecord(
                        number,
                        context.name(),
                        kind,
                        context.period().toNanos(),
                        samples.get(),
                        failed.get(),
                        recorder.notes(),
                        recorder.isOfTestbed());
    }

    /** Returns what it has left, when it was stopped and had its time to end; {@code null}: nothing. */
    @Nullable
    AnnexRecord annex() {
        Annex left = annex;
        return left == null ? null : new AnnexRecord(context.name(), left);
    }

    /** Says what is missing of its samples, to be asked when it was stopped and had its time to end; {@code null}: nothing. */
    @Nullable
    String complaint() {
        String monitor = "monitor '" + context.name() + "' (" + kind + ") ";
        if (openFailure != null) {
            return monitor + "could not be opened, so its metrics are missing: " + openFailure;
        }
        if (lastFailure != null) {
            return monitor + lastFailure;
        }
        if (last == null && stopped.getCount() == 0) {
            return monitor + LATE;
        }
        if (failed.get() > 0) {
            return monitor + "returned " + samples + " of " + Numbers.count(samples.get() + failed.get(), "sample")
                    + "; first failure: " + firstFailure;
        }
        if (skipped.get() > samples.get() / 10) {
            return monitor + "skipped " + Numbers.count(skipped.get(), "sample")
                    + " because sampling takes longer than its period of "
                    + context.period().toMillis() + " ms; set a longer period";
        }
        return null;
    }
}
