package org.diperf.controller.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.diperf.analyzer.Analyzer;
import org.diperf.analyzer.report.Report;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.table.SummaryTable;
import org.diperf.controller.run.IdleTask;
import org.diperf.core.folder.ScratchFolder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the report of a small run that comes with the program, in small steps and for nobody, while nothing is measured: the JVM then
 * knows analysis, tables and figures when somebody waits for those of the run. A thread of its own takes the steps; the
 * methods are called by the run's.
 */
final class ReportWarmup implements IdleTask, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ReportWarmup.class);
    private static final String SAMPLE = "rehearsal/";
    private static final List<String> FILES = List.of("run.json", "clock.csv", "samples/000001.dps");

    /** One of them takes a few tenths of a second in a JVM that has not done it before, all others less. */
    private interface Step {
        void take() throws IOException;
    }

    /** The thread's own. */
    private final Deque<Step> steps = new ArrayDeque<>(List.<Step>of(this::analyze));

    private boolean isSpare;
    private boolean isOver;
    private boolean isAtWork;
    private int taken;
    private @Nullable Thread thread;

    @Override
    public synchronized void begins() {
        isSpare = true;
        if (thread == null && !isOver) {
            thread = new Thread(this::work, "diperf-report-rehearsal");
            thread.setDaemon(true);
            thread.start();
        }
        notifyAll();
    }

    @Override
    public synchronized void ends() {
        isSpare = false;
    }

    @Override
    public synchronized void awaitRest() throws InterruptedException {
        while (isAtWork) {
            wait();
        }
    }

    /** Leaves out the steps that are left; the one under way is nobody's concern. */
    @Override
    public synchronized void close() {
        isOver = true;
        notifyAll();
    }

    /** Counts the steps that were taken. */
    synchronized int taken() {
        return taken;
    }

    /** Returns whether it waits for spare time. */
    synchronized boolean isResting() {
        Thread worker = thread;
        return worker != null && worker.getState() == Thread.State.WAITING;
    }

    /** Waits until no step is left, or one has failed. */
    void awaitEnd() throws InterruptedException {
        Thread worker;
        synchronized (this) {
            worker = thread;
        }
        if (worker != null) {
            worker.join();
        }
    }

    private void work() {
        try {
            while (!steps.isEmpty() && mayGoOn()) {
                try {
                    steps.remove().take();
                    count();
                } finally {
                    rest();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException | LinkageError e) {
            // The report itself meets whatever this was, and says so.
            LOG.debug("The report rehearsal did not finish", e);
        }
    }

    private synchronized boolean mayGoOn() throws InterruptedException {
        while (!isSpare && !isOver) {
            wait();
        }
        isAtWork = !isOver;
        return isAtWork;
    }

    private synchronized void count() {
        taken++;
    }

    private synchronized void rest() {
        isAtWork = false;
        notifyAll();
    }

    private void analyze() throws IOException {
        Analysis analysis;
        try (ScratchFolder scratch = ScratchFolder.temporary()) {
            unpack(scratch.path());
            analysis = Analyzer.analyze(scratch.path(), Analyzer.Options.AS_RECORDED);
        }
        steps.add(() -> SummaryTable.render(analysis, Terminal.screen(), "", "", true));
        steps.add(() -> Analyzer.summaryJson(analysis));
        steps.add(() -> Report.rehearsal(analysis, Path.of("")).forEach(step -> steps.add(step::run)));
    }

    private static void unpack(Path folder) throws IOException {
        Files.createDirectory(folder.resolve("samples"));
        for (String file : FILES) {
            try (InputStream in = ReportWarmup.class.getResourceAsStream(SAMPLE + file)) {
                if (in == null) {
                    throw new IOException("The sample run for the report rehearsal has no " + file);
                }
                Files.copy(in, folder.resolve(file));
            }
        }
    }
}
