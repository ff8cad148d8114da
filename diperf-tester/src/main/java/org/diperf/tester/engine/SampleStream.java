package org.diperf.tester.engine;

import org.diperf.core.sample.CallWriter;
import org.diperf.core.sample.Outcome;
import org.jspecify.annotations.Nullable;

/** Gathers the calls of one loop into blocks and passes each on when it is full. Confined to the loop. */
final class SampleStream {

    /** Calls a block. */
    static final int BLOCK_CALLS = 1_000;

    /** Age at which a block that is not full is passed on. */
    static final long BLOCK_AGE_NANOS = 100_000_000L;

    private final int tester;
    private final CallWriter calls;
    private final BlockSink sink;
    /** Made when the first comes. */
    private @Nullable CallWriter groups;

    SampleStream(int tester, int metrics, BlockSink sink) {
        this.tester = tester;
        this.calls = new CallWriter(tester, BLOCK_CALLS, metrics);
        this.sink = sink;
    }

    /** Adds a call; says whether it is the first of a new block. */
    boolean add(CallState call, long endNanos, String outcome) {
        call.writeTo(calls, endNanos, outcome);
        return added();
    }

    /** Adds something that is no call of a client; says whether it is the first of a new block. */
    boolean add(
            int stage,
            int client,
            int target,
            long intendedNanos,
            long lagNanos,
            long latencyNanos,
            String outcome,
            long bytes) {
        calls.add(stage, client, 0, target, intendedNanos, lagNanos, latencyNanos, outcome, bytes, false);
        return added();
    }

    /** Adds a call that its client timed; {@code errorIn} may be {@link CallWriter#UNKNOWN}. */
    void addTimed(
            int stage,
            int client,
            int target,
            long sentNanos,
            long latencyNanos,
            String outcome,
            long bytes,
            long errorIn) {
        calls.add(stage, client, 0, target, sentNanos, 0, latencyNanos, outcome, bytes, false);
        if (errorIn != CallWriter.UNKNOWN && outcome.equals(Outcome.OK)) {
            calls.bounds(Math.min(latencyNanos, errorIn), 0, 0);
        }
        var unused = added();
    }

    /** Adds a group of calls; says whether it is the first of a new block. */
    boolean addGroup(
            int stage,
            int client,
            int group,
            int target,
            long intendedNanos,
            long lagNanos,
            long endNanos,
            String outcome,
            long bytes) {
        CallWriter to = groups;
        if (to == null) {
            to = CallWriter.ofGroups(tester, BLOCK_CALLS);
            groups = to;
        }
        long latency = Math.max(lagNanos, endNanos - intendedNanos);
        to.add(stage, client, group, target, intendedNanos, lagNanos, latency, outcome, bytes, false);
        if (to.isFull()) {
            sink.write(to);
        }
        return to.rows() == 1;
    }

    private boolean added() {
        if (calls.isFull()) {
            sink.write(calls);
        }
        return calls.rows() == 1;
    }

    /** Passes on what there is. */
    void flush() {
        if (calls.rows() > 0) {
            sink.write(calls);
        }
        if (groups != null && groups.rows() > 0) {
            sink.write(groups);
        }
    }
}
