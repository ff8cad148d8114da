package org.diperf.tester.engine;

import org.diperf.core.plan.ArrivalStream;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.plan.Stage;
import org.jspecify.annotations.Nullable;

/**
 * Open load on one loop: its share of the tester's arrivals, each given to the slot that was freed last. All that is due
 * is sent at once, however late; nothing is filled in or left out.
 */
final class OpenStage implements StageRun {

    /** Arrivals sent before I/O gets its turn. */
    private static final int BATCH = 512;

    private final CallLoop loop;
    private final Stage stage;
    private final long startNanos;
    private final ArrivalStream arrivals;
    private final int places;
    private final TimerHeap.Due arrival;
    private long drawn;
    private long nextNanos;
    private int nextUnopened;
    private @Nullable CallSlot free;

    /** @param startNanos of the stage, on the tester's clock */
    OpenStage(CallLoop loop, RunSetup setup, Stage stage, OpenLoad load, long startNanos) {
        this.loop = loop;
        this.stage = stage;
        this.startNanos = startNanos;
        this.arrivals = load.arrivals(
                setup.plan().seed(),
                stage.number(),
                setup.tester(),
                setup.plan().testers());
        this.places = loop.ownPlaces(setup.clientsOf(stage));
        this.arrival = new TimerHeap.Due(true) {
            @Override
            void fire(long nowNanos) {
                send(nowNanos);
            }
        };
    }

    @Override
    public void begin() {
        nextUnopened = loop.cells().size();
        for (int i = Math.min(places, nextUnopened) - 1; i >= 0; i--) {
            ClientCell cell = loop.cells().get(i);
            cell.stageCalls = 0;
            takeIn(cell);
        }
        draw();
        armNext();
    }

    private void takeIn(ClientCell cell) {
        CallSlot[] slots = cell.slots();
        for (int s = slots.length - 1; s >= 0; s--) {
            slots[s].user = this;
            if (!slots[s].busy) {
                push(slots[s]);
            }
        }
    }

    private void push(CallSlot slot) {
        slot.linked = true;
        slot.linkedNext = free;
        free = slot;
    }

    /** Draws this loop's next arrival: those of the tester whose number is the loop's modulo the number of loops. */
    private void draw() {
        long next;
        do {
            next = arrivals.next();
        } while (next != ArrivalStream.END && drawn++ % loop.loops() != loop.index());
        nextNanos = next;
    }

    private void armNext() {
        if (nextNanos != ArrivalStream.END) {
            loop.timers().arm(arrival, startNanos + nextNanos);
        }
    }

    private void send(long nowNanos) {
        int sent = 0;
        while (nextNanos != ArrivalStream.END && startNanos + nextNanos - nowNanos <= 0 && sent++ < BATCH) {
            long intended = startNanos + nextNanos;
            draw();
            CallSlot slot = takeFree();
            if (slot == null) {
                loop.drop(stage, intended);
            } else {
                loop.call(slot, stage, intended);
            }
        }
        armNext();
    }

    private @Nullable CallSlot takeFree() {
        if (loop.busy() >= places) {
            return null;
        }
        if (free == null && nextUnopened < places) {
            nextUnopened++;
            takeIn(loop.openNext());
        }
        CallSlot slot = free;
        if (slot != null) {
            free = slot.linkedNext;
            slot.linked = false;
            slot.linkedNext = null;
        }
        return slot;
    }

    @Override
    public void leave() {
        loop.timers().disarm(arrival);
        while (free != null) {
            CallSlot slot = free;
            free = slot.linkedNext;
            slot.linked = false;
            slot.linkedNext = null;
        }
        for (ClientCell cell : loop.cells()) {
            for (CallSlot slot : cell.slots()) {
                slot.user = null;
            }
        }
        nextNanos = ArrivalStream.END;
    }

    @Override
    public void freed(CallSlot slot, long endNanos) {
        push(slot);
    }

    @Override
    public void startNext(CallSlot slot, long nowNanos) {
        throw new IllegalStateException("In open load only arrivals start calls");
    }

    @Override
    public void replaced(ClientCell old, ClientCell fresh, long nowNanos) {
        fresh.stageCalls = old.stageCalls;
        for (CallSlot slot : old.slots()) {
            slot.user = null;
        }
        CallSlot kept = null;
        while (free != null) {
            CallSlot slot = free;
            free = slot.linkedNext;
            slot.linked = false;
            slot.linkedNext = null;
            if (slot.cell != old) {
                slot.linkedNext = kept;
                kept = slot;
            }
        }
        while (kept != null) {
            CallSlot slot = kept;
            kept = slot.linkedNext;
            push(slot);
        }
        takeIn(fresh);
    }
}
