package org.diperf.controller.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.diperf.core.experiment.FleetSettings;
import org.diperf.core.experiment.FleetSettings.WhenLost;
import org.diperf.core.run.TesterRecord;
import org.diperf.core.wire.TesterFacts;
import org.diperf.core.wire.TesterStatus;
import org.diperf.core.wire.TesterTotals;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What follows the loss of testers, by policy; the test says what time it is. */
@Timeout(10)
class TesterLossHandlerTests {

    private static final long S = 1_000_000_000L;
    private static final TesterFacts FACTS = new TesterFacts("here", 2, 1 << 30, "17", List.of(), "Linux", false);
    private static final TesterTotals TOTALS = new TesterTotals(10, 0, 0, 0, Map.of(), 0);

    private final Roster roster = new Roster(() -> 0, Roster.Pause.REAL);
    private final List<String> done = new ArrayList<>();
    private TesterLossHandler lost = lost(WhenLost.CONTINUE, 1, 0);

    private final class Noting implements TesterLossHandler.Actions {
        @Override
        public void place(int tester, int instead) {
            done.add("place " + tester + " for " + instead);
        }

        @Override
        public void assign(int tester, int slot) {
            done.add("assign " + tester + " slot " + slot);
        }

        @Override
        public void join(int tester, long joinNanos) {
            done.add("join " + tester + " at " + joinNanos / 1_000_000 + " ms");
        }

        @Override
        public void stop(int tester) {
            done.add("stop " + tester);
        }

        @Override
        public void say(String line) {
            done.add("say " + line);
        }
    }

    private void running(int testers, WhenLost whenLost, int minimum) {
        for (int tester = 1; tester <= testers; tester++) {
            roster.expect(tester);
            roster.slot(tester, tester);
            roster.joined(tester, FACTS);
            roster.ready(tester);
            roster.started(tester, 0);
        }
        lost = lost(whenLost, minimum, testers);
    }

    private TesterLossHandler lost(WhenLost whenLost, int minimum, int testers) {
        FleetSettings choice = new FleetSettings(whenLost, minimum, Duration.ofMinutes(10), "", 0, 1);
        return new TesterLossHandler(choice, roster, testers, 60 * S, new Noting());
    }

    private TesterRecord record(int tester) {
        return roster.records(Fleet.withoutNodes(FleetSettings.DEFAULT, 1)).get(tester - 1);
    }

    @Test
    void theOthersContinueWhileTheyAreEnough() {
        running(3, WhenLost.CONTINUE, 2);

        roster.lost(2, "its process ended", 5 * S, 5 * S);
        assertThat(lost.turn(5 * S, false)).isNull();
        assertThat(done).isEmpty();
        assertThat(lost.isReplacing()).isFalse();

        roster.lost(3, "silent", 6 * S, 16 * S);
        assertThat(lost.turn(16 * S, false)).contains("only 1 tester left", "minimum of 2");
        assertThat(record(3).lostNanos()).isEqualTo(6 * S);
    }

    @Test
    void theFirstLossEndsARunThatIsToBeAborted() {
        running(3, WhenLost.ABORT, 1);
        assertThat(lost.turn(S, false)).isNull();

        roster.lost(2, "its process ended", 5 * S, 5 * S);

        assertThat(lost.turn(5 * S, false)).contains("tester-2", "its process ended", "when-lost is abort");
    }

    @Test
    void aReplacementTakesTheSlotFromWhenItIsReady() {
        running(2, WhenLost.REPLACE, 2);
        roster.lost(2, "its process ended", 5 * S, 5 * S);

        assertThat(lost.turn(5 * S, false)).as("one on its way counts").isNull();
        assertThat(lost.isReplacing()).isTrue();
        roster.joined(3, FACTS);
        lost.turn(6 * S, false);
        lost.turn(6 * S, false);
        roster.ready(3);
        lost.turn(7 * S, false);
        lost.turn(7 * S + S / 2, false);
        roster.started(3, 77);
        lost.turn(8 * S, false);

        assertThat(done)
                .containsExactly(
                        "say tester-3 is starting in place of tester-2",
                        "place 3 for 2",
                        "assign 3 slot 2",
                        "join 3 at 7300 ms",
                        "say tester-3 takes over the load of tester-2 at 7.3 s");
        assertThat(lost.isReplacing()).isFalse();
        TesterRecord replacement = record(3);
        assertThat(replacement.slot()).isEqualTo(2);
        assertThat(replacement.replaces()).isEqualTo(2);
        assertThat(replacement.joinedNanos()).isEqualTo(7 * S + 3 * S / 10);
    }

    @Test
    void aReplacementThatMissedItsInstantIsGivenAnother() {
        running(1, WhenLost.REPLACE, 1);
        roster.lost(1, "gone", 5 * S, 5 * S);
        lost.turn(5 * S, false);
        roster.joined(2, FACTS);
        roster.ready(2);
        lost.turn(6 * S, false);
        lost.turn(9 * S, false);

        assertThat(done).contains("join 2 at 6300 ms", "join 2 at 9300 ms");
        assertThat(record(2).joinedNanos()).isEqualTo(9 * S + 3 * S / 10);
    }

    @Test
    void replacementsThatFailAreTriedAgainButNotForEver() {
        running(2, WhenLost.REPLACE, 1);
        roster.lost(1, "gone", 5 * S, 5 * S);
        lost.turn(5 * S, false);
        roster.unusable(3, "no room");
        lost.turn(6 * S, false);
        roster.unusable(4, "no room");

        assertThat(lost.turn(7 * S, false)).isNull();

        assertThat(done).filteredOn(line -> line.startsWith("place")).containsExactly("place 3 for 1", "place 4 for 1");
        assertThat(done.get(done.size() - 1)).contains("tester-1 is not replaced");
        assertThat(lost.isReplacing()).isFalse();
    }

    @Test
    void aReplacementThatNeverComesIsGivenUp() {
        running(1, WhenLost.REPLACE, 1);
        roster.lost(1, "gone", 5 * S, 5 * S);
        lost.turn(5 * S, false);
        lost.turn(66 * S, false);

        assertThat(lost.turn(67 * S, false)).contains("only 0 testers");
        assertThat(record(2).lostReason()).contains("not ready within 60 s");
    }

    @Test
    void nobodyIsReplacedWhenTheLoadIsOver() {
        running(2, WhenLost.REPLACE, 2);
        roster.finished(1, TOTALS);
        roster.lost(2, "gone", 10 * S, 10 * S);

        assertThat(lost.turn(10 * S, true)).isNull();
        assertThat(done).isEmpty();
    }

    @Test
    void whoeverComesBackIsToldToStopAndItsIntervalBeginsWhenItsLeaseRanOut() {
        running(2, WhenLost.CONTINUE, 1);
        roster.lost(2, "silent for 10 s", 5 * S, 15 * S);
        lost.turn(15 * S, false);
        assertThat(record(2).lostNanos()).isEqualTo(5 * S);

        roster.back(2, 20 * S);
        lost.turn(20 * S, false);
        lost.turn(21 * S, false);

        assertThat(done).filteredOn(line -> line.startsWith("stop")).containsExactly("stop 2");
        assertThat(roster.isDone()).isFalse();
        roster.finished(2, TOTALS.ofStoppedLoad());
        assertThat(record(2).lostNanos()).isEqualTo(15 * S);
        assertThat(record(2).returnedNanos()).isEqualTo(20 * S);
        assertThat(record(2).sent()).isEqualTo(10);
        assertThat(roster.present()).isEqualTo(1);
    }

    @Test
    void aTesterThatTheStartDidNotReachJoinsLater() {
        running(1, WhenLost.CONTINUE, 1);
        roster.expect(2);
        roster.slot(2, 2);
        roster.joined(2, FACTS);
        roster.ready(2);

        lost.turn(2 * S, false);
        lost.turn(2 * S + S / 4, false);

        assertThat(done).contains("join 2 at 2550 ms");
        assertThat(record(2).replaces()).isNull();
    }

    /** Testers 1 and 2 run, and the start did not reach tester 3, which is lost before it has joined. */
    private @Nullable String afterALateOneIsLost(WhenLost whenLost) {
        running(2, whenLost, 1);
        roster.expect(3);
        roster.slot(3, 3);
        roster.joined(3, FACTS);
        roster.ready(3);
        assertThat(lost.turn(2 * S, false)).isNull();
        roster.lost(3, "its process ended", 2 * S, 2 * S);
        return lost.turn(2 * S + S / 4, false);
    }

    @Test
    void aLateOneThatIsLostBeforeItJoinsIsReplacedOnlyWhereThatIsWanted() {
        assertThat(afterALateOneIsLost(WhenLost.REPLACE)).isNull();
        assertThat(done)
                .containsExactly(
                        "say tester-3 could not be reached in time for the start",
                        "say tester-3 was lost before it started: its process ended",
                        "say tester-4 is starting in place of tester-3",
                        "place 4 for 3");
    }

    @Test
    void theOthersContinueWithoutALateOneThatIsLostBeforeItJoins() {
        assertThat(afterALateOneIsLost(WhenLost.CONTINUE)).isNull();
        assertThat(done)
                .containsExactly(
                        "say tester-3 could not be reached in time for the start",
                        "say tester-3 was lost before it started: its process ended");
        assertThat(lost.isReplacing()).isFalse();
    }

    @Test
    void aLateOneThatIsLostBeforeItJoinsEndsARunThatIsToBeAborted() {
        assertThat(afterALateOneIsLost(WhenLost.ABORT))
                .isEqualTo("tester-3 was lost (its process ended), and when-lost is abort");
        assertThat(done).doesNotContain("place 4 for 3");
    }

    /** A controller that its machine keeps waiting may be too late even for the only one. */
    @Test
    void aRunWhoseOnlyTesterTheStartDidNotReachWaitsForIt() {
        roster.expect(1);
        roster.slot(1, 1);
        roster.joined(1, FACTS);
        roster.ready(1);

        assertThat(lost.turn(S / 4, false)).isNull();
        assertThat(done).isEmpty();
        assertThat(lost.turn(2 * S, false)).isNull();
        assertThat(lost.turn(2 * S + S / 4, false)).isNull();
        assertThat(done).contains("say tester-1 could not be reached in time for the start", "join 1 at 2550 ms");

        roster.unusable(1, "it broke the protocol");
        assertThat(lost.turn(3 * S, false)).contains("only 0 testers left");
    }

    @Test
    void statusOfADeadTesterThatWasUnderWayDoesNotBringItBack() {
        running(1, WhenLost.CONTINUE, 1);
        roster.lost(1, "its process ended", 5 * S, 5 * S);
        roster.status(1, TesterStatus.NONE);

        assertThat(roster.isLostSince(1, 2 * S, 6 * S)).isFalse();
        assertThat(roster.isLostSince(1, 2 * S, 8 * S)).isTrue();
    }
}
