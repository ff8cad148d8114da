package org.diperf.tester.engine.call;

import org.diperf.core.sample.CallRow;
import org.diperf.core.sample.CallWriter;
import org.diperf.core.sample.EventWriter;
import org.jspecify.annotations.Nullable;

/** Gathers the calls of one loop, and their events, into blocks and passes each on when it is full. Confined to the loop. */
public final class SampleStream {

    /** Calls a block. */
    public static final int BLOCK_CALLS = 1_000;

    /** Events a block. */
    private static final int BLOCK_EVENTS = 4_096;

    /** Age at which a block that is not full is passed on. */
    public static final long BLOCK_AGE_NANOS = 100_000_000L;

    private final int tester;
    private final CallWriter calls;
    private final BlockSink sink;
    /** Made when the first comes. */
    private @Nullable CallWriter groups;

    private @Nullable EventWriter events;

    public SampleStream(int tester, int metrics, BlockSink sink) {
        this.tester = tester;
        this.calls = new CallWriter(tester, BLOCK_CALLS, metrics);
        this.sink = sink;
    }

    /** Adds a call; returns whether it is the first of a new block. */
    public boolean add(CallRow call) {
        return add(calls, call);
    }

    /** Adds a group of calls; returns whether it is the first of a new block. */
    public boolean addGroup(CallRow group) {
        if (groups == null) {
            groups = CallWriter.ofGroups(tester, BLOCK_CALLS);
        }
        return add(groups, group);
    }

    /** Adds events of a call, which are then passed on; returns whether they are the first of a new block. */
    public boolean add(CallEvents of) {
        if (events == null) {
            events = new EventWriter(tester, BLOCK_EVENTS);
        }
        if (events.isFullFor(of.rows())) {
            sink.write(events);
        }
        boolean fresh = events.rows() == 0;
        events.add(of);
        of.passedOn();
        return fresh;
    }

    private boolean add(CallWriter to, CallRow row) {
        to.add(row);
        if (to.isFull()) {
            sink.write(to);
        }
        return to.rows() == 1;
    }

    /** Passes on what there is. */
    public void flush() {
        if (calls.rows() > 0) {
            sink.write(calls);
        }
        if (groups != null && groups.rows() > 0) {
            sink.write(groups);
        }
        if (events != null && events.rows() > 0) {
            sink.write(events);
        }
    }
}
