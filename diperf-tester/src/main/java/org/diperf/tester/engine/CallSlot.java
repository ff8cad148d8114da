package org.diperf.tester.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.diperf.core.sample.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * A place for one call at a time of an asynchronous client. Confined to its loop, but for {@code ok} and {@code fail}:
 * who swaps the open ticket for 0 has ended the call.
 */
final class CallSlot extends OneCall {

    private static final VarHandle OPEN;

    static {
        try {
            OPEN = MethodHandles.lookup().findVarHandle(CallSlot.class, "open", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final ClientCell cell;

    /** When the next call of closed load starts. */
    final TimerHeap.Due nextStart;

    /** Who uses this slot now; {@code null} while no stage does. */
    @Nullable
    StageRun user;

    /** Intended start of the next call in closed load. */
    long nextIntendedNanos;

    /** Whether {@link #nextIntendedNanos} is the start in a stage, so that the end of an older call must not move it. */
    boolean awaitsStageStart;

    /** Whether this slot counts as active in closed load. */
    boolean active;

    /** Whether a call holds this slot; it may have timed out. */
    boolean busy;

    /** Whether the call at hand has been recorded though the client still holds it. */
    boolean recorded;

    /** Whether the client was told to give up. */
    boolean cancelled;

    /** Whether a call has taken it for ever. */
    boolean dead;

    /** Whether the slot stands in the ready queue or among the free ones. */
    boolean linked;

    @Nullable
    CallSlot linkedNext;

    @Nullable
    TimeoutQueue queue;

    /** Where the deadlines of the call at hand stand. */
    Deadlines.@Nullable Span span;

    /** Deadlines of the call for which this slot prepares its client. */
    Deadlines.@Nullable Span plannedSpan;

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

    CallSlot(CallLoop loop, ClientCell cell, RunSetup setup) {
        super(setup, cell.client());
        this.loop = loop;
        this.cell = cell;
        this.nextStart = new TimerHeap.Due(true) {
            @Override
            void fire(long nowNanos) {
                loop.startNext(CallSlot.this, nowNanos);
            }
        };
    }

    void opened(long ticket) {
        OPEN.setRelease(this, ticket);
    }

    /** Says whether the client has not ended the call yet. */
    boolean isOpen() {
        return open != 0;
    }

    /** Ends the call in the client's place; says whether it had not ended yet. */
    boolean takeTicket() {
        return OPEN.compareAndSet(this, ticket(), 0L);
    }

    @Override
    public void ok(long ticket) {
        end(ticket, Outcome.OK);
    }

    @Override
    public void fail(long ticket, String kind) {
        end(ticket, Outcome.ofFailure(kind));
    }

    void end(long ticket, String outcome) {
        if (ticket == 0 || !OPEN.compareAndSet(this, ticket, 0L)) {
            loop.counters().lateEnd();
            return;
        }
        long now = loop.nanoTime();
        String judged = judged(outcome);
        if (loop.inLoop()) {
            loop.ended(this, now, judged);
        } else {
            endNanos = now;
            endOutcome = judged;
            loop.handOver(this);
        }
    }
}
