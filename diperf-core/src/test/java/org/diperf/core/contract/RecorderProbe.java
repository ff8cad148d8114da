package org.diperf.core.contract;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.Recorder;
import org.jspecify.annotations.Nullable;

/** A recorder that remembers everything; its monotonic clock is Unix time in nanoseconds. Thread-safe. */
public final class RecorderProbe implements Recorder {

    private static final double NANOS_PER_SECOND = 1e9;

    private final CountDownLatch anyCall = new CountDownLatch(1);
    private final List<Recorded> calls = new CopyOnWriteArrayList<>();
    private final List<Observed> observations = new CopyOnWriteArrayList<>();
    private final List<Rejected> rejected = new CopyOnWriteArrayList<>();

    /** One call as it was recorded. */
    public record Recorded(
            long startNanos,
            long endNanos,
            long bytes,
            @Nullable String failure,
            long waitedNanos) {

        /** One of which it is not known for how long its maker was kept waiting. */
        public Recorded(long startNanos, long endNanos, long bytes, @Nullable String failure) {
            this(startNanos, endNanos, bytes, failure, Long.MAX_VALUE);
        }
    }

    /** One observation as it was recorded. */
    public record Observed(Metric metric, long atNanos, double value) {}

    /** One thing that was rejected. */
    public record Rejected(String what, String example) {}

    @Override
    public void call(long startNanos, long endNanos, long bytes, @Nullable String failure) {
        call(startNanos, endNanos, bytes, failure, Long.MAX_VALUE);
    }

    @Override
    public void call(long startNanos, long endNanos, long bytes, @Nullable String failure, long waitedNanos) {
        if (endNanos < startNanos || bytes < 0) {
            throw new IllegalArgumentException("Call: expected an end not before the start, and at least 0 bytes, got "
                    + startNanos + ".." + endNanos + " and " + bytes);
        }
        calls.add(new Recorded(startNanos, endNanos, bytes, failure, waitedNanos));
        anyCall.countDown();
    }

    @Override
    public void observe(Metric metric, long atNanos, double value) {
        observations.add(new Observed(metric, atNanos, value));
    }

    @Override
    public void reject(String what, String example) {
        rejected.add(new Rejected(what, example));
    }

    @Override
    public long monotonicNanos(double unixSeconds) {
        return Math.round(unixSeconds * NANOS_PER_SECOND);
    }

    /** Waits for the first call. */
    void awaitCall(long millis) throws InterruptedException {
        if (!anyCall.await(millis, TimeUnit.MILLISECONDS)) {
            throw new AssertionError("No call was recorded within " + millis + " ms");
        }
    }

    /** Lists the calls recorded so far. */
    public List<Recorded> calls() {
        return List.copyOf(calls);
    }

    /** Lists the observations recorded so far. */
    public List<Observed> observations() {
        return List.copyOf(observations);
    }

    /** Lists what was rejected so far. */
    public List<Rejected> rejected() {
        return List.copyOf(rejected);
    }
}
