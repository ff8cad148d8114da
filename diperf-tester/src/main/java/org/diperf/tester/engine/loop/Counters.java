package org.diperf.tester.engine.loop;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.diperf.core.wire.TesterStatus;

/**
 * Counts of one loop: written by its thread alone (late ends excepted), read by any. Opaque writes cost as much as plain
 * ones.
 */
public final class Counters {

    private static final VarHandle SENT = handle("sent", long.class);
    private static final VarHandle OK = handle("ok", long.class);
    private static final VarHandle FAILED = handle("failed", long.class);
    private static final VarHandle DROPPED = handle("dropped", long.class);
    private static final VarHandle ACTIVE = handle("active", int.class);
    private static final VarHandle IN_FLIGHT = handle("inFlight", int.class);
    private static final VarHandle LATE_ENDS = handle("lateEnds", long.class);
    private static final VarHandle FIRST_CALL = handle("firstCallNanos", long.class);
    private static final VarHandle MAX_DELAY = handle("maxDelayNanos", long.class);

    private long sent;
    private long ok;
    private long failed;
    private long dropped;
    private int active;

    @SuppressWarnings("UnusedVariable") // by its handle
    private int inFlight;

    @SuppressWarnings("UnusedVariable") // by its handle
    private long lateEnds;

    private long firstCallNanos;
    private long maxDelayNanos;

    private static VarHandle handle(String field, Class<?> type) {
        try {
            return MethodHandles.lookup().findVarHandle(Counters.class, field, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    void begun(long sentNanos) {
        SENT.setOpaque(this, sent + 1);
        if (firstCallNanos == 0) {
            FIRST_CALL.setOpaque(this, sentNanos == 0 ? 1 : sentNanos);
        }
    }

    /** Counts a call that the plan began and nobody sent. */
    void neverSent() {
        SENT.setOpaque(this, sent + 1);
    }

    void ok() {
        OK.setOpaque(this, ok + 1);
    }

    void failed() {
        FAILED.setOpaque(this, failed + 1);
    }

    void dropped() {
        DROPPED.setOpaque(this, dropped + 1);
    }

    void active(int change) {
        ACTIVE.setOpaque(this, active + change);
    }

    void inFlight(int now) {
        IN_FLIGHT.setOpaque(this, now);
    }

    /** Counts a late or double end; any thread. */
    void lateEnd() {
        LATE_ENDS.getAndAdd(this, 1L);
    }

    void delayed(long nanos) {
        if (nanos > maxDelayNanos) {
            MAX_DELAY.setOpaque(this, nanos);
        }
    }

    /** Takes the longest delay since the last time it was asked; any thread. A delay at that very moment may be lost. */
    public long takeMaxDelayNanos() {
        return (long) MAX_DELAY.getAndSet(this, 0L);
    }

    public TesterStatus status() {
        return new TesterStatus(
                (int) ACTIVE.getOpaque(this),
                (int) IN_FLIGHT.getOpaque(this),
                (long) SENT.getOpaque(this),
                (long) OK.getOpaque(this),
                (long) FAILED.getOpaque(this),
                (long) DROPPED.getOpaque(this));
    }

    public long lateEnds() {
        return (long) LATE_ENDS.getVolatile(this);
    }

    /** Returns the actual send of the first call, 0 when there was none. */
    public long firstCallNanos() {
        return (long) FIRST_CALL.getOpaque(this);
    }
}
