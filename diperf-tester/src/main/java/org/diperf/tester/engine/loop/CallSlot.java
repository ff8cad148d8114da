package org.diperf.tester.engine.loop;

import static java.util.Objects.requireNonNull;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.diperf.core.plan.Stage;
import org.diperf.core.sample.Outcome;
import org.diperf.core.spi.Failure;
import org.diperf.tester.engine.call.CallState;
import org.diperf.tester.engine.call.RunSetup;
import org.jspecify.annotations.Nullable;

/**
 * A place for one iteration at a time of a client, and so for one call at a time. Confined to its loop, but for {@code ok}
 * and {@code fail}: who swaps the open ticket for 0 has ended the call.
 * Its fields are read and set by its loop, and by the stage and the journey that it is in.
 */
public sealed class CallSlot extends CallState permits ThreadedSlot {

    private static final VarHandle OPEN;
    private static final VarHandle SAID;

    static {
        try {
            OPEN = MethodHandles.lookup().findVarHandle(CallSlot.class, "open", long.class);
            SAID = MethodHandles.lookup().findVarHandle(CallSlot.class, "said", String.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    public final ClientState cell;

    /** When the next call of closed load starts. */
    public final TimerHeap.Due nextStart;

    /** Who uses this slot now; {@code null} while no stage does. */
    @Nullable
    public StageRun user;

    /** Intended start of the next call in closed load. */
    public long nextIntendedNanos;

    /** Whether {@link #nextIntendedNanos} is the start in a stage, so that the end of an older call must not move it. */
    public boolean awaitsStageStart;

    /** Whether this slot counts as active in closed load. */
    public boolean active;

    /** Whether an iteration holds this slot; its call may have timed out. */
    public boolean busy;

    /** {@code null}: an iteration makes one call. */
    final @Nullable SlotJourney journey;

    /** Whether the iteration waits for its next call to be due, so that nothing else is started here. */
    public boolean resuming;

    /** Whether the planned call of the iteration is neither begun nor recorded. */
    public boolean owed;

    /** When the iteration was due. */
    long iterationDueNanos;

    /** Whether the call in flight has been recorded though the client still holds it. */
    boolean recorded;

    /** Whether the client was told to give up. */
    boolean cancelled;

    /** Whether its client has opened its connection, or has nothing to open, or has tried in vain. */
    public boolean connected;

    /** Whether its client is at that; the slot is busy, and no iteration holds it. */
    boolean connecting;

    /** For how long the arrival whose iteration begins has waited for this slot, which is part of its first call. */
    public long waitedNanos;

    /** Whether a call has taken it for ever. */
    public boolean dead;

    /** Whether the slot stands in the ready queue or among the free ones. */
    public boolean linked;

    @Nullable
    public CallSlot linkedNext;

    @Nullable
    TimeoutQueue queue;

    private @Nullable Stage iterationStage;
    private Deadlines.@Nullable Span iterationSpan;

    long waitEndNanos;

    @Nullable
    CallSlot older;

    @Nullable
    CallSlot younger;

    @Nullable
    CallSlot handedNext;

    long endNanos;

    String endOutcome = Outcome.OK;

    private final CallLoop loop;
    private volatile long open;

    /** Whether the call ends when its client's method returns; set before the client has the call. */
    private boolean returns;

    /** The first failure that a client has reported of a call that ends by returning. */
    private volatile @Nullable String said;

    CallSlot(CallLoop loop, ClientState cell, RunSetup setup) {
        super(setup, cell.client());
        this.loop = loop;
        this.cell = cell;
        this.journey = setup.script().routes().isEmpty() ? null : loop.rules().journey(loop, this);
        // What calls come first there is known only when they are made.
        this.connected = journey != null || setup.script().steps() > 0;
        this.nextStart = new TimerHeap.Due(true, nowNanos -> loop.startNext(this, nowNanos));
    }

    // ---- the iteration ----

    /** Begins an iteration, for which its planned call is owed. */
    final void begin(Stage stage, Deadlines.Span span, long dueNanos) {
        iterationStage = stage;
        iterationSpan = span;
        iterationDueNanos = dueNanos;
        owed = true;
        busy = true;
    }

    /** Returns the stage in which the iteration began, whatever stage is current now. */
    public final Stage iterationStage() {
        return requireNonNull(iterationStage, "set by begin()");
    }

    /** Returns the deadlines of the iteration's calls. */
    final Deadlines.Span iterationSpan() {
        return requireNonNull(iterationSpan, "set by begin()");
    }

    /** Has the client's owner make the first call of the iteration that has begun. */
    void proceed() {
        loop.nextCall(this, iterationDueNanos);
    }

    /** Has the client's owner ask for the next iteration at an instant, at its next turn when that has passed. */
    public void startAt(long atNanos, long nowNanos) {
        if (atNanos - nowNanos <= 0) {
            loop.makeReady(this);
        } else {
            loop.timers().arm(nextStart, atNanos);
        }
    }

    /** Takes back {@link #startAt}, unless the iteration that is under way waits for it. */
    public void disarm() {
        if (!resuming) {
            loop.timers().disarm(nextStart);
        }
    }

    /** Has the client's owner go on with the iteration at an instant. */
    public final void resumeAt(long atNanos, long nowNanos) {
        resuming = true;
        startAt(atNanos, nowNanos);
    }

    /** Has the client's owner go on with an iteration at its next turn, if it waits. */
    void hasten(long nowNanos) {
        if (resuming) {
            loop.timers().disarm(nextStart);
            startAt(nowNanos, nowNanos);
        }
    }

    /** Returns whether the client times its calls itself, so that one iteration lasts for its life and is no call. */
    public boolean isSelfTimed() {
        return false;
    }

    /** Counts the planned call of the iteration, whether it is made or not. */
    public final void countPlanned() {
        owed = false;
        cell.numbers.calls++;
        cell.stageCalls++;
    }

    /** Lets go of the user's code, which may be in the middle of something. */
    final void abandonCode() {
        if (journey != null) {
            journey.abandon();
        }
    }

    // ---- the call in flight ----

    final void opened(long ticket) {
        returns = false;
        OPEN.setRelease(this, ticket);
    }

    /** Returns whether the client has not ended the call yet. */
    final boolean isOpen() {
        return open != 0;
    }

    /** Ends the call with this ticket; says whether it had not ended yet. Any thread. */
    final boolean take(long ticket) {
        return ticket != 0 && OPEN.compareAndSet(this, ticket, 0L);
    }

    /** Lets the call that begins end by {@link #returned} alone: what its client says only decides how. */
    public final void endsByReturning() {
        said = null;
        returns = true;
    }

    /** Ends such a call, whose client's method has returned. */
    public final void returned(long ticket, @Nullable String thrownAs) {
        end(ticket, outcome(thrownAs));
    }

    /** Returns how such a call ends: as its client says, else as what it threw, {@code null} where it threw nothing. */
    final String outcome(@Nullable String thrownAs) {
        String first = said;
        return first != null ? first : thrownAs != null ? thrownAs : Outcome.OK;
    }

    @Override
    public final void ok(long ticket) {
        if (!returns) {
            end(ticket, Outcome.OK);
        } else if (ticket != ticket() || !isOpen()) {
            loop.counters().lateEnd();
        }
    }

    @Override
    public final void fail(long ticket, Failure failure) {
        if (!returns) {
            end(ticket, Outcome.ofFailure(failure));
        } else if (ticket != ticket() || !isOpen()) {
            loop.counters().lateEnd();
        } else {
            SAID.compareAndSet(this, null, Outcome.ofFailure(failure));
        }
    }

    @Override
    public final long event(int ofKind, int count) {
        long now = loop.nanoTime();
        if (!isOpen() || recorded) {
            return now;
        }
        long at = loop.eventEnd(this, now);
        if (keepEvent(at, ofKind, count, loop.eventError(this, at))) {
            passEventsOn();
        }
        return at;
    }

    /** Returns whether it is the current thread that keeps the call's events. */
    boolean ownsEvents() {
        return true;
    }

    /** Passes on the events of a call that has very many. */
    void passEventsOn() {
        loop.passEventsOn(this);
    }

    @Override
    protected final void reads() {
        loop.serves(this);
    }

    final void end(long ticket, String outcome) {
        if (!take(ticket)) {
            loop.counters().lateEnd();
            return;
        }
        long now = loop.nanoTime();
        String judged = connecting ? outcome : judged(outcome, now);
        if (loop.inLoop()) {
            loop.ended(this, loop.end(this, now), judged);
        } else {
            endNanos = now;
            endOutcome = judged;
            loop.handOver(this);
        }
    }
}
