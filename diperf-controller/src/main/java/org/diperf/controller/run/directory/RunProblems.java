package org.diperf.controller.run.directory;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.diperf.core.run.Warning;
import org.jspecify.annotations.Nullable;

/** What is to be said against a run, and why it is to end early. Thread-safe: the collector and the user report to it. */
public final class RunProblems {

    private final List<Warning> warnings = new CopyOnWriteArrayList<>();
    private volatile @Nullable String interruption;
    private volatile @Nullable String failure;
    private volatile @Nullable String waiting;

    /** Ends the run for a reason of the user's. */
    public void interrupt(String why) {
        interruption = why;
    }

    /** Returns why the user ends the run; {@code null}: they do not. */
    @Nullable
    public String interruption() {
        return interruption;
    }

    /** Ends the run because nothing more can be kept. */
    public void fail(String why) {
        failure = why;
    }

    /** Returns why nothing more can be kept; {@code null}: it can. */
    @Nullable
    public String failure() {
        return failure;
    }

    /** Ends the load because the disk does not take what is held in memory. */
    public void waitForDisk(String why) {
        waiting = why;
    }

    /** Returns whether what is held in memory waits for the disk, or did. */
    public boolean waitsForDisk() {
        return waiting != null;
    }

    /** Returns why the load must end, because not all of what it measures can be kept; {@code null}: it need not. */
    @Nullable
    public String endsLoad() {
        String failed = failure;
        return failed != null ? failed : waiting;
    }

    /** Returns why a load that has not begun must not begin; {@code null}: it may. */
    @Nullable
    public String preventsStart() {
        String why = interruption;
        return why != null ? why : failure;
    }

    /** Adds what the report is to say. */
    public void warn(Warning warning) {
        warnings.add(warning);
    }

    /** Adds what the report is to say, unless it is to say that already. */
    public void warnOnce(Warning warning) {
        if (!warnings.contains(warning)) {
            warnings.add(warning);
        }
    }

    /** Adds what the report is to say. */
    public void warn(List<Warning> several) {
        warnings.addAll(several);
    }

    public List<Warning> warnings() {
        return List.copyOf(warnings);
    }
}
