package org.diperf.tester.engine;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.clock.WallClock;
import org.diperf.core.plan.OnFailure;
import org.diperf.core.plan.Stage;
import org.diperf.core.sample.CallData;
import org.diperf.core.sample.CallExchange;
import org.diperf.core.sample.CallWriter;
import org.diperf.core.sample.ExchangeWriter;
import org.diperf.core.sample.ObservationWriter;
import org.diperf.core.sample.Outcome;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.Recorder;
import org.diperf.tester.engine.call.BlockSink;
import org.diperf.tester.engine.call.DetailedCalls;
import org.diperf.tester.engine.call.RunSetup;
import org.diperf.tester.engine.call.SampleStream;
import org.jspecify.annotations.Nullable;

/** What clients report by themselves, calls that they timed and observations, from all threads. Thread-safe. */
final class Records {

    /** Stands for the tester as a whole. */
    static final int NO_CLIENT = -1;

    private static final int MAX_KINDS = 1_000;
    private static final int MAX_EXAMPLE = 200;
    private static final String OTHER = "other";
    /** Observed by plugins that do not declare them, and found by these names. */
    private static final Set<String> ANALYZED = Set.of("network.rtt", "network.bandwidth", "client.startup");

    private final RunSetup setup;
    private final BlockSink sink;
    private final NanoClock clock;
    private final WallClock wall;
    private final SampleStream calls;
    private final CallData timed = new CallData();
    private final ObservationWriter observations;
    private final ExchangeWriter exchanges;
    private final Map<String, Long> rejected = new LinkedHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private volatile long startNanos;
    private volatile boolean started;
    private final AtomicLong ok = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();

    Records(RunSetup setup, BlockSink sink, NanoClock clock, WallClock wall) {
        this.setup = setup;
        this.sink = sink;
        this.clock = clock;
        this.wall = wall;
        this.calls = new SampleStream(setup.tester(), setup.metrics().size(), sink);
        this.observations = new ObservationWriter(setup.tester(), SampleStream.BLOCK_CALLS);
        this.exchanges = new ExchangeWriter(setup.tester());
    }

    void start(long atNanos) {
        startNanos = atNanos;
        started = true;
    }

    void observe(String metric, long atNanos, double value, int client) {
        lock.lock();
        try {
            observations.add(
                    metric,
                    atNanos,
                    value,
                    client == NO_CLIENT ? ObservationWriter.NONE : client,
                    ObservationWriter.NONE);
            if (observations.isFull()) {
                sink.write(observations);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Adds a call that is shown whole. */
    void show(CallExchange exchange) {
        lock.lock();
        try {
            exchanges.add(exchange);
            if (exchanges.isFull()) {
                sink.write(exchanges);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Passes on what there is; to be called every 100 ms. */
    void flush() {
        flush(false);
    }

    /** Passes on all that is left. */
    void flushAll() {
        flush(true);
    }

    private void flush(boolean atEnd) {
        DetailedCalls shown = setup.shown();
        if (shown != null) {
            shown.flush(clock.nanoTime(), atEnd);
        }
        lock.lock();
        try {
            calls.flush();
            if (observations.rows() > 0) {
                sink.write(observations);
            }
            if (exchanges.rows() > 0) {
                sink.write(exchanges);
            }
        } finally {
            lock.unlock();
        }
    }

    long recordedOk() {
        return ok.get();
    }

    long recordedFailed() {
        return failed.get();
    }

    /** Returns what clients could not use, by kind. */
    Map<String, Long> rejected() {
        synchronized (rejected) {
            return Map.copyOf(rejected);
        }
    }

    /** Makes the recorder of one client, or of the tester as a whole. */
    Recorder recorder(int client) {
        return new ClientRecorder(client);
    }

    private Stage stageNow() {
        List<Stage> stages = setup.plan().stages();
        int at = stages.size() - 1;
        long elapsed = started ? clock.nanoTime() - startNanos : 0;
        while (at > 0 && stages.get(at).startNanos() > elapsed) {
            at--;
        }
        return stages.get(at);
    }

    private void reject(String what, String example) {
        // Before it is cut off: a piece of a secret is one too.
        String kind = Outcome.ofFailure(setup.script().masked(what));
        boolean first;
        // Not the lock of the samples, which is held while the sink is full.
        synchronized (rejected) {
            String key = rejected.containsKey(kind) || rejected.size() < MAX_KINDS ? kind : OTHER;
            first = rejected.merge(key, 1L, Long::sum) == 1;
        }
        if (first) {
            String shown = setup.script().masked(example);
            String cut = shown.length() > MAX_EXAMPLE ? shown.substring(0, MAX_EXAMPLE) : shown;
            setup.log("Rejected: " + kind + ", such as: " + cut);
        }
    }

    private final class ClientRecorder implements Recorder {

        private final int client;

        ClientRecorder(int client) {
            this.client = client;
        }

        @Override
        public void call(long callStartNanos, long endNanos, long bytes, @Nullable String failure) {
            call(callStartNanos, endNanos, bytes, failure, CallWriter.UNKNOWN);
        }

        @Override
        public void call(long callStartNanos, long endNanos, long bytes, @Nullable String failure, long waitedNanos) {
            long latency = endNanos - callStartNanos;
            if (latency < 0 || bytes < 0) {
                throw new IllegalArgumentException(
                        "Recorder.call: expected an end that is not before the start and at least 0 bytes, got "
                                + latency + " ns and " + bytes + " bytes");
            }
            int number = client == NO_CLIENT ? setup.plan().clientAt(setup.slot(), 0) : client;
            int target = setup.targetOf(number, 0);
            String outcome = failure == null
                    ? Outcome.OK
                    : Outcome.ofFailure(setup.script().masked(failure));
            Stage at = stageNow();
            lock.lock();
            try {
                boolean bounded = failure == null && waitedNanos != CallWriter.UNKNOWN;
                var unused = calls.add(timed.of(at.number(), number, 0, target)
                        .times(callStartNanos, 0, latency)
                        .ended(outcome, bytes)
                        .errors(
                                bounded ? Math.min(latency, Math.max(0, waitedNanos)) : CallWriter.UNKNOWN,
                                bounded ? 0 : CallWriter.UNKNOWN));
                (failure == null ? ok : failed).incrementAndGet();
            } finally {
                lock.unlock();
            }
            if (failure != null) {
                failed(at, number, outcome);
            }
        }

        private void failed(Stage at, int number, String outcome) {
            if (at.load().onFailure() == OnFailure.ABORT) {
                setup.abortAfter(number, outcome, at.load());
            } else if (at.load().onFailure() == OnFailure.RETIRE_CLIENT && client != NO_CLIENT) {
                setup.retire(client);
            }
        }

        @Override
        public void observe(Metric metric, long atNanos, double value) {
            Records.this.observe(shown(metric), atNanos, value, client);
        }

        /** Returns the name without secrets; one that the plugin declared or the analyzer looks for can hold none. */
        private String shown(Metric metric) {
            String name = metric.name();
            boolean constant = ANALYZED.contains(name) || setup.metrics().contains(metric);
            return constant ? name : setup.script().masked(name);
        }

        @Override
        public void reject(String what, String example) {
            Records.this.reject(what, example);
        }

        @Override
        public long monotonicNanos(double unixSeconds) {
            return clock.nanoTime() + Math.round((unixSeconds - wall.unixSeconds()) * 1e9);
        }
    }
}
