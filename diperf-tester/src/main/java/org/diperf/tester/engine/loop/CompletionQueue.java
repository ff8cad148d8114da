package org.diperf.tester.engine.loop;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** Calls that were ended on other threads, on their way to their loop. Linked through the calls; allocates nothing. */
final class CompletionQueue {

    private static final VarHandle NEWEST;

    static {
        try {
            NEWEST = MethodHandles.lookup().findVarHandle(CompletionQueue.class, "newest", CallSlot.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile @Nullable CallSlot newest;

    /** Adds an ended call; says whether there was none before, so that the loop has to be told. Any thread. */
    boolean add(CallSlot slot) {
        CallSlot first;
        do {
            first = newest;
            slot.handedNext = first;
        } while (!NEWEST.compareAndSet(this, first, slot));
        return first == null;
    }

    boolean isEmpty() {
        return newest == null;
    }

    /** Takes all there are and gives the oldest, linked to the younger ones. The loop's thread only. */
    @Nullable
    CallSlot takeAll() {
        if (newest == null) {
            return null;
        }
        CallSlot slot = (CallSlot) NEWEST.getAndSet(this, (CallSlot) null);
        CallSlot oldest = null;
        while (slot != null) {
            CallSlot next = slot.handedNext;
            slot.handedNext = oldest;
            oldest = slot;
            slot = next;
        }
        return oldest;
    }
}
