package org.diperf.core.plan;

import java.util.ArrayList;
import java.util.List;

/**
 * Everything that decides who calls what when: the same plan makes the same calls.
 *
 * @param seed of the experiment
 * @param testers how many share the load, at least 1
 * @param targets how clients and calls are spread over the targets
 * @param stages one after another, numbered from 0, at least one
 * @param grows whether the controller may append stages while the plan runs; it then ends by a stop, not by itself
 */
public record Plan(long seed, int testers, Targets targets, List<Stage> stages, boolean grows) {

    public Plan {
        stages = List.copyOf(stages);
        if (testers < 1 || stages.isEmpty()) {
            throw new IllegalArgumentException(
                    "A plan wants at least one tester and one stage; found " + testers + " and " + stages.size());
        }
        for (int i = 0; i < stages.size(); i++) {
            Stage stage = stages.get(i);
            if (stage.number() != i
                    || i > 0 && stage.startNanos() < stages.get(i - 1).startNanos()) {
                throw new IllegalArgumentException("A plan wants its stages numbered from 0 in the order of their"
                        + " starts; found " + stage.number() + " at place " + i);
            }
        }
    }

    /** Makes a plan that is all there is. */
    public Plan(long seed, int testers, Targets targets, List<Stage> stages) {
        this(seed, testers, targets, stages, false);
    }

    /**
     * Makes the plan that a further stage gives; it cuts off the one before where that is under way.
     *
     * @throws IllegalStateException when this plan does not grow
     */
    public Plan with(Stage next) {
        if (!grows) {
            throw new IllegalStateException("Only a plan that grows takes further stages");
        }
        List<Stage> longer = new ArrayList<>(stages);
        longer.add(next);
        return new Plan(seed, testers, targets, longer, true);
    }

    /** Gives the instant, after the start of the run, from which a stage begins no more calls. */
    public long endNanos(Stage stage) {
        int next = stage.number() + 1;
        return next < stages.size()
                ? Math.min(stage.endNanos(), stages.get(next).startNanos())
                : stage.endNanos();
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
