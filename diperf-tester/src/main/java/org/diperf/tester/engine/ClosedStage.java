package org.diperf.tester.engine;

import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Plan;
import org.diperf.core.plan.Stage;
import org.diperf.core.plan.Think;
import org.jspecify.annotations.Nullable;

/**
 * Closed load on one loop: each slot calls again when its call has ended and it has thought. A client that called in the
 * closed stage before, and whose life in this one begins with it, goes on as if there was one stage.
 */
final class ClosedStage implements StageRun {

    /** A client that could not be opened fails its calls at this pace when it does not think. */
    static final long BROKEN_PAUSE_NANOS = 100_000_000L;

    private final CallLoop loop;
    private final Plan plan;
    private final Stage stage;
    private final ClosedLoad load;
    private final Deadlines.Span span;
    private final int places;
    private final long startNanos;
    private final long plannedEndNanos;
    private final long joinNanos;
    private final TimerHeap.Due stageEnd;
    private long endNanos;
    private boolean ended;
    private int living;

    /** @param startNanos of the stage, on the tester's clock */
    ClosedStage(CallLoop loop, RunSetup setup, Stage stage, ClosedLoad load, long startNanos) {
        this.loop = loop;
        this.plan = setup.plan();
        this.stage = stage;
        this.load = load;
        this.span = loop.deadlines().of(load);
        this.places = setup.clientsOf(stage);
        this.startNanos = startNanos;
        this.plannedEndNanos = startNanos + load.lengthNanos();
        this.endNanos = plannedEndNanos;
        this.joinNanos = startNanos - stage.startNanos() + setup.joinNanos();
        this.stageEnd = new TimerHeap.Due(false) {
            @Override
            void fire(long nowNanos) {
                stageEnded();
            }
        };
    }

    @Override
    public void begin(long nowNanos) {
        loop.clients().openUpTo(loop.clients().ownPlaces(places));
        for (ClientCell cell : loop.clients().cells()) {
            cell.enter(stage, load);
            cell.living = takesPart(cell);
            if (cell.living) {
                living++;
                long planned = startNanos + load.clientStartNanos(cell.index());
                takeIn(cell, planned - joinNanos < 0 ? joinNanos : planned, nowNanos);
            }
        }
        loop.timers().arm(stageEnd, plannedEndNanos);
        checkExhausted();
    }

    private boolean takesPart(ClientCell cell) {
        return !cell.retired && takesPart(load, cell.place() < places, cell.index());
    }

    /** Says whether a client of this index makes any call in a load, given whether it has a place in it. */
    static boolean takesPart(ClosedLoad load, boolean hasPlace, int index) {
        return hasPlace
                && load.quota().callsOf(index, load.clients()) > 0
                && load.quota().bytesOf(index, load.clients()) > 0
                && load.clientEndNanos(index) > load.clientStartNanos(index);
    }

    /** Says whether a client that calls when this stage begins goes on without a new start. */
    private boolean keeps(ClientCell cell) {
        return takesPart(cell) && load.clientStartNanos(cell.index()) == 0;
    }

    private void takeIn(ClientCell cell, long start, long nowNanos) {
        for (CallSlot slot : cell.slots()) {
            if (!slot.dead) {
                slot.user = this;
                if (!slot.active) {
                    slot.nextIntendedNanos = start;
                    slot.awaitsStageStart = true;
                }
                if (!slot.busy) {
                    queue(slot, nowNanos);
                }
            }
        }
    }

    private void queue(CallSlot slot, long nowNanos) {
        if (slot.nextIntendedNanos - nowNanos <= 0) {
            loop.makeReady(slot);
        } else {
            loop.timers().arm(slot.nextStart, slot.nextIntendedNanos);
        }
    }

    @Override
    public void endAt(long nanos) {
        endNanos = nanos;
    }

    private void stageEnded() {
        if (loop.stages().isFollowedBy(plannedEndNanos)) {
            // The next stage takes over in this very turn; who stays there is active all along.
            return;
        }
        ended = true;
        for (ClientCell cell : loop.clients().cells()) {
            for (CallSlot slot : cell.slots()) {
                if (!slot.busy) {
                    loop.deactivate(slot);
                }
            }
        }
    }

    @Override
    public void leave(@Nullable StageRun next) {
        loop.timers().disarm(stageEnd);
        for (ClientCell cell : loop.clients().cells()) {
            boolean kept = next instanceof ClosedStage closed && closed.keeps(cell);
            for (CallSlot slot : cell.slots()) {
                loop.timers().disarm(slot.nextStart);
                slot.user = null;
                if (!kept) {
                    loop.deactivate(slot);
                }
            }
        }
    }

    @Override
    public void freed(CallSlot slot, long callEndNanos) {
        ClientCell cell = slot.cell;
        if (!slot.awaitsStageStart) {
            slot.nextIntendedNanos = cell.failure() != null && load.think() == Think.NONE
                    ? callEndNanos + BROKEN_PAUSE_NANOS
                    : plan.nextIntendedNanos(stage, cell.client(), cell.stageCalls, callEndNanos);
        }
        if (!mayCall(cell)) {
            loop.deactivate(slot);
        } else if (isOver(slot)) {
            rest(slot, callEndNanos);
        } else {
            queue(slot, callEndNanos);
        }
    }

    @Override
    public void prepared(CallSlot slot, Stage ofStage, Deadlines.Span ofSpan, long stepEndNanos) {
        if (!slot.awaitsStageStart) {
            slot.nextIntendedNanos = stepEndNanos;
        }
        if (!mayCall(slot.cell)) {
            loop.deactivate(slot);
        } else if (isOver(slot)) {
            rest(slot, stepEndNanos);
        } else {
            queue(slot, stepEndNanos);
        }
    }

    @Override
    public void startNext(CallSlot slot, long nowNanos) {
        if (slot.busy) {
            return;
        }
        if (!mayCall(slot.cell)) {
            loop.deactivate(slot);
        } else if (isOver(slot)) {
            rest(slot, nowNanos);
        } else if (slot.nextIntendedNanos - nowNanos > 0) {
            loop.timers().arm(slot.nextStart, slot.nextIntendedNanos);
        } else {
            slot.awaitsStageStart = false;
            loop.activate(slot);
            loop.call(slot, stage, span, slot.nextIntendedNanos);
        }
    }

    /** Says whether the client has calls and bytes left; what one lane has used up the others have too. */
    private boolean mayCall(ClientCell cell) {
        if (cell.living && cell.isSpent()) {
            die(cell);
        }
        return cell.living;
    }

    private void die(ClientCell cell) {
        if (cell.living) {
            cell.living = false;
            living--;
            checkExhausted();
        }
    }

    private void checkExhausted() {
        if (living == 0 && (places > 0 || load.quota().isLimited())) {
            loop.stages().exhausted();
        }
    }

    @Override
    public void retired(ClientCell cell) {
        die(cell);
        for (CallSlot slot : cell.slots()) {
            loop.timers().disarm(slot.nextStart);
            if (!slot.busy) {
                loop.deactivate(slot);
            }
        }
    }

    @Override
    public void replaced(ClientCell old, ClientCell fresh, long nowNanos) {
        fresh.takeOver(old);
        old.living = false;
        for (CallSlot slot : old.slots()) {
            loop.timers().disarm(slot.nextStart);
            loop.deactivate(slot);
            slot.user = null;
        }
        if (mayCall(fresh)) {
            takeIn(fresh, nowNanos, nowNanos);
        }
    }

    private boolean isOver(CallSlot slot) {
        return slot.nextIntendedNanos - endNanos >= 0 || slot.nextIntendedNanos - lifeEndNanos(slot) >= 0;
    }

    private long lifeEndNanos(CallSlot slot) {
        return startNanos + load.clientEndNanos(slot.cell.index());
    }

    /** Lets a slot wait that has no more calls here: until its life ends, or the stage, whose next one may keep it. */
    private void rest(CallSlot slot, long nowNanos) {
        long lifeEnd = lifeEndNanos(slot);
        if (ended || lifeEnd - nowNanos <= 0 && lifeEnd - plannedEndNanos < 0) {
            loop.deactivate(slot);
        } else if (lifeEnd - plannedEndNanos < 0) {
            loop.timers().arm(slot.nextStart, lifeEnd);
        }
    }
}
