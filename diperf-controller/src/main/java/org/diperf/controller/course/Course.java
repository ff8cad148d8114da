package org.diperf.controller.course;

import java.util.List;
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
public interface Course {

    /** Testers are told of a stage so long before it begins. */
    long LEAD_NANOS = 200_000_000L;

    /** Returns whether stages are decided on while the run is under way. */
    boolean grows();

    /** Lists the stages that are known before the run, at least one. */
    List<Stage> first();

    /**
     * Is asked a few times a second.
     *
     * @param testers what they last said, added up
     * @return a stage to append; {@code null} for none
     */
    @Nullable
    Stage turn(long elapsedNanos, TesterStatus testers);

    /** Returns whether a plan that grows has come to its end. */
    boolean isOver();

    /** Says in a few words where the run is. */
    String phase(long elapsedNanos);

    /** Returns what a stage was about; {@code null} where it held no level. */
    @Nullable
    LevelRecord level(int stage);

    /** Returns how the highest load was searched for; {@code null} where it was not. */
    @Nullable
    SearchRecord search();

    /** Lists what is to be said of the levels. */
    List<Warning> warnings();
}
