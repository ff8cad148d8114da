package org.diperf.plugins.slurm;

import java.util.Set;

/**
 * What Slurm says of a job.
 *
 * @param id Slurm's number of it
 * @param state such as {@code PENDING}
 * @param reason why it is so; {@code None} without
 * @param start when it began, or is expected to begin; {@code N/A} when that is unknown
 * @param nodes in Slurm's short form, such as {@code n[1-3,7]}; those only that did not fail
 */
record JobState(String id, String state, String reason, String start, String nodes) {

    /** Has squeue write what {@link #parse} reads. */
    static final String FORMAT = "%i|%T|%S|%N|%r";

    private static final Set<String> ON_ITS_WAY =
            Set.of("PENDING", "CONFIGURING", "RUNNING", "SUSPENDED", "STOPPED", "RESIZING", "SIGNALING", "STAGE_OUT");

    static JobState parse(String line) {
        String[] parts = line.strip().split("\\|", 5);
        if (parts.length < 5) {
            throw new IllegalArgumentException(
                    "Expected a line of squeue output in the form " + FORMAT + ", got: " + line);
        }
        return new JobState(parts[0], parts[1], parts[4], parts[2], parts[3]);
    }

    boolean isPending() {
        return state.equals("PENDING") || state.equals("CONFIGURING");
    }

    boolean isOver() {
        return !ON_ITS_WAY.contains(state);
    }

    /** Returns whether nothing of it is left on any node. */
    boolean isGone() {
        return isOver() && !state.equals("COMPLETING");
    }

    /** Says why it waits, for people. */
    String waiting() {
        boolean known = !start.equals("N/A") && !start.isEmpty();
        return (reason.equals("None") ? "not considered yet" : reason) + (known ? ", expected to start " + start : "");
    }

    /** Says how it ended, for people. */
    String ending() {
        return switch (state) {
            case "COMPLETED" -> "is done";
            case "TIMEOUT" -> "reached its time limit (TIMEOUT): see testbed.time-limit";
            case "CANCELLED" -> "was cancelled (CANCELLED)";
            case "NODE_FAIL" -> "lost its nodes (NODE_FAIL)";
            case "PREEMPTED" -> "was preempted (PREEMPTED)";
            case "OUT_OF_MEMORY" -> "exceeded its memory limit (OUT_OF_MEMORY)";
            default -> "ended: " + state + (reason.equals("None") || reason.isEmpty() ? "" : ", " + reason);
        };
    }
}
