package org.diperf.core.plan;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that determines who calls what when: the same plan makes the same calls.
 *
 * @param seed of the experiment
 * @param testers number that share the load, at least 1
 * @param targets how clients and calls are spread over the targets
 * @param stages in order, numbered without gaps, at least one
 * @param grows whether the controller may append stages while the plan runs; such a plan only ends when it is stopped
 * @param numbering the clients' numbers, and which tester runs which
 */
public record Plan(
        long seed, int testers, Targets targets, List<Stage> stages, boolean grows, ClientNumbering numbering) {

    public Plan {
        stages = List.copyOf(stages);
        if (testers < 1 || stages.isEmpty()) {
            throw new IllegalArgumentException(
                    "Plan: expected at least one tester and one stage, got " + testers + " and " + stages.size());
        }
        for (int i = 0; i < stages.size(); i++) {
            Stage stage = stages.get(i);
            if (stage.number() != stages.get(0).number() + i
                    || i > 0 && stage.startNanos() < stages.get(i - 1).startNanos()) {
                throw new IllegalArgumentException("Plan: expected stages numbered consecutively in order of their "
                        + "start times, got stage "
                        + stage.number() + " at position " + i);
            }
        }
    }

    /** Makes a plan that is all there is. */
    public Plan(long seed, int testers, Targets targets, List<Stage> stages) {
        this(seed, testers, targets, stages, false);
    }

    /** Makes the plan of a run without groups, whose clients are spread by default. */
    public Plan(long seed, int testers, Targets targets, List<Stage> stages, boolean grows) {
        this(seed, testers, targets, stages, grows, ClientNumbering.DEFAULT);
    }

    /**
     * Makes the plan that a further stage gives; it cuts off the one before where that is under way.
     *
     * @throws IllegalStateException when this plan does not grow
     */
    public Plan with(Stage next) {
        if (!grows) {
            throw new IllegalStateException("Only an open-ended plan accepts further stages");
        }
        List<Stage> longer = new ArrayList<>(stages);
        longer.add(next);
        return new Plan(seed, testers, targets, longer, true, numbering);
    }

    /** Returns the instant, after the start of the run, from which a stage begins no more calls. */
    public long endNanos(Stage stage) {
        Stage next = stage(stage.number() + 1);
        return next == null ? stage.endNanos() : Math.min(stage.endNanos(), next.startNanos());
    }

    /** Returns the stage of a number; {@code null} where this plan has none, or not yet. */
    public @Nullable Stage stage(int number) {
        int index = number - stages.get(0).number();
        return index < 0 || index >= stages.size() ? null : stages.get(index);
    }

    /**
     * Counts the clients of a tester in a stage.
     *
     * @param slot from 1 to {@link #testers}
     */
    public int clientsOf(int slot, Load load) {
        return numbering.clientsOf(slot, testers, load.clients());
    }

    /** Names the client at a place among its tester's, both from the plan's one numbering. */
    public int clientAt(int slot, int place) {
        return numbering.clientAt(slot, testers, place);
    }

    /**
     * Returns the clients whose calls a tester may report, in whichever stage, those too that a growing plan has not got yet.
     *
     * @param slot from 1 to {@link #testers}
     */
    public TesterClients own(int slot) {
        int most =
                stages.stream().mapToInt(stage -> stage.load().clients()).max().orElse(1);
        return numbering.own(slot, testers, most);
    }

    /** Returns the place of a client among those of this plan's loads, from 0. */
    public int indexOf(int client) {
        return client - numbering.firstClient();
    }

    /**
     * Returns the intended start of a client's next call in closed load.
     *
     * @param client in the whole run, from 0
     * @param call number of that next call, at least 1
     * @param previousIntendedNanos when its previous call was due
     * @param previousEndNanos when its previous call ended
     * @return on the same clock as these two
     */
    public long nextIntendedNanos(
            Stage stage, int client, long call, long previousIntendedNanos, long previousEndNanos) {
        ClosedLoad load = (ClosedLoad) stage.load();
        if (load.think() instanceof ThinkTime.None) {
            return previousEndNanos;
        }
        return load.think()
                .nextNanos(previousIntendedNanos, previousEndNanos, SplitMix.bits(seed, stage.number(), client, call));
    }

    /** Returns the time after the start of the run from which no more calls begin. */
    public long lengthNanos() {
        return stages.get(stages.size() - 1).endNanos();
    }
}
