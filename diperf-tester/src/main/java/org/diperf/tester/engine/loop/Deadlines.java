package org.diperf.tester.engine.loop;

import java.util.ArrayList;
import java.util.List;
import org.diperf.core.plan.Load;
import org.diperf.tester.engine.call.RunSetup;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one loop that may time out, and those that did and still hold their clients. Calls with the same timeout
 * share a pair of queues, whatever stage they began in. Confined to its loop.
 */
public final class Deadlines {

    /** The queues of one timeout. */
    public static final class Span {

        private final TimeoutQueue waiting;
        private final TimeoutQueue grace;

        Span(Load load) {
            this.waiting = new TimeoutQueue(load.timeoutNanos());
            this.grace = new TimeoutQueue(RunSetup.graceNanos(load));
        }

        /** Begins to wait for the end of a call. */
        void begin(CallSlot slot, long nowNanos) {
            waiting.add(slot, nowNanos);
        }

        /** Lets a call whose time is over hold its client for a while. */
        void allowGrace(CallSlot slot, long nowNanos) {
            grace.add(slot, nowNanos);
        }
    }

    private final List<Span> spans = new ArrayList<>();

    /** Returns the queues for the calls of a load. */
    public Span of(Load load) {
        for (Span span : spans) {
            if (span.waiting.spanNanos() == load.timeoutNanos()) {
                return span;
            }
        }
        Span span = new Span(load);
        spans.add(span);
        return span;
    }

    /** Takes out a call that has timed out, {@code null} when there is none. */
    @Nullable
    CallSlot pollTimedOut(long nowNanos) {
        for (int i = 0; i < spans.size(); i++) {
            CallSlot slot = spans.get(i).waiting.pollDue(nowNanos);
            if (slot != null) {
                return slot;
            }
        }
        return null;
    }

    /** Takes out a call that has held its client for too long, {@code null} when there is none. */
    @Nullable
    CallSlot pollStuck(long nowNanos) {
        for (int i = 0; i < spans.size(); i++) {
            CallSlot slot = spans.get(i).grace.pollDue(nowNanos);
            if (slot != null) {
                return slot;
            }
        }
        return null;
    }

    /** Shortens a wait to the next deadline. */
    long untilNext(long waitNanos, long nowNanos) {
        long wait = waitNanos;
        for (int i = 0; i < spans.size(); i++) {
            Span span = spans.get(i);
            CallSlot slot = span.waiting.oldest();
            wait = slot == null ? wait : Math.min(wait, slot.waitEndNanos - nowNanos);
            slot = span.grace.oldest();
            wait = slot == null ? wait : Math.min(wait, slot.waitEndNanos - nowNanos);
        }
        return wait;
    }
}
