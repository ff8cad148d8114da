package org.diperf.controller.page;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.diperf.controller.progress.LiveSource;
import org.diperf.controller.progress.RunObserver;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.SeriesFamily;
import org.jspecify.annotations.Nullable;

/**
 * Numbers of a run under way for Prometheus, at {@code /metrics}. Whoever scrapes does the work when it comes, and not more often than
 * four times a second; the run does not know of it. Told by the run's thread.
 */
public final class MetricsPage implements RunObserver, AutoCloseable {

    private static final long FRESH_NANOS = 250_000_000L;
    /** For the last counts a scraper is waited for no longer, and only if it came at all. */
    private static final long FAREWELL_NANOS = 20_000_000_000L;
    /** A scraper on a busy machine may come so late, however often it comes. */
    private static final long LATE_NANOS = 2_000_000_000L;

    private final NanoClock clock;
    private final Consumer<String> warn;
    private final PageServer server;
    private final AtomicLong scrapes = new AtomicLong();
    private final CountDownLatch seenEnd = new CountDownLatch(1);
    private volatile @Nullable LiveSource run;
    private volatile boolean over;
    /** Guarded by this, as when they were made. */
    private List<SeriesFamily> families = List.of();

    private long madeNanos;
    private boolean madeOver;
    private boolean isMade;
    private volatile long scrapedNanos;
    /** The longest time from one scrape to the next: on a busy machine a late one is followed by an early one. 0: unknown. */
    private volatile long everyNanos;

    /**
     * Begins to listen.
     *
     * @param port 0: any that is free
     * @param warn takes a line when whoever scraped has not come for the end, on the run's thread
     * @throws IOException when it cannot listen there
     */
    public MetricsPage(String listen, int port, NanoClock clock, Consumer<String> warn) throws IOException {
        this.clock = clock;
        this.warn = warn;
        this.server = new PageServer(
                (path, parameters, accept) -> get(path, accept), listen, port, clock, AccessControl::ofMetrics);
    }

    /** Returns its port. */
    public int port() {
        return server.port();
    }

    @Override
    public void begins(LiveSource begun) {
        run = begun;
    }

    /** All is counted: waits until whoever scraped comes once more, a little longer than it usually takes, 20 s at most. */
    @Override
    public void ends() {
        over = true;
        if (scrapes.get() == 0) {
            return;
        }
        try {
            long every = everyNanos;
            long patience = every == 0 ? FAREWELL_NANOS : Math.min(FAREWELL_NANOS, every * 3 / 2 + LATE_NANOS);
            if (!seenEnd.await(patience, TimeUnit.NANOSECONDS)) {
                warn.accept(String.format(
                        Locale.ROOT,
                        "The final counts were not scraped: the last scrape was %.1f s ago, and Prometheus' series end "
                                + "there. The report covers the whole run",
                        (clock.nanoTime() - scrapedNanos) / 1e9));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        server.close();
    }

    private synchronized PageResponse metrics(boolean isProtobuf) {
        long now = clock.nanoTime();
        boolean isOver = over;
        if (!isMade || now - madeNanos > FRESH_NANOS || madeOver != isOver) {
            LiveSource of = run;
            families = of == null ? List.of() : RunSeriesFamilies.of(of.experiment(), of.look(Long.MAX_VALUE), isOver);
            madeNanos = now;
            madeOver = isOver;
            isMade = true;
        }
        if (scrapes.incrementAndGet() > 1) {
            everyNanos = Math.max(everyNanos, now - scrapedNanos);
        }
        scrapedNanos = now;
        PageResponse answer = isProtobuf
                ? PageResponse.of(MetricsProtobuf.TYPE, MetricsProtobuf.of(families))
                : PageResponse.of(MetricsText.TYPE, MetricsText.of(families));
        return isOver ? answer.whenLeft(seenEnd::countDown) : answer;
    }

    private PageResponse get(String path, String accept) {
        return path.equals("/metrics")
                ? metrics(MetricsProtobuf.isWanted(accept))
                : PageResponse.plain(404, "The metrics are at /metrics.");
    }
}
