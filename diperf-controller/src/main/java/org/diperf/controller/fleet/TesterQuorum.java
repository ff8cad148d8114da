package org.diperf.controller.fleet;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.diperf.analyzer.text.Numbers;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.experiment.FleetSettings;
import org.diperf.core.experiment.FleetSettings.WhenLost;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the testers before the load: those that come in time take part, if they are enough. Confined to the run's thread.
 *
 * @param where the testers' logs are
 * @param interruption why the run is to end; {@code null}: it is not
 */
public record TesterQuorum(
        FleetSettings choice,
        Roster roster,
        Fleet fleet,
        NanoClock clock,
        String where,
        Supplier<@Nullable String> interruption) {

    private static final long SECOND = 1_000_000_000L;

    /**
     * Waits until all testers have joined, cannot, or time is over.
     *
     * @return those that have joined, who share the load
     * @throws RunFailedException when they are too few
     */
    public List<Member> joined(long patienceNanos) throws RunFailedException, InterruptedException {
        if (!await(patienceNanos, Roster.Phase.JOINED)) {
            roster.unusable(Roster.Phase.EXPECTED, "it did not join within " + patienceNanos / SECOND + " s");
        }
        enough(Roster.Phase.JOINED, "joined");
        List<Member> members = fleet.members(roster.inPhase(Roster.Phase.JOINED));
        members.forEach(member -> roster.slot(member.tester(), member.slot()));
        return members;
    }

    /**
     * Waits until all that have joined are ready, cannot be, or time is over.
     *
     * @throws RunFailedException when they are too few
     */
    public void ready(long patienceNanos) throws RunFailedException, InterruptedException {
        if (!await(patienceNanos, Roster.Phase.READY)) {
            roster.unusable(Roster.Phase.JOINED, "it was not ready within " + patienceNanos / SECOND + " s");
        }
        enough(Roster.Phase.READY, "ready");
    }

    private boolean await(long patienceNanos, Roster.Phase phase) throws RunFailedException, InterruptedException {
        long deadline = clock.nanoTime() + patienceNanos;
        while (!roster.await(SECOND / 5, phase, Roster.Phase.UNUSABLE)) {
            if (interruption.get() != null) {
                throw new RunFailedException("Interrupted (" + interruption.get() + ") before the load started");
            }
            if (clock.nanoTime() - deadline > 0) {
                return false;
            }
        }
        return true;
    }

    private void enough(Roster.Phase phase, String word) throws RunFailedException {
        int found = roster.count(phase::equals);
        boolean all = choice.whenLost() == WhenLost.ABORT;
        int needed = fleet.needed();
        if (found < needed) {
            String reasons = roster.reasons(Roster.Phase.UNUSABLE);
            String skipped = fleet.testers() >= fleet.expected() ? "" : skipped(fleet);
            throw new RunFailedException("Expected " + (needed < fleet.expected() ? "at least " : "")
                    + Numbers.count(needed, "tester") + " " + word
                    + (all && fleet.expected() > 1 ? " (when-lost: abort requires all)" : "") + ", got " + found
                    + ": " + reasons + (reasons.isEmpty() || skipped.isEmpty() ? "" : "; ") + skipped
                    + ". See the testers' logs in " + where);
        }
    }

    /** Says of the nodes that were not chosen why not. */
    public static String skipped(Fleet fleet) {
        return fleet.candidates().stream()
                .filter(candidate -> !candidate.chosen())
                .map(candidate -> candidate.node().name() + ": " + candidate.reason())
                .collect(Collectors.joining("; "));
    }
}
