package org.diperf.controller.course;

import java.util.ArrayList;
import java.util.List;
import org.diperf.core.experiment.LoadSettings.Levels;
import org.diperf.core.plan.Stage;
import org.diperf.core.run.LevelRecord;
import org.diperf.core.run.Warning;
import org.diperf.core.run.Warning.Subject;
import org.diperf.core.wire.TesterStatus;
import org.jspecify.annotations.Nullable;

/** Levels of which each lasts until it has settled and was measured. Confined to the run's thread. */
public final class LevelSchedule implements LoadSchedule {

    private final Levels levels;
    private final LiveSamples eyes;
    private final List<HoldStage> begun = new ArrayList<>();
    private boolean over;

    public LevelSchedule(Levels levels, LiveSamples eyes) {
        this.levels = levels;
        this.eyes = eyes;
    }

    @Override
    public boolean grows() {
        return true;
    }

    @Override
    public List<Stage> first() {
        return List.of(stage(0, 0));
    }

    private Stage stage(int number, long startNanos) {
        long holdNanos = levels.hold().toNanos();
        return new Stage(
                number,
                levels.template().hold(levels.values().get(number), HoldStage.plannedNanos(levels, holdNanos)),
                startNanos);
    }

    private void begin(Stage stage) {
        double value = levels.values().get(stage.number());
        begun.add(new HoldStage(stage, value, levels, levels.hold().toNanos(), eyes));
    }

    @Override
    public @Nullable Stage turn(long elapsedNanos, TesterStatus testers) {
        if (begun.isEmpty()) {
            begin(stage(0, 0));
        }
        HoldStage now = begun.get(begun.size() - 1);
        if (over || now.turn(elapsedNanos) != HoldStage.State.DONE) {
            return null;
        }
        if (begun.size() == levels.values().size()) {
            over = true;
            return null;
        }
        Stage next = stage(begun.size(), elapsedNanos + LEAD_NANOS);
        begin(next);
        return next;
    }

    @Override
    public boolean isOver() {
        return over;
    }

    @Override
    public String phase(long elapsedNanos) {
        int level = Math.max(1, begun.size());
        String state = begun.isEmpty() ? "settling" : begun.get(level - 1).state().word;
        return "level " + level + "/" + levels.values().size() + ", "
                + LoadText.value(levels.template(), levels.values().get(level - 1)) + ", " + state;
    }

    @Override
    public @Nullable LevelRecord level(int stage) {
        return stage < begun.size() ? begun.get(stage).record() : null;
    }

    @Override
    public List<Warning> warnings() {
        return begun.stream()
                .filter(HoldStage::neverSettled)
                .map(held -> Warning.note(
                        Subject.LOAD,
                        "the level of " + LoadText.value(levels.template(), held.value())
                                + " never settled; it was measured anyway"))
                .toList();
    }
}
