package org.diperf.plugins.slurm;

import java.util.HashMap;
import java.util.Map;

/**
 * What Slurm and the tasks say at one moment.
 *
 * @param jobs by Slurm's number; those that it has forgotten are not there
 * @param nodes states of the nodes that jobs still have, such as {@code mix}; a star at the end: no answer from it
 * @param nodeOf node of each tester that was begun there
 * @param exitCodeOf of each tester that has ended in order
 */
record SlurmSnapshot(
        Map<String, JobState> jobs,
        Map<String, String> nodes,
        Map<Integer, String> nodeOf,
        Map<Integer, Integer> exitCodeOf) {

    SlurmSnapshot {
        jobs = Map.copyOf(jobs);
        nodes = Map.copyOf(nodes);
        nodeOf = Map.copyOf(nodeOf);
        exitCodeOf = Map.copyOf(exitCodeOf);
    }

    /** Reads what {@link Scripts#poll} wrote. */
    static SlurmSnapshot parse(String text) {
        String[] parts = text.split(Scripts.PART + "\\R", 3);
        if (parts.length < 3) {
            throw new IllegalArgumentException("Expected three parts (squeue, sinfo and states), got: " + text);
        }
        Map<String, JobState> jobs = new HashMap<>();
        parts[0].lines().filter(line -> !line.isBlank()).map(JobState::parse).forEach(job -> jobs.put(job.id(), job));
        Map<String, String> nodes = new HashMap<>();
        parts[1].lines()
                .map(line -> line.split("\\s+"))
                .filter(words -> words.length >= 2)
                .forEach(words -> nodes.put(words[0], words[1]));
        Map<Integer, String> nodeOf = new HashMap<>();
        Map<Integer, Integer> exitCodeOf = new HashMap<>();
        for (String line : parts[2].lines().toList()) {
            String[] words = line.split("[-.:]", 4);
            if (words.length == 4 && words[2].equals("node")) {
                nodeOf.put(Integer.valueOf(words[1]), words[3]);
            } else if (words.length == 4 && words[2].equals("exit")) {
                exitCodeOf.put(Integer.valueOf(words[1]), Integer.valueOf(words[3]));
            }
        }
        return new SlurmSnapshot(jobs, nodes, nodeOf, exitCodeOf);
    }

    /** Returns whether a tester's node has failed: Slurm has taken it from the job, or says that it is down. */
    boolean nodeFailed(int tester, JobState job) {
        String node = nodeOf.get(tester);
        if (node == null || job.isPending()) {
            return false;
        }
        String state = nodes.get(node);
        return state == null ? !nodes.isEmpty() : state.startsWith("down");
    }

    /** Returns whether Slurm gets no answer from a node, which may pass. */
    boolean isSilent(String node) {
        return nodes.getOrDefault(node, "").endsWith("*");
    }
}
