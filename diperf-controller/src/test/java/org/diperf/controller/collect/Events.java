package org.diperf.controller.collect;

import java.nio.ByteBuffer;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.diperf.core.wire.TesterFacts;
import org.diperf.core.wire.TesterStatus;
import org.diperf.core.wire.TesterTotals;
import org.jspecify.annotations.Nullable;

/** Writes down what a collector tells, as texts in order. */
final class Events implements Collector.Listener {

    private final LinkedBlockingQueue<String> heard = new LinkedBlockingQueue<>();
    volatile @Nullable TesterTotals totals;

    /** Waits for the next event that begins so; passes over the others. */
    String await(String begin) throws InterruptedException {
        StringBuilder others = new StringBuilder();
        while (true) {
            String event = heard.poll(15, TimeUnit.SECONDS);
            if (event == null) {
                throw new AssertionError("wanted '" + begin + "', heard: " + others);
            }
            if (event.startsWith(begin)) {
                return event;
            }
            others.append(event).append("; ");
        }
    }

    @Override
    public void joined(int tester, TesterFacts facts) {
        heard.add("joined " + tester + " " + facts.host());
    }

    @Override
    public void ready(int tester, long testerNanos) {
        heard.add("ready " + tester);
    }

    @Override
    public void refused(int tester, String reason) {
        heard.add("refused " + tester + " " + reason);
    }

    @Override
    public void started(int tester, long localStartNanos) {
        heard.add("started " + tester);
    }

    @Override
    public void status(int tester, TesterStatus status) {
        heard.add("status " + tester + " " + status.failed());
    }

    @Override
    public void finished(int tester, TesterTotals found) {
        totals = found;
        heard.add("finished " + tester);
    }

    @Override
    public void lost(int tester, String reason) {
        heard.add("lost " + tester + " " + reason);
    }

    @Override
    public void back(int tester) {
        heard.add("back " + tester);
    }

    @Override
    public void log(int tester, String line) {
        heard.add("log " + tester + " " + line);
    }

    @Override
    public void block(int tester, ByteBuffer block) {
        heard.add("block " + tester + " " + block.remaining());
    }

    @Override
    public void failed(String reason) {
        heard.add("failed " + reason);
    }
}
