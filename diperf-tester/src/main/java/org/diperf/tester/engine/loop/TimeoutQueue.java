package org.diperf.tester.engine.loop;

import org.jspecify.annotations.Nullable;

/**
 * Calls that wait for the same span, oldest first, so that only the head need be looked at. Linked through the calls
 * themselves. Confined to its loop.
 */
final class TimeoutQueue {

    private final long spanNanos;
    private @Nullable CallSlot head;
    private @Nullable CallSlot tail;

    TimeoutQueue(long spanNanos) {
        this.spanNanos = spanNanos;
    }

    long spanNanos() {
        return spanNanos;
    }

    /** Appends a call whose waiting begins now. */
    void add(CallSlot slot, long nowNanos) {
        slot.queue = this;
        slot.waitEndNanos = nowNanos + spanNanos;
        slot.older = tail;
        slot.younger = null;
        if (tail == null) {
            head = slot;
        } else {
            tail.younger = slot;
        }
        tail = slot;
    }

    /** Takes out the call. */
    void remove(CallSlot slot) {
        CallSlot older = slot.older;
        CallSlot younger = slot.younger;
        if (older == null) {
            head = younger;
        } else {
            older.younger = younger;
        }
        if (younger == null) {
            tail = older;
        } else {
            younger.older = older;
        }
        slot.older = null;
        slot.younger = null;
        slot.queue = null;
    }

    /** Takes out the call that waits longest if its span is over. */
    @Nullable
    CallSlot pollDue(long nowNanos) {
        CallSlot slot = head;
        if (slot == null || slot.waitEndNanos - nowNanos > 0) {
            return null;
        }
        remove(slot);
        return slot;
    }

    /** Returns the call that waits longest. */
    @Nullable
    CallSlot oldest() {
        return head;
    }
}
