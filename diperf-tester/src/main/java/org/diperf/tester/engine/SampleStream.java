package org.diperf.tester.engine;

import org.diperf.core.sample.CallRow;
import org.diperf.core.sample.CallWriter;
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

    /** Adds a call; returns whether it is the first of a new block. */
    boolean add(CallRow call) {
        return add(calls, call);
    }

    /** Adds a group of calls; returns whether it is the first of a new block. */
    boolean addGroup(CallRow group) {
        if (groups == null) {
            groups = CallWriter.ofGroups(tester, BLOCK_CALLS);
        }
        return add(groups, group);
    }

    private boolean add(CallWriter to, CallRow row) {
        to.add(row);
        if (to.isFull()) {
            sink.write(to);
        }
        return to.rows() == 1;
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
