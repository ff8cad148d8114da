package org.diperf.controller.course;

import java.util.List;
import org.diperf.core.experiment.LoadSettings;
import org.diperf.core.plan.Stage;
import org.diperf.core.run.LevelRecord;
import org.diperf.core.run.SearchRecord;
import org.diperf.core.run.Warning;
import org.diperf.core.wire.TesterStatus;
import org.jspecify.annotations.Nullable;

/**
 * The course that a run takes: what comes next where the plan grows, and where the run is. Confined to the run's thread;
 * it knows no clock but what it is told. All instants are ns after the start of the run.
 */
public interface LoadSchedule {

    /** Where a run is from which no more calls begin. */
    String ENDING = "waiting for the last calls";

    /** Testers are told of a stage so long before it begins. */
    long LEAD_NANOS = 200_000_000L;

    /** Returns the course that a load takes; {@code eyes} judge one that grows. */
    static LoadSchedule of(LoadSettings load, LiveSamples eyes) {
        if (load instanceof LoadSettings.Search search) {
            return new SearchSchedule(search, eyes);
        }
        if (load instanceof LoadSettings.Levels levels && levels.settle() == null) {
            return new LevelSchedule(levels, eyes);
        }
        return load instanceof LoadSettings.Groups groups ? new GroupSchedule(groups) : new PlannedSchedule(load);
    }

    /** Returns whether stages are decided on while the run is in progress. */
    default boolean grows() {
        return false;
    }

    /** Lists the stages that are known before the run, at least one. */
    List<Stage> first();

    /**
     * Is asked a few times a second.
     *
     * @param testers what they last said, added up
     * @return a stage to append; {@code null} for none
     */
    default @Nullable Stage turn(long elapsedNanos, TesterStatus testers) {
        return null;
    }

    /** Returns whether a plan that grows has come to its end. */
    default boolean isOver() {
        return false;
    }

    /** Says in a few words where the run is. */
    String phase(long elapsedNanos);

    /** Returns what a stage was about; {@code null} where it held no level. */
    default @Nullable LevelRecord level(int stage) {
        return null;
    }

    /** Returns how the highest load was searched for; {@code null} where it was not. */
    default @Nullable SearchRecord search() {
        return null;
    }

    /** Lists what is to be said of the levels. */
    default List<Warning> warnings() {
        return List.of();
    }
}
