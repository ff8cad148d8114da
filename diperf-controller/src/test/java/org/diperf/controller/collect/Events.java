package org.diperf.controller.collect;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.diperf.core.wire.TesterFacts;
import org.diperf.core.wire.TesterStatus;
import org.diperf.core.wire.TesterTotals;
import org.jspecify.annotations.Nullable;

/** Writes down what a collector tells, as texts in order. */
final class Events implements TesterEvents {

    private static final int MOST = 200_000;

    private final LinkedBlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final Queue<String> all = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    volatile @Nullable TesterTotals totals;

    /** Waits for the next event that begins so; passes over the others. */
    String await(String begin) throws InterruptedException {
        StringBuilder others = new StringBuilder();
        while (true) {
            String event = heard.poll(15, TimeUnit.SECONDS);
            if (event == null) {
                throw new AssertionError("expected '" + begin + "', heard: " + others);
            }
            if (event.startsWith(begin)) {
                return event;
            }
            others.append(event).append("; ");
        }
    }

    /** Writes down an event. */
    void hear(String event) {
        // Somebody who floods the collector must not be able to fill this either.
        boolean flows = event.startsWith("status ") || event.startsWith("log ") || event.startsWith("block ");
        if (!flows || count.incrementAndGet() <= MOST) {
            all.add(event);
            heard.add(event);
        }
    }

    /** Lists everything heard so far, awaited or not. */
    List<String> all() {
        return List.copyOf(all);
    }

    @Override
    public void joined(int tester, TesterFacts facts) {
        hear("joined " + tester + " " + facts.host());
    }

    @Override
    public void ready(int tester, long testerNanos) {
        hear("ready " + tester);
    }

    @Override
    public void refused(int tester, String reason) {
        hear("refused " + tester + " " + reason);
    }

    @Override
    public void started(int tester, long localStartNanos) {
        hear("started " + tester);
    }

    @Override
    public void clock(int tester, long errorNanos) {}

    @Override
    public void status(int tester, TesterStatus status) {
        hear("status " + tester + " " + status.failed());
    }

    @Override
    public void finished(int tester, TesterTotals found) {
        totals = found;
        hear("finished " + tester);
    }

    @Override
    public void lost(int tester, String reason, long heardNanos) {
        hear("lost " + tester + " " + reason);
    }

    @Override
    public void dropped(int tester, String reason, long atNanos) {
        hear("dropped " + tester + " " + reason);
    }

    @Override
    public void back(int tester) {
        hear("back " + tester);
    }

    @Override
    public void crowded(String reason) {
        hear("crowded " + reason);
    }

    @Override
    public void log(int tester, String line) {
        hear("log " + tester + " " + line);
    }

    @Override
    public void block(int tester, ByteBuffer block) {
        hear("block " + tester + " " + block.remaining());
    }

    @Override
    public void overflowed(String reason) {
        hear("overflowed " + reason);
    }

    @Override
    public void waitsForDisk(String reason) {
        hear("waits for disk " + reason);
    }

    @Override
    public void failed(String reason) {
        hear("failed " + reason);
    }
}
