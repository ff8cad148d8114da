package org.diperf.plugins.emulated;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.diperf.plugins.emulated.engine.EngineReport;
import org.diperf.plugins.emulated.engine.LatenessWindow;

/** What the engine's process has said since it carries packets. Thread-safe. */
final class EngineMessages implements CarrierStatistics {

    private static final int MAX_OTHERS = 100;
    /** Of a quarter of an hour, if nobody takes them. */
    private static final int MAX_LATE = 100_000;

    private static final int MAX_WAITS = 20;
    private static final long WAIT_MILLIS = 100;

    private final int pipes;
    private final EngineReport coming;
    private final EngineReport last;
    private final long[] mostQueued;
    private final List<LatenessWindow> late = new ArrayList<>();
    private final List<String> others = new ArrayList<>();
    private boolean isOver;

    /** @param pipes physical links, each direction of them by itself */
    EngineMessages(int pipes) {
        this.pipes = pipes;
        this.coming = new EngineReport(pipes);
        this.last = new EngineReport(pipes);
        this.mostQueued = new long[pipes];
    }

    /** Takes a line of the process. */
    synchronized void said(String line) {
        if (!EngineReport.isLine(line)) {
            if (others.size() < MAX_OTHERS) {
                others.add(line);
            }
        } else if (coming.read(line)) {
            last.set(coming);
            List<LatenessWindow> told = coming.takeLate();
            if (late.size() < MAX_LATE) {
                late.addAll(told);
            }
            for (int i = 0; i < pipes; i++) {
                mostQueued[i] = Math.max(mostQueued[i], last.pipe(i, EngineReport.MAX_QUEUED));
            }
            notifyAll();
        }
    }

    /** Says that the process has ended. */
    synchronized void over() {
        isOver = true;
        notifyAll();
    }

    /** Waits for as long as an engine at work takes at most. */
    @Override
    public synchronized void awaitReport(long atNanos) throws InterruptedException {
        for (int i = 0; i < MAX_WAITS && !isOver && last.engine(EngineReport.AT_NANOS) < atNanos; i++) {
            wait(WAIT_MILLIS);
        }
    }

    @Override
    public synchronized EngineReport last() {
        EngineReport copy = new EngineReport(pipes);
        copy.set(last);
        return copy;
    }

    @Override
    public synchronized long[] takeMostQueued() {
        long[] most = mostQueued.clone();
        for (int i = 0; i < pipes; i++) {
            mostQueued[i] = last.pipe(i, EngineReport.QUEUED);
        }
        return most;
    }

    @Override
    public synchronized List<LatenessWindow> takeLate() {
        List<LatenessWindow> taken = List.copyOf(late);
        late.clear();
        return taken;
    }

    @Override
    public OptionalLong probes() {
        return OptionalLong.empty();
    }

    /** Returns also what is no report, such as complaints of its JVM. */
    @Override
    public synchronized List<String> words(List<String> names) {
        List<String> lines = new ArrayList<>(others);
        lines.addAll(last.words(names));
        return lines;
    }
}
