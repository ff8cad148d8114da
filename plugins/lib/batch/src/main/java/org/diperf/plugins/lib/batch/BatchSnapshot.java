package org.diperf.plugins.lib.batch;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a batch system and its tasks say at one moment.
 *
 * @param jobs by the system's name of each job that was asked for
 * @param testers those alone of which something is known
 */
public record BatchSnapshot(Map<String, JobView> jobs, Map<Integer, TesterView> testers) {

    public BatchSnapshot {
        jobs = Map.copyOf(jobs);
        testers = Map.copyOf(testers);
    }

    /** How far a job is. */
    public enum Phase {
        /** It waits for its turn. */
        WAITING,
        RUNNING,
        /** It has ended, but something of it may be left on nodes. */
        ENDING,
        /** Nothing of it is left. */
        GONE
    }

    /**
     * What the system says of a job.
     *
     * @param words for people: why it waits; where it runs; how it ended, as in {@code was cancelled}
     * @param trouble of a job that runs, for people: what keeps it from running on, as in {@code is suspended}; empty: nothing
     */
    public record JobView(Phase phase, String words, String trouble) {

        public JobView(Phase phase, String words) {
            this(phase, words, "");
        }
    }

    /** What a node is known to do. */
    public enum NodeState {
        ANSWERS,
        /** The system gets no answer from it, which may pass. */
        SILENT,
        /** The system has given it up. */
        FAILED
    }

    /**
     * A tester that was begun.
     *
     * @param node where it was begun
     * @param exitCode of a tester that has ended in order; {@code null}: it has not
     */
    public record TesterView(
            String node, NodeState state, @Nullable Integer exitCode) {}

    boolean isSilent(int tester) {
        return silentNode(tester).isPresent();
    }

    /** Returns the node of a tester from which the system gets no answer. */
    Optional<String> silentNode(int tester) {
        TesterView view = testers.get(tester);
        return view != null && view.state() == NodeState.SILENT ? Optional.of(view.node()) : Optional.empty();
    }
}
