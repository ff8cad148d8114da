package org.diperf.controller.run.live;

import java.io.IOException;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.diperf.controller.page.RunSeriesFamilies;
import org.diperf.controller.progress.LiveSource;
import org.diperf.controller.progress.RunObserver;
import org.diperf.core.spi.SeriesOutput;
import org.jspecify.annotations.Nullable;

/**
 * Sends the series of a run every few seconds, and once more at its end, on a thread of its own. A receiver that is away, or slow, is told
 * of, and when it is back; the run waits for it at the end alone, and not long.
 */
public final class SeriesSender implements RunObserver, AutoCloseable {

    private static final long FAREWELL_MILLIS = 6_000;
    /** Outages that are told of. */
    private static final int MAX_TOLD = 5;

    private final String name;
    private final SeriesOutput output;
    private final long everyMillis;
    private final Consumer<String> warn;
    private final CountDownLatch over = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private @Nullable Thread thread;
    /** Whether the receiver did not take what was sent last. */
    private boolean failed;

    private int told;

    /**
     * @param name of the output, for people
     * @param everyMillis time between two looks
     * @param warn takes one line, on any thread
     */
    public SeriesSender(String name, SeriesOutput output, long everyMillis, Consumer<String> warn) {
        this.name = name;
        this.output = output;
        this.everyMillis = everyMillis;
        this.warn = warn;
    }

    @Override
    public void begins(LiveSource run) {
        Thread started = new Thread(() -> send(run), "diperf-output");
        started.setDaemon(true);
        thread = started;
        started.start();
    }

    private void send(LiveSource run) {
        try {
            boolean isOver = false;
            while (!isOver && closed.getCount() > 0) {
                isOver = over.await(everyMillis, TimeUnit.MILLISECONDS);
                look(run, isOver);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look(LiveSource run, boolean isOver) {
        try {
            output.send(RunSeriesFamilies.of(run.experiment(), run.look(Long.MAX_VALUE), isOver), Instant.now());
            if (failed && told <= MAX_TOLD) {
                warn.accept("Series are sent to " + name + " again; counts include what it missed");
            }
            failed = false;
        } catch (IOException | RuntimeException e) {
            if (isOver) {
                warn.accept("The last series could not be sent to " + name + ": " + e.getMessage()
                        + "; it lacks the end of the run");
            } else if (!failed && ++told <= MAX_TOLD) {
                warn.accept("Series could not be sent to " + name + ": " + e.getMessage()
                        + ". The load continues; sending is retried with later series");
            }
            failed = true;
        }
    }

    @Override
    public void ends() {
        over.countDown();
        Thread started = thread;
        if (started != null) {
            try {
                started.join(FAREWELL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() {
        closed.countDown();
        over.countDown();
        Thread started = thread;
        if (started != null) {
            started.interrupt();
        }
        try {
            output.close();
        } catch (IOException e) {
            warn.accept("The output " + name + " could not be closed: " + e.getMessage());
        }
    }
}
