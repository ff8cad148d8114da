package org.diperf.tester.engine.loop;

import org.jspecify.annotations.Nullable;

/** Slots whose next call is due at once, first come first served; linked through the slots. Confined to its loop. */
final class ReadyQueue {

    private @Nullable CallSlot head;
    private @Nullable CallSlot tail;

    boolean isEmpty() {
        return head == null;
    }

    /** Appends a slot that stands in no queue. */
    void add(CallSlot slot) {
        if (slot.linked) {
            return;
        }
        slot.linked = true;
        slot.linkedNext = null;
        if (tail == null) {
            head = slot;
        } else {
            tail.linkedNext = slot;
        }
        tail = slot;
    }

    /** Lets go of all but those whose iteration is under way. */
    void clear() {
        CallSlot slot = head;
        head = null;
        tail = null;
        while (slot != null) {
            CallSlot next = slot.linkedNext;
            slot.linked = false;
            slot.linkedNext = null;
            if (slot.resuming) {
                add(slot);
            }
            slot = next;
        }
    }

    @Nullable
    CallSlot poll() {
        CallSlot slot = head;
        if (slot != null) {
            head = slot.linkedNext;
            if (head == null) {
                tail = null;
            }
            slot.linked = false;
            slot.linkedNext = null;
        }
        return slot;
    }
}
