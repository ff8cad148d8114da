package org.diperf.plugins.gram;

import java.util.Optional;
import org.diperf.core.spi.Metric;

/** The states of a job, as its job manager tells them. */
enum JobState {
    UNSUBMITTED(32, "state.unsubmitted", "time until the job manager had submitted the job, excluding stage-in"),
    STAGE_IN(64, "state.stage-in", "time spent staging in files"),
    PENDING(1, "state.pending", "time the job waited for resources"),
    ACTIVE(2, "state.active", "time the job ran, until the job manager noticed that it had ended"),
    SUSPENDED(16, "state.suspended", "time the job was suspended"),
    STAGE_OUT(128, "state.stage-out", "time spent staging out files"),
    FAILED(4, "state.failed", ""),
    DONE(8, "state.done", "");

    private final int code;
    private final Metric metric;

    JobState(int code, String metric, String help) {
        this.code = code;
        this.metric = new Metric(metric, "ms", help);
    }

    /** Finds a state by the number in a message. */
    static Optional<JobState> of(int code) {
        for (JobState state : values()) {
            if (state.code == code) {
                return Optional.of(state);
            }
        }
        return Optional.empty();
    }

    int code() {
        return code;
    }

    /** Returns whether a job stays in this state for good. */
    boolean isLast() {
        return this == FAILED || this == DONE;
    }

    /** Returns the time that a job spent in this state; of those that have an end. */
    Metric metric() {
        return metric;
    }
}
