package org.diperf.controller.fleet;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.diperf.analyzer.text.Numbers;
import org.diperf.core.experiment.FleetSettings;
import org.diperf.core.experiment.FleetSettings.WhenLost;
import org.jspecify.annotations.Nullable;

/**
 * What follows the loss of testers while the load is under way. Nothing is made up for: whoever replaces a lost tester
 * begins when it is ready. Confined to the run's thread; it knows no clock but what it is told.
 */
public final class TesterLossHandler {

    /** A tester is told so long before it is to join. */
    static final long LEAD_NANOS = 300_000_000L;

    /** A tester that has not joined so long after the instant it was given is given another one. */
    private static final long AGAIN_NANOS = 1_000_000_000L;

    /** What it may do. Nothing of it blocks. */
    public interface Actions {

        /** Begins to start a tester that is to replace another one; a failure is told to the roster. */
        void place(int tester, int lost);

        /** Gives a tester that has joined its share of the plan as it is now. */
        void assign(int tester, int slot);

        /** Lets a tester that is ready take part. */
        void join(int tester, long joinNanos);

        /** Ends the load of one tester. */
        void stop(int tester);

        /** Writes a line for the user and the log. */
        void say(String line);
    }

    private static final class Pending {
        final int lost;
        final long sinceNanos;
        boolean assigned;
        long joinNanos = Long.MIN_VALUE;

        Pending(int lost, long sinceNanos) {
            this.lost = lost;
            this.sinceNanos = sinceNanos;
        }
    }

    private final FleetSettings choice;
    private final Roster roster;
    private final Actions actions;
    private final long patienceNanos;
    private int left;
    private final Set<Integer> handled = new HashSet<>();
    private final Set<Integer> toldToStop = new HashSet<>();
    private final Map<Integer, Pending> pending = new LinkedHashMap<>();

    /**
     * @param replacements most that are started in a run
     * @param patienceNanos how long a tester may take until it is ready
     */
    public TesterLossHandler(
            FleetSettings choice, Roster roster, int replacements, long patienceNanos, Actions actions) {
        this.choice = choice;
        this.roster = roster;
        this.left = replacements;
        this.patienceNanos = patienceNanos;
        this.actions = actions;
    }

    /**
     * Does what is to be done now; called a few times a second.
     *
     * @param isOver whether no more calls begin, so that nobody need be replaced
     * @return why the run must end, {@code null} to continue
     */
    @Nullable
    public String turn(long elapsedNanos, boolean isOver) {
        for (int tester : roster.lost()) {
            String why = handled.add(tester) && !isOver ? follow(tester, elapsedNanos) : null;
            if (why != null) {
                return why;
            }
        }
        stopReturned();
        if (isOver) {
            giveUp("the load ended before it was ready");
        }
        for (int tester : List.copyOf(pending.keySet())) {
            String why = forward(tester, elapsedNanos);
            if (why != null) {
                return why;
            }
        }
        letLateOnesJoin(elapsedNanos);
        int present = roster.present() + pending.size() + unreached().size();
        return present < choice.minimum() && !isOver
                ? "only " + Numbers.count(present, "tester") + " left, below the minimum of " + choice.minimum()
                : null;
    }

    /** Returns whether a tester is still expected to take the share of a lost one. */
    public boolean isReplacing() {
        return !pending.isEmpty();
    }

    /** Expects no more replacements. */
    public void giveUp(String reason) {
        pending.keySet().forEach(tester -> roster.unusable(tester, reason));
        pending.clear();
    }

    /** Does what is to follow the loss of a tester; returns why the run must end, {@code null} to continue. */
    private @Nullable String follow(int lost, long elapsedNanos) {
        if (choice.whenLost() == WhenLost.REPLACE) {
            replace(lost, elapsedNanos);
        }
        return choice.whenLost() == WhenLost.ABORT
                ? "tester-" + lost + " was lost (" + roster.reasonOf(lost) + "), and when-lost is abort"
                : null;
    }

    private void replace(int lost, long elapsedNanos) {
        if (left == 0) {
            actions.say("tester-" + lost
                    + " is not replaced: the run has already started as many replacements as it had testers");
            return;
        }
        left--;
        int tester = roster.expectInsteadOf(lost);
        pending.put(tester, new Pending(lost, elapsedNanos));
        actions.say("tester-" + tester + " is starting in place of tester-" + lost);
        actions.place(tester, lost);
    }

    private void stopReturned() {
        for (int tester : roster.inPhase(Roster.Phase.RETURNED)) {
            if (toldToStop.add(tester)) {
                actions.stop(tester);
                actions.say("tester-" + tester + " is back; its load stays stopped, but its samples are kept");
            }
        }
    }

    /** Returns why the run must end, {@code null} to continue. */
    private @Nullable String forward(int tester, long elapsedNanos) {
        Pending now = pending.get(tester);
        if (now == null) {
            return null;
        }
        Roster.Phase phase = roster.phaseOf(tester);
        if (phase == Roster.Phase.UNUSABLE) {
            pending.remove(tester);
            boolean isLate = tester == now.lost;
            actions.say("tester-" + tester
                    + (isLate ? " was lost before it started: " : " cannot replace tester-" + now.lost + ": ")
                    + roster.reasonOf(tester));
            return follow(now.lost, elapsedNanos);
        }
        if (phase.compareTo(Roster.Phase.STARTED) >= 0) {
            pending.remove(tester);
            actions.say(String.format(
                    Locale.ROOT,
                    "tester-%d takes over the load of tester-%d at %.1f s",
                    tester,
                    now.lost,
                    now.joinNanos / 1e9));
        } else if (phase == Roster.Phase.JOINED && !now.assigned) {
            now.assigned = true;
            actions.assign(tester, roster.slotOf(tester));
        } else if (phase == Roster.Phase.READY) {
            if (now.joinNanos == Long.MIN_VALUE || elapsedNanos - now.joinNanos > AGAIN_NANOS) {
                now.joinNanos = join(tester, elapsedNanos);
            }
        } else if (elapsedNanos - now.sinceNanos > patienceNanos) {
            roster.unusable(tester, "it was not ready within " + patienceNanos / 1_000_000_000 + " s");
        }
        return null;
    }

    /** A tester that the start did not reach in time takes part from then on. */
    private void letLateOnesJoin(long elapsedNanos) {
        if (elapsedNanos > AGAIN_NANOS) {
            for (int tester : unreached()) {
                pending.put(tester, new Pending(tester, elapsedNanos));
                actions.say("tester-" + tester + " could not be reached in time for the start");
            }
        }
    }

    /** Lists testers that are ready for their share and have not been told when to begin. */
    private List<Integer> unreached() {
        return roster.inPhase(Roster.Phase.READY).stream()
                .filter(tester -> !pending.containsKey(tester) && roster.slotOf(tester) > 0)
                .toList();
    }

    private long join(int tester, long elapsedNanos) {
        long joinNanos = elapsedNanos + LEAD_NANOS;
        roster.joinsAt(tester, joinNanos);
        actions.join(tester, joinNanos);
        return joinNanos;
    }
}
