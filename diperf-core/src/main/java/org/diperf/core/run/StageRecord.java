package org.diperf.core.run;

import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Load;
import org.diperf.core.plan.OpenLoad;
import org.jspecify.annotations.Nullable;

/**
 * One stage as it was planned, and when it ended.
 *
 * @param number from 0
 * @param startNanos after the start of the run
 * @param endNanos from which no more calls started, after the start of the run: as planned, or earlier where the stage was
 *     cut short
 * @param load as planned; {@code null}: not known, of calls that were imported
 * @param level what a level or a probe of a search was about; absent for other stages
 * @param group whose stage it is; absent where the run has no groups. Groups run side by side, and the stages of each
 *     follow one another
 */
public record StageRecord(
        int number,
        long startNanos,
        long endNanos,
        @Nullable Load load,
        @Nullable LevelRecord level,
        @Nullable String group) {

    /** Returns the load of a closed stage; {@code null}: it has another. */
    public @Nullable ClosedLoad closed() {
        return load instanceof ClosedLoad closed ? closed : null;
    }

    /** Returns the load of an open stage; {@code null}: it has another. */
    public @Nullable OpenLoad open() {
        return load instanceof OpenLoad open ? open : null;
    }

    /** Names the model: {@code closed}, {@code open} or {@code unknown}. */
    public String model() {
        return load == null ? "unknown" : load.model();
    }
}
