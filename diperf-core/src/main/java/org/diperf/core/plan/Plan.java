package org.diperf.core.plan;

import java.util.List;

/**
 * Everything that decides who calls what when: the same plan makes the same calls.
 *
 * @param seed of the experiment
 * @param testers how many share the load, at least 1
 * @param targets how clients and calls are spread over the targets
 * @param stages one after another, at least one
 */
public record Plan(long seed, int testers, Targets targets, List<Stage> stages) {

    public Plan {
        stages = List.copyOf(stages);
        if (testers < 1 || stages.isEmpty()) {
            throw new IllegalArgumentException(
                    "A plan wants at least one tester and one stage; found " + testers + " and " + stages.size());
        }
    }

    /** Names the tester of a client: client i is on tester i mod T, counted from 1. */
    public int testerOf(int client) {
        return client % testers + 1;
    }

    /**
     * Counts the clients of a tester in a stage.
     *
     * @param tester from 1
     */
    public int clientsOf(int tester, Load load) {
        return load.clients() / testers + (tester - 1 < load.clients() % testers ? 1 : 0);
    }

    /** Names the client at a place among its tester's, both from the plan's one numbering. */
    public int clientAt(int tester, int place) {
        return place * testers + tester - 1;
    }

    /**
     * Gives the intended start of a client's next call in closed load.
     *
     * @param client in the whole run, from 0
     * @param call number of that next call, at least 1
     * @param previousEndNanos when its previous call ended
     * @return on the same clock as {@code previousEndNanos}
     */
    public long nextIntendedNanos(Stage stage, int client, long call, long previousEndNanos) {
        ClosedLoad load = (ClosedLoad) stage.load();
        if (load.think() == Think.NONE) {
            return previousEndNanos;
        }
        return previousEndNanos + load.think().nanos(Mix.bits(seed, stage.number(), client, call));
    }

    /** Gives the time after the start of the run from which no more calls begin. */
    public long lengthNanos() {
        return stages.get(stages.size() - 1).endNanos();
    }
}
