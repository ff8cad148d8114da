package org.diperf.tester.engine.stage;

import org.diperf.tester.engine.loop.CallSlot;
import org.diperf.tester.engine.loop.ClientState;
import org.jspecify.annotations.Nullable;

/** Slots of which the last one in is the first one out; linked through the slots. Confined to its loop. */
final class SlotStack {

    private @Nullable CallSlot top;

    boolean isEmpty() {
        return top == null;
    }

    /** Adds a slot that stands in no queue. */
    void push(CallSlot slot) {
        slot.linked = true;
        slot.linkedNext = top;
        top = slot;
    }

    @Nullable
    CallSlot pop() {
        CallSlot slot = top;
        if (slot != null) {
            top = slot.linkedNext;
            slot.linked = false;
            slot.linkedNext = null;
        }
        return slot;
    }

    void clear() {
        while (pop() != null) {
            // it is unlinked, which is all
        }
    }

    /** Takes out the slots of a client. */
    void remove(ClientState cell) {
        SlotStack kept = new SlotStack();
        for (CallSlot slot = pop(); slot != null; slot = pop()) {
            if (slot.cell != cell) {
                kept.push(slot);
            }
        }
        for (CallSlot slot = kept.pop(); slot != null; slot = kept.pop()) {
            push(slot);
        }
    }
}
