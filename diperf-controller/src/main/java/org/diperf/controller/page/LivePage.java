package org.diperf.controller.page;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.diperf.controller.progress.LiveSource;
import org.diperf.controller.progress.RunObserver;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.experiment.Experiment;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The page of a run under way, or of one run of a grid after another. When all is over it turns into the report. Told by the run's
 * thread.
 */
public final class LivePage implements RunObserver, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LivePage.class);
    /** Where the address stands in a run's folder while it is under way, without the token. */
    public static final String ADDRESS = "control/page";

    private static final String EVENTS = "/events";
    private static final String REPORT = "report.html";
    /** So long viewers have to fetch the report before the program ends. */
    private static final long FAREWELL_SECONDS = 10;
    /** So long a browser may take from opening the page until it looks at the run. */
    private static final long ARRIVAL_NANOS = 2_000_000_000L;

    private final Resources resources = new Resources("live");
    private final Semaphore fetched = new Semaphore(0);
    private final LiveFeed feed;
    private final PageServer server;
    private volatile @Nullable Path folder;
    /** When the page was opened last. */
    private volatile long openedNanos = NanoClock.SYSTEM.nanoTime() - ARRIVAL_NANOS;

    private boolean closed;

    /**
     * Begins to serve the page.
     *
     * @param listen address or name, such as 127.0.0.1
     * @param port 0: any that is free
     * @param headline says in one line what an experiment is
     * @throws IOException when it cannot listen there
     */
    public LivePage(String listen, int port, Function<Experiment, String> headline) throws IOException {
        this.feed = new LiveFeed(headline);
        this.server = new PageServer(new Pages(), listen, port, NanoClock.SYSTEM);
    }

    /** Returns the link that lets its owner look and stop the run. */
    public String link() {
        return server.link();
    }

    /** Returns whether others than this machine can reach it. */
    public boolean isOpenToOthers() {
        return server.gate().guardsLooking();
    }

    /** Says which of several runs comes next. */
    public void place(String words) {
        feed.place(words);
    }

    @Override
    public void begins(LiveSource run) {
        feed.begins(run);
        if (!isOpenToOthers()) {
            try {
                Files.writeString(run.folder().resolve(ADDRESS), link().replaceFirst("#.*", "\n"));
            } catch (IOException e) {
                // Then the page over all runs does not lead here.
                LOG.debug("the address of the page could not be written", e);
            }
        }
    }

    @Override
    public void ends() {
        feed.ends();
    }

    /**
     * Turns the page into the report, and waits until all viewers have it, ten seconds at most. Nothing can be stopped any more.
     *
     * @param of folder that holds it
     */
    public void turnIntoReport(Path of) throws InterruptedException {
        folder = of;
        int waiting = server.watching();
        feed.close(true);
        server.tick();
        // Whoever does not come for it in time is not waited for.
        boolean all = fetched.tryAcquire(waiting, FAREWELL_SECONDS, TimeUnit.SECONDS);
        long arriving = openedNanos + ARRIVAL_NANOS - NanoClock.SYSTEM.nanoTime();
        boolean another = fetched.tryAcquire(Math.max(0, arriving), TimeUnit.NANOSECONDS);
        LOG.debug("{} viewers, all received the report: {}; another one: {}", waiting, all, another);
    }

    /** Ends the page; viewers whom no report was shown are told that there is none. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            if (folder == null) {
                feed.close(false);
                server.tick();
            }
            server.close();
        }
    }

    private final class Pages implements PageHandler {

        @Override
        public PageResponse get(String path, Map<String, String> parameters, String accept) {
            Path done = folder;
            if (done == null) {
                openedNanos = path.equals("/") ? NanoClock.SYSTEM.nanoTime() : openedNanos;
                return resources.get(path);
            }
            if (path.equals("/")) {
                return PageResponse.seeOther("/" + REPORT);
            }
            PageResponse part = resources.get(path);
            if (part.status() == 200) {
                // Of a page that was opened before.
                return part;
            }
            PageResponse answer = RunFiles.get(done, path.substring(1));
            return path.equals("/" + REPORT) ? answer.whenLeft(fetched::release) : answer;
        }

        @Override
        public PageResponse post(String path, String who) {
            if (!path.equals("/stop")) {
                return PageResponse.plain(404, "There is no such page.");
            }
            LiveSource run = feed.run();
            if (run == null) {
                return PageResponse.plain(409, "No run has started yet.");
            }
            run.stop(who);
            return PageResponse.plain(202, "The run is stopping.");
        }

        @Override
        public @Nullable EventStream feed(String path) {
            return path.equals(EVENTS) ? feed : null;
        }
    }
}
