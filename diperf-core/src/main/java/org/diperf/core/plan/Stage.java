package org.diperf.core.plan;

/**
 * One stage of a run.
 *
 * @param number in the whole run, from 0
 * @param load what is offered
 * @param startNanos after the start of the run
 */
public record Stage(int number, Load load, long startNanos) {

    public Stage {
        if (number < 0 || startNanos < 0) {
            throw new IllegalArgumentException("Stage: expected number >= 0 and start >= 0, got number=" + number
                    + ", start=" + startNanos + " ns");
        }
    }

    /** Returns the instant from which the stage begins no more calls, after the start of the run. */
    public long endNanos() {
        return startNanos + load.lengthNanos();
    }
}
