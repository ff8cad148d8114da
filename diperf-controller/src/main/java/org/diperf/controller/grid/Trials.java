package org.diperf.controller.grid;

import java.time.Duration;

/**
 * How often each point is run.
 *
 * @param count from 1
 * @param interleaved whether all points are run once before any is run again
 * @param pause between two runs
 */
public record Trials(int count, boolean interleaved, Duration pause) {

    /** Each point once. */
    public static final Trials ONE = new Trials(1, true, Duration.ZERO);

    /** Says in what order, as the file has it. */
    public String order() {
        return interleaved ? "interleaved" : "grouped";
    }
}
