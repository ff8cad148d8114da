package org.diperf.plugins.lib.batch;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One job of a batch system's, and the testers that it starts. Confined to its testbed's lock, but for what does not change. */
public final class Job {

    private final int number;
    private final String id;
    private final String name;
    private final List<Integer> testers;

    /** Testers that have not ended and were not reported. */
    final Set<Integer> open;

    private final Set<String> silentNodes = new TreeSet<>();
    private @Nullable String waiting;
    private String troubled = "";
    long submittedNanos;
    boolean begun;
    boolean over;
    boolean gone;

    /**
     * @param number within the run, from 1
     * @param id the system's own
     * @param name for people, behind the system's: {@code job 41}
     */
    public Job(int number, String id, String name, List<Integer> testers) {
        this.number = number;
        this.id = id;
        this.name = name;
        this.testers = List.copyOf(testers);
        this.open = new TreeSet<>(testers);
    }

    /** Returns its number within the run, from 1. */
    public int number() {
        return number;
    }

    /** Returns what the system calls it. */
    public String id() {
        return id;
    }

    /** Names it for people, behind the system's name: {@code job 41}. */
    public String name() {
        return name;
    }

    /** Returns the testers that it starts. */
    public List<Integer> testers() {
        return testers;
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

    /** Takes note of what keeps it from running on, nothing where it runs; says whether that is news. */
    boolean troubled(String what) {
        boolean news = !what.equals(troubled);
        troubled = what;
        return news;
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
