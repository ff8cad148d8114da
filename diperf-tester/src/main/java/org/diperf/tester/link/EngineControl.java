package org.diperf.tester.link;

import java.util.ArrayList;
import java.util.List;
import org.diperf.core.plan.Stage;
import org.diperf.core.wire.Assignment;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.TesterStatus;
import org.diperf.core.wire.TesterTotals;
import org.diperf.tester.engine.RunningEngine;
import org.jspecify.annotations.Nullable;

/** What the controller wants of this tester, and how far the engine is with it. Confined to the link's event loop. */
final class EngineControl {

    /** How far it is; only ever further down. */
    enum Phase {
        /** The controller has not said what to do. */
        UNASSIGNED,
        /** The engine is being made, or its clock is still compared. */
        PREPARING,
        /** The start may come. */
        READY,
        /** The start is set: the load is under way, or about to be. */
        STARTED,
        /** The load is over. */
        DONE,
        /** This tester cannot do what it is to do; the refusal says why. */
        REFUSED
    }

    private Phase phase = Phase.UNASSIGNED;
    private @Nullable Assignment assignment;
    private @Nullable RunningEngine engine;
    /** Those that came before the engine. */
    private final List<Stage> early = new ArrayList<>();

    /** What is in flight had so long to end at the last order to stop; {@link Long#MAX_VALUE}: there was none. */
    private long stopGraceNanos = Long.MAX_VALUE;

    private @Nullable TesterTotals totals;
    private String refusal = "";
    /** Whether somebody else than the controller ended the load: its plan is then not carried out, but lost. */
    private boolean cutShort;

    Phase phase() {
        return phase;
    }

    /** Takes the assignment; says whether it is the first one, which alone counts. */
    boolean assign(Assignment given) {
        if (assignment != null) {
            return false;
        }
        assignment = given;
        move(Phase.PREPARING);
        return true;
    }

    @Nullable
    Assignment assignment() {
        return assignment;
    }

    /** Returns whether leases and timeouts stand still. */
    boolean isDebugged() {
        return assignment != null && assignment.debug();
    }

    /**
     * Takes the engine that was prepared.
     *
     * @return the stages that came before it, to be appended now
     */
    List<Stage> prepared(RunningEngine ready) {
        engine = ready;
        List<Stage> came = List.copyOf(early);
        early.clear();
        return came;
    }

    /** Passes on an order to stop that came before the engine; says whether there was one. */
    boolean stopsBeforeStart() {
        if (engine != null && isStopped()) {
            engine.stop(stopGraceNanos);
        }
        return isStopped();
    }

    /** Called when nothing is left to do before the start. */
    void ready() {
        move(Phase.READY);
    }

    @Nullable
    RunningEngine engine() {
        return engine;
    }

    /**
     * Gives the engine a stage that follows in a plan that grows; without an engine it is kept.
     *
     * @throws IllegalArgumentException when the plan does not grow
     * @throws IllegalStateException when it is not the stage that follows
     */
    void append(Stage stage) {
        if (engine == null) {
            early.add(stage);
        } else {
            engine.append(stage);
        }
    }

    /** Starts the load, unless it is under way or was stopped. */
    void start(Message.Start order) {
        if (engine != null && !isStopped() && phase.compareTo(Phase.STARTED) < 0) {
            move(Phase.STARTED);
            engine.start(order.localStartNanos(), order.joinNanos());
        }
    }

    /** Stops the load; a second time only with less grace. */
    void stop(long graceNanos) {
        if (graceNanos < stopGraceNanos) {
            stopGraceNanos = Math.max(0, graceNanos);
            if (engine != null) {
                engine.stop(stopGraceNanos);
            }
        }
    }

    /** Returns whether the load was ended, or is not to begin. */
    boolean isStopped() {
        return stopGraceNanos < Long.MAX_VALUE;
    }

    /** Returns whether calls may still be under way or begin. */
    boolean isCalling() {
        return phase == Phase.STARTED && stopGraceNanos > 0;
    }

    /**
     * Stops the load for somebody else than the controller.
     *
     * @return whether that cuts the plan short
     */
    boolean cutShort() {
        cutShort = phase == Phase.STARTED && !isStopped();
        stop(0);
        return cutShort;
    }

    boolean isCutShort() {
        return cutShort;
    }

    /** Takes what the load came to. */
    void done(TesterTotals result) {
        totals = result;
        move(Phase.DONE);
    }

    /** Takes why this tester cannot do what it is to do. */
    void refuse(String reason) {
        refusal = reason;
        phase = Phase.REFUSED;
    }

    /** Returns the reason of a refusal; empty where there is none. */
    String refusal() {
        return refusal;
    }

    /** Returns what the load came to; {@code null}: it is not over. */
    @Nullable
    TesterTotals totals() {
        return totals;
    }

    /** Returns whether no more samples come. */
    boolean isOver() {
        return engine == null || phase == Phase.DONE || phase == Phase.REFUSED;
    }

    /** Tells how far the load is; {@code null}: there is none, or no more. */
    @Nullable
    TesterStatus status() {
        return engine == null || isOver() ? null : engine.status();
    }

    private void move(Phase next) {
        if (next.compareTo(phase) > 0) {
            phase = next;
        }
    }
}
