package org.diperf.tester.engine.journey;

import java.io.UncheckedIOException;
import org.diperf.core.plan.Journey;
import org.diperf.core.sample.CallData;
import org.diperf.core.sample.Outcome;
import org.diperf.core.spi.Failure;
import org.diperf.tester.engine.call.CallScript;
import org.diperf.tester.engine.call.CompiledJourney;
import org.diperf.tester.engine.loop.CallLoop;
import org.diperf.tester.engine.loop.CallSlot;
import org.diperf.tester.engine.loop.SlotJourney;
import org.jspecify.annotations.Nullable;

/** The journeys of one slot, one after another, as a file lists their steps or as code in Java takes them. Owned by the slot's owner. */
public final class JourneyRun implements SlotJourney {

    private final CallLoop loop;
    private final CallSlot slot;
    private final CallScript script;
    private final JourneyCursor cursor;
    private final CallData group = new CallData();

    /** Runs journeys in Java; made for the first one. */
    private @Nullable JourneyThread code;

    public JourneyRun(CallLoop loop, CallSlot slot, CallScript script) {
        this.loop = loop;
        this.slot = slot;
        this.script = script;
        this.cursor = new JourneyCursor(script.routes(), this::record);
    }

    @Override
    public void begin(long dueNanos) {
        long iteration = slot.cell.numbers.journeys++;
        CompiledJourney route = routeOf(iteration);
        String usedUp = slot.takeRows(route, iteration);
        if (usedUp != null) {
            loop.usedUp(slot, usedUp, dueNanos);
            return;
        }
        slot.setsOut(iteration);
        cursor.setOut(route, iteration, dueNanos);
        goOn(dueNanos);
    }

    private CompiledJourney routeOf(long iteration) {
        return script.routes().get(script.mix().requestOf(slot.client(), iteration));
    }

    /** Goes on after a call, or from the beginning. */
    private void goOn(long fromNanos) {
        slot.number(slot.cell.numbers.walked);
        try {
            cursor.goOn(slot, fromNanos);
        } catch (UncheckedIOException tooMuch) {
            over(Outcome.ofFailure(Failure.of(tooMuch)), fromNanos);
            return;
        }
        if (cursor.isInCode()) {
            code().begin(cursor.coded(), cursor.iteration(), cursor.dueNanos());
            return;
        }
        long now = loop.nanoTime();
        if (slot.owed && cursor.dueNanos() - now <= 0) {
            resume();
        } else {
            // Through the queue, so that a client that ends its calls at once does not fill the stack.
            slot.resumeAt(loop.isStopping() ? now : cursor.dueNanos(), now);
        }
    }

    @Override
    public void resume() {
        if (cursor.request() == JourneyCursor.OVER) {
            countPlanned();
            loop.iterationEnded(slot, cursor.dueNanos());
        } else if (loop.isStopping()) {
            giveUp(loop.nanoTime());
        } else if (cursor.request() == JourneyCursor.CODE) {
            code().resume(Outcome.OK, cursor.dueNanos());
        } else {
            long ticket = slot.renew(
                    slot.iterationStage(),
                    slot.cell.numbers.walked++,
                    cursor.request(),
                    cursor.iteration(),
                    cursor.dueNanos());
            countPlanned();
            loop.begin(slot, ticket);
        }
    }

    private void countPlanned() {
        if (slot.owed) {
            slot.countPlanned();
        }
    }

    @Override
    public void ended(long endNanos, String outcome) {
        if (!cursor.isUnderWay()) {
            abandon();
            loop.iterationEnded(slot, Math.max(endNanos, cursor.dueNanos()));
            return;
        }
        noteCall();
        if (cursor.isInCode()) {
            cursor.calledAt(endNanos);
            code().resume(outcome, endNanos);
        } else if (outcome.equals(Outcome.OK) || slot.kind().goesOn()) {
            goOn(endNanos);
        } else {
            cursor.callFailed(slot, endNanos, Outcome.within(slot.kind().name(), outcome));
            loop.iterationEnded(slot, cursor.dueNanos());
        }
    }

    private void noteCall() {
        cursor.called(slot.intendedNanos(), slot.sentNanos(), slot.bytes());
    }

    /** Takes what a journey in Java wants next. */
    void asked(JourneyThread by) {
        assert loop.inLoop();
        if (loop.isFinished() || !cursor.isInCode()) {
            abandon();
        } else if (by.nextStep() == JourneyThread.NextStep.END) {
            over(by.end(), by.dueNanos());
        } else if (loop.isStopping()) {
            giveUp(loop.nanoTime());
        } else if (by.nextStep() == JourneyThread.NextStep.PAUSE) {
            cursor.pause(by.dueNanos());
            slot.resumeAt(by.dueNanos(), loop.nanoTime());
        } else {
            cursor.next(by.request(), by.dueNanos());
            resume();
        }
    }

    /** Ends a journey in Java, or one that cannot go on. */
    private void over(String outcome, long atNanos) {
        if (outcome.equals(Outcome.OK)) {
            cursor.codeEnded(slot, atNanos);
        } else {
            if (!cursor.hasCalled()) {
                // Else nobody would know.
                Journey journey = cursor.journey();
                slot.renew(
                        slot.iterationStage(), slot.cell.numbers.walked, journey.first(), cursor.iteration(), atNanos);
                record(journey.group(), atNanos, 0, atNanos, outcome, 0);
            }
            cursor.failed(outcome, atNanos);
        }
        countPlanned();
        loop.iterationEnded(slot, cursor.dueNanos());
    }

    /** Ends an iteration between two calls because the load has stopped. */
    private void giveUp(long nowNanos) {
        cursor.giveUp(nowNanos, Outcome.UNFINISHED);
        loop.leaveOut(slot);
        abandon();
        loop.iterationEnded(slot, nowNanos);
    }

    @Override
    public void timedOut(long nowNanos) {
        // Code hears of it when the client has let go of the call.
        if (cursor.isUnderWay() && !cursor.isInCode() && !slot.kind().goesOn()) {
            noteCall();
            cursor.callFailed(slot, nowNanos, Outcome.within(slot.kind().name(), Outcome.TIMEOUT));
        }
    }

    @Override
    public void stuck(long nowNanos) {
        noteCall();
        cursor.giveUp(nowNanos, Outcome.within(slot.kind().name(), Outcome.TIMEOUT));
        abandon();
    }

    @Override
    public void cutOff(long nowNanos, boolean inCall) {
        if (inCall) {
            noteCall();
            cursor.giveUp(nowNanos, Outcome.UNFINISHED);
        } else if (!slot.resuming && cursor.isInCode()) {
            giveUp(nowNanos);
        }
        // One that resumes is queued since the stop, and ends when its turn comes.
    }

    @Override
    public void failFirst(long nowNanos, String outcome) {
        long iteration = slot.cell.numbers.journeys++;
        Journey journey = routeOf(iteration).journey();
        slot.renew(slot.iterationStage(), slot.cell.numbers.walked++, journey.first(), iteration, nowNanos);
        record(journey.group(), nowNanos, 0, nowNanos, outcome, 0);
    }

    private JourneyThread code() {
        JourneyThread made = code;
        if (made == null) {
            made = new JourneyThread(loop, slot, this::asked);
            code = made;
        }
        return made;
    }

    @Override
    public void abandon() {
        JourneyThread running = code;
        if (running != null) {
            code = null;
            running.abandon();
        }
    }

    /** Records a group of calls that has ended. */
    private void record(int number, long intended, long lag, long endNanos, String outcome, long bytes) {
        String word = Outcome.isReserved(outcome) ? outcome : script.masked(outcome);
        loop.recordGroup(group.of(slot.stageNumber(), slot.client(), number, slot.targetNumber())
                .times(intended, lag, Math.max(lag, endNanos - intended))
                .ended(word, bytes));
    }
}
