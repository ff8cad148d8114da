package org.diperf.plugins.slurm;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One job of Slurm's, and the testers that are its tasks. Confined to its testbed's lock. */
final class Job {

    /** Number of the job within the run, from 1. */
    final int number;
    /** Slurm's number. */
    final String id;

    final long submittedNanos;
    final List<Integer> testers;
    /** Testers that have not ended and were not reported. */
    final Set<Integer> open;

    private final Set<String> silentNodes = new TreeSet<>();
    private @Nullable String waiting;
    boolean begun;
    boolean over;
    boolean gone;

    Job(int number, String id, List<Integer> testers, long submittedNanos) {
        this.number = number;
        this.id = id;
        this.testers = List.copyOf(testers);
        this.open = new TreeSet<>(testers);
        this.submittedNanos = submittedNanos;
    }

    /** Takes note of why it waits; says whether that is news. */
    boolean waits(String why) {
        boolean news = !why.equals(waiting);
        waiting = why;
        return news;
    }

    /** Returns whether it was told to wait in the queue. */
    boolean hasWaited() {
        return waiting != null;
    }

    /** Takes note of the nodes that do not answer now; gives those of which that is news. */
    List<String> silent(Set<String> nodes) {
        List<String> news = new ArrayList<>(nodes);
        news.removeAll(silentNodes);
        silentNodes.clear();
        silentNodes.addAll(nodes);
        return news;
    }
}
