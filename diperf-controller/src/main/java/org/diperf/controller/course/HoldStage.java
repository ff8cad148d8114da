package org.diperf.controller.course;

import java.time.Duration;
import java.util.Locale;
import org.diperf.analyzer.live.StageSeries;
import org.diperf.core.experiment.LoadSettings.Held;
import org.diperf.core.plan.Stage;
import org.diperf.core.run.LevelRecord;
import org.jspecify.annotations.Nullable;

/** One value of the load, held until it has settled and then for as long as it is measured. Confined to the run's thread. */
final class HoldStage {

    /** Samples take up to this long to arrive. */
    static final long DELAY_NANOS = 300_000_000L;

    /** How far it is. */
    enum State {
        SETTLING("settling"),
        HOLDING("measuring"),
        DONE("measured");

        final String word;

        State(String word) {
            this.word = word;
        }
    }

    private final Stage stage;
    private final double value;
    private final LiveSamples eyes;
    private final @Nullable Long fixedSettleNanos;
    private final long longestSettleNanos;
    private final long holdNanos;
    private State state = State.SETTLING;
    private @Nullable Long settledNanos;
    private String settling = "cut short before it settled";
    private long holdEndNanos;

    /** Begins to watch the stage. */
    HoldStage(Stage stage, double value, Held choice, long holdNanos, LiveSamples eyes) {
        this.stage = stage;
        this.value = value;
        this.eyes = eyes;
        Duration fixed = choice.settle();
        this.fixedSettleNanos = fixed == null ? null : fixed.toNanos();
        this.longestSettleNanos = choice.longestSettle().toNanos();
        this.holdNanos = holdNanos;
        eyes.watch(stage.number(), stage.startNanos(), SettlingCheck.quantumNanos(holdNanos));
    }

    /** Returns how long a stage should be planned, so that it lasts until the next one cuts it off. */
    static long plannedNanos(Held choice, long holdNanos) {
        return choice.longestSettle().toNanos() + holdNanos + 10_000_000_000L;
    }

    State turn(long elapsedNanos) {
        if (state == State.SETTLING) {
            settle(elapsedNanos);
        } else if (state == State.HOLDING && elapsedNanos >= holdEndNanos + DELAY_NANOS) {
            state = State.DONE;
        }
        return state;
    }

    private void settle(long elapsedNanos) {
        long since = elapsedNanos - stage.startNanos();
        if (fixedSettleNanos != null) {
            if (since >= fixedSettleNanos) {
                settling = "fixed: " + seconds(fixedSettleNanos);
                settledNanos = stage.startNanos() + fixedSettleNanos;
                hold(settledNanos);
            }
            return;
        }
        StageSeries.Look look = eyes.look(elapsedNanos - DELAY_NANOS);
        String judged = SettlingCheck.judge(look.quanta(), look.quantumNanos());
        if (judged != null) {
            settling = judged;
            settledNanos = elapsedNanos;
            hold(elapsedNanos);
        } else if (since >= longestSettleNanos) {
            settling = "still changing after " + seconds(longestSettleNanos) + ", measured anyway";
            hold(elapsedNanos);
        }
    }

    private static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.1f s", nanos / 1e9);
    }

    private void hold(long fromNanos) {
        state = State.HOLDING;
        holdEndNanos = fromNanos + holdNanos;
        eyes.measure(fromNanos, holdEndNanos);
    }

    Stage stage() {
        return stage;
    }

    double value() {
        return value;
    }

    State state() {
        return state;
    }

    boolean neverSettled() {
        return state != State.SETTLING && settledNanos == null;
    }

    /** Returns what is seen of it: when it is done, of its whole window. */
    StageSeries.Look look(long elapsedNanos) {
        return eyes.look(Math.min(elapsedNanos - DELAY_NANOS, state == State.DONE ? holdEndNanos : Long.MAX_VALUE));
    }

    LevelRecord record() {
        return new LevelRecord(value, settledNanos, settling);
    }
}
