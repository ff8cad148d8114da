package org.diperf.controller.course;

import java.util.ArrayList;
import java.util.List;
import org.diperf.core.experiment.LoadSettings;
import org.diperf.core.experiment.LoadSettings.Levels;
import org.diperf.core.experiment.LoadSettings.Stages;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Load;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.plan.Stage;
import org.diperf.core.run.LevelRecord;
import org.diperf.core.spi.Quantity;
import org.jspecify.annotations.Nullable;

/** A course that is all known before the run. Immutable. */
public final class PlannedSchedule implements LoadSchedule {

    private final LoadSettings choice;
    private final List<Stage> stages;

    public PlannedSchedule(LoadSettings choice) {
        this.choice = choice;
        this.stages = stages(choice);
    }

    private static List<Stage> stages(LoadSettings choice) {
        List<Stage> made = new ArrayList<>();
        if (choice instanceof LoadSettings.Single single) {
            add(made, single.load());
        } else if (choice instanceof Stages stages) {
            double value = 0;
            for (Stages.Move move : stages.stages()) {
                double next = move.value() == null ? value : move.value();
                add(made, stages.template().move(value, next, move.length().toNanos()));
                value = next;
            }
        } else if (choice instanceof Levels levels && levels.settle() != null) {
            long nanos = levels.settle().plus(levels.hold()).toNanos();
            levels.values().forEach(value -> add(made, levels.template().hold(value, nanos)));
        } else {
            throw new IllegalArgumentException("Not known in advance: " + choice);
        }
        return made;
    }

    private static void add(List<Stage> stages, Load load) {
        long start = stages.isEmpty() ? 0 : stages.get(stages.size() - 1).endNanos();
        stages.add(new Stage(stages.size(), load, start));
    }

    @Override
    public List<Stage> first() {
        return stages;
    }

    @Override
    public String phase(long elapsedNanos) {
        if (elapsedNanos >= stages.get(stages.size() - 1).endNanos()) {
            return ENDING;
        }
        int now = 0;
        while (now + 1 < stages.size() && stages.get(now + 1).startNanos() <= elapsedNanos) {
            now++;
        }
        String place = (now + 1) + "/" + stages.size();
        if (choice instanceof Levels levels && levels.settle() != null) {
            boolean settling = elapsedNanos
                    < stages.get(now).startNanos() + levels.settle().toNanos();
            return "level " + place + ", "
                    + LoadText.value(levels.template(), levels.values().get(now))
                    + (settling ? ", settling" : ", measuring");
        }
        if (choice instanceof Stages) {
            return "stage " + place;
        }
        Load load = stages.get(0).load();
        // Where the first client ends before the last one starts, there are never all of them.
        return elapsedNanos >= firstEndNanos(load)
                ? "clients are ending"
                : elapsedNanos < rampNanos(load) ? "ramp" : "measuring";
    }

    /** Returns when the first client ends. */
    private static long firstEndNanos(Load load) {
        return load instanceof ClosedLoad closed ? closed.clientEndNanos(0) : load.lengthNanos();
    }

    /** Returns how long it takes until all of a load is there. */
    private static long rampNanos(Load load) {
        return load instanceof ClosedLoad closed
                ? closed.clientStartNanos(closed.clients() - 1)
                : ((OpenLoad) load).rampNanos();
    }

    @Override
    public @Nullable LevelRecord level(int stage) {
        if (choice instanceof Levels levels && levels.settle() != null) {
            return new LevelRecord(
                    levels.values().get(stage),
                    stages.get(stage).startNanos() + levels.settle().toNanos(),
                    "fixed: " + Quantity.format(levels.settle()));
        }
        return null;
    }
}
