package org.diperf.tester.engine.stage;

import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Plan;
import org.diperf.core.plan.Stage;
import org.diperf.core.plan.ThinkTime;
import org.diperf.tester.engine.call.RunSetup;
import org.diperf.tester.engine.loop.CallLoop;
import org.diperf.tester.engine.loop.CallSlot;
import org.diperf.tester.engine.loop.ClientState;
import org.diperf.tester.engine.loop.Deadlines;
import org.diperf.tester.engine.loop.StageRun;
import org.diperf.tester.engine.loop.Stages;
import org.diperf.tester.engine.loop.TimerHeap;
import org.jspecify.annotations.Nullable;

/**
 * Closed load on one loop: each slot calls again when its call has ended and it has thought. A client that called in the
 * closed stage before, and whose life in this one begins with it, continues as if they were one stage.
 */
final class ClosedStage implements StageRun {

    /** A client that could not be opened fails its calls at this pace when it does not think. */
    static final long BROKEN_PAUSE_NANOS = 100_000_000L;

    private final CallLoop loop;
    private final StageSequencer line;
    private final Plan plan;
    private final int slot;
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
    ClosedStage(CallLoop loop, StageSequencer line, RunSetup setup, Stage stage, ClosedLoad load, long startNanos) {
        this.loop = loop;
        this.line = line;
        this.plan = setup.plan();
        this.slot = setup.slot();
        this.stage = stage;
        this.load = load;
        this.span = loop.deadlines().of(load);
        this.places = setup.clientsOf(stage);
        this.startNanos = startNanos;
        this.plannedEndNanos = startNanos + load.lengthNanos();
        this.endNanos = plannedEndNanos;
        this.joinNanos = startNanos - stage.startNanos() + setup.joinNanos();
        this.stageEnd = new TimerHeap.Due(false, this::stageEnded);
    }

    @Override
    public void begin(long nowNanos) {
        int own = loop.share().ownPlaces(places);
        for (int i = 0; i < own; i++) {
            if (takesPart(load, true, indexAt(i)) && !isRetired(i)) {
                living++;
            }
        }
        for (ClientState cell : loop.clients().cells()) {
            if (!cell.released) {
                enter(cell, nowNanos);
            }
        }
        loop.timers().arm(stageEnd, plannedEndNanos);
        checkExhausted();
    }

    /** Returns the number of a loop's client among those of the plan's loads. */
    private int indexAt(int own) {
        return plan.indexOf(plan.clientAt(slot, loop.share().place(own)));
    }

    private boolean isRetired(int own) {
        return own < loop.clients().cells().size() && loop.clients().cells().get(own).retired;
    }

    private void enter(ClientState cell, long nowNanos) {
        cell.enter(stage, load);
        cell.living = takesPart(cell);
        if (cell.living) {
            takeIn(cell, clientStartNanos(cell), nowNanos);
        }
    }

    /** Returns the instant at which a client begins: as planned, or when its tester joined. */
    private long clientStartNanos(ClientState cell) {
        long planned = startNanos + load.clientStartNanos(cell.index());
        return planned - joinNanos < 0 ? joinNanos : planned;
    }

    @Override
    public void opened(ClientState cell, long nowNanos) {
        if (cell.stage != stage.number()) {
            enter(cell, nowNanos);
        }
    }

    @Override
    public long untilStart(ClientState cell, long nowNanos) {
        return cell.stage != stage.number() && takesPart(cell) ? clientStartNanos(cell) - nowNanos : Stages.NEVER;
    }

    private boolean takesPart(ClientState cell) {
        return !cell.retired && takesPart(load, cell.place() < places, cell.index());
    }

    /** Returns whether a client of this index makes any call in a load, given whether it has a place in it. */
    static boolean takesPart(ClosedLoad load, boolean hasPlace, int index) {
        return hasPlace
                && load.quota().callsOf(index, load.clients()) > 0
                && load.quota().bytesOf(index, load.clients()) > 0
                && load.clientEndNanos(index) > load.clientStartNanos(index);
    }

    @Override
    public boolean keeps(ClientState cell) {
        return takesPart(cell) && !cell.released && load.clientStartNanos(cell.index()) == 0;
    }

    private void takeIn(ClientState cell, long start, long nowNanos) {
        for (CallSlot slot : cell.slots()) {
            if (!slot.dead) {
                slot.user = this;
                if (!slot.active) {
                    slot.nextIntendedNanos = start;
                    slot.awaitsStageStart = true;
                }
                if (!slot.busy) {
                    slot.startAt(slot.nextIntendedNanos, nowNanos);
                } else if (slot.isSelfTimed()) {
                    awaitEndOfLife(slot);
                }
            }
        }
    }

    @Override
    public void endAt(long nanos) {
        endNanos = nanos;
    }

    private void stageEnded(long nowNanos) {
        if (line.isFollowedBy(plannedEndNanos)) {
            // The next stage takes over in this very turn; who stays there is active all along.
            return;
        }
        ended = true;
        for (ClientState cell : loop.clients().cells()) {
            for (CallSlot slot : cell.slots()) {
                if (!slot.busy) {
                    loop.deactivate(slot);
                } else if (slot.isSelfTimed()) {
                    loop.endSelfTimed(slot, nowNanos);
                }
            }
        }
    }

    @Override
    public void leave(@Nullable StageRun next) {
        loop.timers().disarm(stageEnd);
        for (ClientState cell : loop.clients().cells()) {
            boolean kept = next != null && next.keeps(cell);
            if (!kept && cell.lived) {
                loop.clients().release(cell);
            }
            for (CallSlot slot : cell.slots()) {
                slot.disarm();
                slot.user = null;
                if (!(next instanceof ClosedStage) || !kept) {
                    loop.deactivate(slot);
                }
            }
        }
    }

    @Override
    public void freed(CallSlot slot, long callEndNanos) {
        ClientState cell = slot.cell;
        if (slot.isSelfTimed()) {
            // Its one iteration in this stage is over, be it before its time.
            die(cell);
        }
        if (!slot.awaitsStageStart) {
            slot.nextIntendedNanos = nextIntendedNanos(cell, slot.nextIntendedNanos, callEndNanos);
        }
        if (!mayCall(cell)) {
            over(slot);
        } else if (isOver(slot)) {
            rest(slot, callEndNanos);
        } else {
            slot.startAt(slot.nextIntendedNanos, callEndNanos);
        }
    }

    /** The one place that says when a client's next iteration is due. */
    private long nextIntendedNanos(ClientState cell, long intendedNanos, long endNanos) {
        return cell.failure() != null && load.think() instanceof ThinkTime.None
                ? endNanos + BROKEN_PAUSE_NANOS
                : plan.nextIntendedNanos(stage, cell.client(), cell.stageCalls, intendedNanos, endNanos);
    }

    @Override
    public void startNext(CallSlot slot, long nowNanos) {
        if (slot.busy) {
            if (slot.isSelfTimed() && lifeEndNanos(slot) - nowNanos <= 0) {
                loop.endSelfTimed(slot, nowNanos);
            }
            return;
        }
        if (!mayCall(slot.cell)) {
            over(slot);
        } else if (isOver(slot)) {
            rest(slot, nowNanos);
        } else if (slot.nextIntendedNanos - nowNanos > 0) {
            slot.startAt(slot.nextIntendedNanos, nowNanos);
        } else {
            slot.awaitsStageStart = false;
            loop.activate(slot);
            loop.iterate(slot, stage, span, slot.nextIntendedNanos);
            if (slot.isSelfTimed()) {
                awaitEndOfLife(slot);
            }
        }
    }

    /** Has a client that times its calls itself end with its life, where that is before the stage's end. */
    private void awaitEndOfLife(CallSlot slot) {
        long lifeEnd = lifeEndNanos(slot);
        if (lifeEnd - plannedEndNanos < 0) {
            loop.timers().arm(slot.nextStart, lifeEnd);
        }
    }

    /** Ends the part of a slot in this stage; the client is closed when its last call has ended. */
    private void over(CallSlot slot) {
        loop.deactivate(slot);
        loop.clients().release(slot.cell);
    }

    /** Returns whether the client has calls and bytes left; what one lane has used up the others have too. */
    private boolean mayCall(ClientState cell) {
        if (cell.living && cell.isSpent()) {
            die(cell);
        }
        return cell.living;
    }

    private void die(ClientState cell) {
        if (cell.living) {
            cell.living = false;
            living--;
            checkExhausted();
        }
    }

    private void checkExhausted() {
        if (living == 0 && (places > 0 || load.quota().isLimited())) {
            line.exhausted();
        }
    }

    @Override
    public void retired(ClientState cell) {
        die(cell);
        loop.clients().release(cell);
    }

    @Override
    public void replaced(ClientState old, ClientState fresh, long nowNanos) {
        fresh.takeOver(old);
        old.living = false;
        for (CallSlot slot : old.slots()) {
            slot.disarm();
            loop.deactivate(slot);
            slot.user = null;
        }
        if (mayCall(fresh)) {
            takeIn(fresh, nowNanos, nowNanos);
        } else {
            loop.clients().release(fresh);
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
        if (lifeEnd - nowNanos <= 0 && lifeEnd - plannedEndNanos < 0) {
            over(slot);
        } else if (ended) {
            loop.deactivate(slot);
        } else if (lifeEnd - plannedEndNanos < 0) {
            loop.timers().arm(slot.nextStart, lifeEnd);
        }
    }
}
