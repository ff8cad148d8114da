package org.diperf.tester.engine;

import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Stage;
import org.diperf.core.plan.Think;

/** Closed load on one loop: each slot calls again when its call has ended and it has thought. */
final class ClosedStage implements StageRun {

    /** A client that could not be opened fails its calls at this pace when it does not think. */
    static final long BROKEN_PAUSE_NANOS = 100_000_000L;

    private final CallLoop loop;
    private final RunSetup setup;
    private final Stage stage;
    private final ClosedLoad load;
    private final long startNanos;

    /** @param startNanos of the stage, on the tester's clock */
    ClosedStage(CallLoop loop, RunSetup setup, Stage stage, ClosedLoad load, long startNanos) {
        this.loop = loop;
        this.setup = setup;
        this.stage = stage;
        this.load = load;
        this.startNanos = startNanos;
    }

    @Override
    public void begin() {
        int places = setup.clientsOf(stage);
        for (ClientCell cell : loop.cells()) {
            if (cell.place() < places) {
                cell.stageCalls = 0;
                long start = startNanos + load.clientStartNanos(cell.client());
                for (CallSlot slot : cell.slots()) {
                    slot.user = this;
                    enter(slot, start);
                }
            }
        }
    }

    private void enter(CallSlot slot, long start) {
        slot.nextIntendedNanos = start;
        slot.awaitsStageStart = true;
        if (!slot.busy) {
            loop.timers().arm(slot.nextStart, start);
        }
    }

    @Override
    public void leave() {
        for (ClientCell cell : loop.cells()) {
            for (CallSlot slot : cell.slots()) {
                loop.timers().disarm(slot.nextStart);
                retire(slot);
                slot.user = null;
            }
        }
    }

    @Override
    public void freed(CallSlot slot, long endNanos) {
        if (!slot.awaitsStageStart) {
            ClientCell cell = slot.cell;
            slot.nextIntendedNanos = cell.failure() != null && load.think() == Think.NONE
                    ? endNanos + BROKEN_PAUSE_NANOS
                    : setup.plan().nextIntendedNanos(stage, cell.client(), cell.stageCalls, endNanos);
        }
        if (isOver(slot)) {
            retire(slot);
        } else if (slot.nextIntendedNanos - endNanos <= 0) {
            loop.makeReady(slot);
        } else {
            loop.timers().arm(slot.nextStart, slot.nextIntendedNanos);
        }
    }

    @Override
    public void startNext(CallSlot slot, long nowNanos) {
        if (slot.busy) {
            return;
        }
        if (isOver(slot)) {
            retire(slot);
        } else if (slot.nextIntendedNanos - nowNanos > 0) {
            loop.timers().arm(slot.nextStart, slot.nextIntendedNanos);
        } else {
            slot.awaitsStageStart = false;
            if (!slot.active) {
                slot.active = true;
                if (slot.cell.activeSlots++ == 0) {
                    loop.counters().active(1);
                }
            }
            loop.call(slot, stage, slot.nextIntendedNanos);
        }
    }

    @Override
    public void replaced(ClientCell old, ClientCell fresh, long nowNanos) {
        fresh.stageCalls = old.stageCalls;
        for (CallSlot slot : old.slots()) {
            loop.timers().disarm(slot.nextStart);
            retire(slot);
            slot.user = null;
        }
        for (CallSlot slot : fresh.slots()) {
            slot.user = this;
            enter(slot, nowNanos);
        }
    }

    private boolean isOver(CallSlot slot) {
        return slot.nextIntendedNanos - (startNanos + load.clientEndNanos(slot.cell.client())) >= 0;
    }

    private void retire(CallSlot slot) {
        if (slot.active) {
            slot.active = false;
            if (--slot.cell.activeSlots == 0) {
                loop.counters().active(-1);
            }
        }
    }
}
