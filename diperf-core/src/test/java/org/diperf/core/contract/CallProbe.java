package org.diperf.core.contract;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Dialogue;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Fault;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.Url;
import org.jspecify.annotations.Nullable;

/** One call that remembers how it ended and what was reported of it. Thread-safe. */
public final class CallProbe implements Call {

    private final int client;
    private final long number;
    private final Url target;
    private final int targetIndex;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicInteger ends = new AtomicInteger();
    private final Map<String, Double> metrics = new LinkedHashMap<>();
    private final List<Integer> events = new ArrayList<>();
    private long bytes;
    private boolean first;
    private long fromNanos;
    private long toNanos = Long.MIN_VALUE;
    private volatile @Nullable Failure failure;
    private final DialogueProbe said = new DialogueProbe();

    /**
     * @param client from 0
     * @param number of the client's call, from 0
     * @param target where it goes
     * @param targetIndex its place among the targets
     */
    public CallProbe(int client, long number, Url target, int targetIndex) {
        this.client = client;
        this.number = number;
        this.target = target;
        this.targetIndex = targetIndex;
    }

    /**
     * Waits for the end of the call.
     *
     * @return whether it came in time
     */
    public boolean awaitEnd(long millis) throws InterruptedException {
        return ended.await(millis, TimeUnit.MILLISECONDS);
    }

    /** Counts the ends with this call's ticket. */
    public int ends() {
        return ends.get();
    }

    /** Returns the kind of the first failure, or {@code null} after success, or before the end. */
    public @Nullable String failure() {
        Failure why = failure;
        return why == null ? null : why.kind();
    }

    /** Says whose fault the first failure was, {@code null} after success, or before the end. */
    public @Nullable Fault fault() {
        Failure why = failure;
        return why == null ? null : why.fault();
    }

    /** Returns what the first failure says can be done about it; empty after success, or before the end. */
    public String remedy() {
        Failure why = failure;
        return why == null ? "" : why.remedy();
    }

    /** Returns whether the call ended, and well. */
    public boolean isOk() {
        return ends.get() > 0 && failure == null;
    }

    /** Returns the sum of the bytes reported. */
    public synchronized long bytes() {
        return bytes;
    }

    /** Returns whether the call was marked as the first on its connection. */
    public synchronized boolean isFirst() {
        return first;
    }

    /** Returns when at the latest its request had left, as the client said. */
    public synchronized long fromNanos() {
        return fromNanos;
    }

    /** Returns when at the earliest the answer was there; {@link Long#MIN_VALUE} where the client did not say. */
    public synchronized long toNanos() {
        return toNanos;
    }

    @Override
    public synchronized void tookAtLeast(long from, long to) {
        fromNanos = from;
        toNanos = to;
    }

    /** Returns the metrics reported, by their names. */
    public synchronized Map<String, Double> metrics() {
        return new LinkedHashMap<>(metrics);
    }

    /**
     * Returns what was said in it, a line each: {@code > } before what was sent, {@code < } before what came, {@code * } before remarks.
     *
     * @param plugin of its client, which makes text of bytes
     */
    public String said(ClientPlugin plugin) {
        return said.text(plugin);
    }

    @Override
    public Dialogue dialogue() {
        return said;
    }

    @Override
    public long number() {
        return number;
    }

    @Override
    public int client() {
        return client;
    }

    @Override
    public Url target() {
        return target;
    }

    @Override
    public int targetIndex() {
        return targetIndex;
    }

    @Override
    public long ticket() {
        return number + 1;
    }

    @Override
    public synchronized void bytes(long count) {
        if (count < 0) {
            throw new IllegalArgumentException("Bytes: expected at least 0, got " + count);
        }
        bytes += count;
    }

    @Override
    public synchronized void firstOnConnection() {
        first = true;
    }

    @Override
    public synchronized void metric(Metric metric, double value) {
        metrics.put(metric.name(), value);
    }

    @Override
    public synchronized long event(int kind, int count) {
        events.add(kind);
        return System.nanoTime();
    }

    /** Lists the kinds of the events that came, in their order. */
    public synchronized List<Integer> events() {
        return List.copyOf(events);
    }

    @Override
    public void ok(long ticket) {
        end(ticket, null);
    }

    @Override
    public void fail(long ticket, Failure why) {
        end(ticket, why);
    }

    private void end(long ticket, @Nullable Failure why) {
        if (ticket != ticket()) {
            return;
        }
        if (ends.getAndIncrement() == 0) {
            failure = why;
        }
        ended.countDown();
    }

    @Override
    public String toString() {
        return "call " + number + (ends() == 0 ? " not ended" : isOk() ? " ok" : " failed: " + failure());
    }
}
