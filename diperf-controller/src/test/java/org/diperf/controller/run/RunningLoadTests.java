package org.diperf.controller.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.diperf.controller.run.HandDrivenRun.FACTS;
import static org.diperf.controller.run.HandDrivenRun.S;
import static org.diperf.controller.run.HandDrivenRun.TOTALS;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.diperf.controller.fleet.Fleet;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.core.faults.FaultyDisk;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.RunRecord.End;
import org.diperf.core.run.TesterRecord;
import org.diperf.core.run.Warning;
import org.diperf.core.run.Warning.Subject;
import org.diperf.core.spi.SpoolLocation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The start of a run and its load, with the test's clock and testers. */
@Timeout(30)
class RunningLoadTests {

    private static final String ALL_OF_TWO =
            "testbed: { testers: 2, when-lost: abort }\nload: { clients: 2, run-for: 10s, timeout: 1s }\n";
    private static final String TWO = "testbed: { testers: 2 }\nload: { clients: 2, run-for: 10s, timeout: 1s }\n";

    @TempDir
    Path folder;

    private HandDrivenRun run(String yaml) throws Exception {
        return new HandDrivenRun(folder, yaml);
    }

    /** A run whose two testers are calling. */
    private RunningLoad begun(HandDrivenRun run) throws Exception {
        RunningLoad load = run.assembled(run.fleet(1, 2));
        load.begin();
        return load;
    }

    @Test
    void testersThatHaveJoinedShareTheLoadAndAreReadyBeforeItBegins() throws Exception {
        try (HandDrivenRun run = run(TWO)) {
            RunningLoad load = run.assembled(run.fleet(1, 2));
            assertThat(run.told).containsExactly("assign 1 slot 1", "assign 2 slot 2");
            load.begin();
            assertThat(run.told).endsWith("start");
            RunRecord record = run.recorded();
            assertThat(record.end()).isEqualTo(End.UNDER_WAY);
            assertThat(record.startNanos()).isGreaterThan(run.now());
            assertThat(record.testers()).extracting(TesterRecord::slot).containsExactly(1, 2);
        }
    }

    @Test
    void theRecordWithTheStartIsThereBeforeAnyTesterIsTold() throws Exception {
        try (HandDrivenRun run = run(TWO)) {
            RunningLoad load = run.assembled(run.fleet(1, 2));
            assertThat(run.folder.resolve("run.json")).doesNotExist();
            load.begin();
            // A tester counts as started when it is told: in the record that was there before, none had.
            assertThat(run.recorded().testers()).noneMatch(TesterRecord::started);
        }
    }

    @Test
    void withoutEnoughTestersTheRunFailsWhenTheTestbedsPatienceIsOver() throws Exception {
        try (HandDrivenRun run = run(ALL_OF_TWO)) {
            Fleet fleet = run.fleet(2);
            long before = run.now();
            assertThatThrownBy(() -> run.assembled(fleet))
                    .isInstanceOf(RunFailedException.class)
                    .hasMessageContaining("got 1: tester-1: it did not join within 60 s");
            assertThat(run.now() - before).isBetween(60 * S, 61 * S);
            assertThat(run.told).isEmpty();
        }
    }

    @Test
    void theLoadOfATesterThatNeverJoinsIsSharedByTheOthers() throws Exception {
        try (HandDrivenRun run =
                run("testbed: { testers: 2, minimum: 1 }\nload: { clients: 2, run-for: 10s, timeout: 1s }\n")) {
            RunningLoad load = run.assembled(run.fleet(2));
            assertThat(run.told).containsExactly("assign 2 slot 1");
            load.begin();
            run.in(11 * S, () -> run.reports.finished(2, TOTALS));
            assertThat(load.watch()).isEqualTo(End.COMPLETE);
            assertThat(load.conclude(End.COMPLETE).testers())
                    .extracting(TesterRecord::slot)
                    .containsExactly(0, 1);
        }
    }

    @Test
    void aTesterThatCannotPrepareEndsARunThatWantsAll() throws Exception {
        try (HandDrivenRun run = run(ALL_OF_TWO)) {
            Fleet fleet = run.fleet(1, 2);
            run.in(S + S / 20, () -> run.reports.refused(2, "no licence server"));
            assertThatThrownBy(() -> run.assembled(fleet))
                    .isInstanceOf(RunFailedException.class)
                    .hasMessageContaining("tester-2: no licence server");
        }
    }

    @Test
    void anInterruptionWhileTestersAreAwaitedEndsTheRunAtOnce() throws Exception {
        try (HandDrivenRun run = run(TWO)) {
            Fleet fleet = run.fleet();
            run.in(3 * S, () -> run.scope.troubles().interrupt("by the user"));
            long before = run.now();
            assertThatThrownBy(() -> run.assembled(fleet))
                    .hasMessage("Interrupted (by the user) before the load started");
            assertThat(run.now() - before).isBetween(3 * S, 4 * S);
        }
    }

    @Test
    void aRunIsCompleteWhenAllTestersHaveFinished() throws Exception {
        try (HandDrivenRun run = run(TWO)) {
            RunningLoad load = begun(run);
            run.in(10 * S, () -> run.reports.finished(1, TOTALS));
            run.in(11 * S, () -> run.reports.finished(2, TOTALS));
            assertThat(load.watch()).isEqualTo(End.COMPLETE);
            RunRecord record = load.conclude(End.COMPLETE);
            assertThat(record).isEqualTo(run.recorded());
            assertThat(record.endNanos()).isEqualTo(run.now());
            assertThat(record.warnings()).isEmpty();
            assertThat(record.testers()).extracting(TesterRecord::sent).containsExactly(10L, 10L);
            assertThat(run.told).doesNotContain("stop all within " + S);
        }
    }

    @Test
    void anInterruptionStopsTheLoadWithinASecond() throws Exception {
        try (HandDrivenRun run = run(TWO)) {
            RunningLoad load = begun(run);
            run.in(4 * S, () -> run.scope.troubles().interrupt("by the user"));
            assertThat(load.watch()).isEqualTo(End.INTERRUPTED);
            assertThat(run.told).endsWith("stop all within " + S);
            assertThat(run.log()).contains("interrupted: by the user");
        }
    }

    @Test
    void testersThatDoNotEndAreWaitedForSixSecondsAfterAStop() throws Exception {
        try (HandDrivenRun run = run(TWO)) {
            run.testers.obedient = false;
            RunningLoad load = begun(run);
            run.scope.troubles().interrupt("by the user");
            long before = run.now();
            assertThat(load.watch()).isEqualTo(End.INTERRUPTED);
            assertThat(run.now() - before).isBetween(6 * S, 7 * S);
        }
    }

    @Test
    void aCollectorThatCanKeepNothingEndsTheRun() throws Exception {
        try (HandDrivenRun run = run(TWO)) {
            RunningLoad load = begun(run);
            run.in(2 * S, () -> run.reports.failed("no space left on device"));
            assertThat(load.watch()).isEqualTo(End.FAILED);
            assertThat(run.told).contains("stop all within " + S);
            assertNotConcluded(run, load, End.FAILED, "no space left on device");
        }
    }

    @Test
    void aDiskThatFillsWhenAllTestersHaveFinishedReleasesNobody() throws Exception {
        try (HandDrivenRun run = run(TWO)) {
            RunningLoad load = begun(run);
            run.in(10 * S, () -> run.reports.finished(1, TOTALS));
            run.in(10 * S, () -> run.reports.finished(2, TOTALS));
            assertThat(load.watch()).isEqualTo(End.COMPLETE);
            run.reports.failed("no space left on device");
            assertNotConcluded(run, load, End.COMPLETE, "no space left on device");
        }
    }

    /** Asserts that a run whose samples cannot be kept says nothing that would let anybody forget them. */
    private static void assertNotConcluded(HandDrivenRun run, RunningLoad load, End end, String reason)
            throws IOException {
        assertThatThrownBy(() -> load.conclude(end))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(reason);
        assertThat(run.told).noneMatch(said -> said.startsWith("bye"));
        assertThat(run.recorded().end()).isEqualTo(End.UNDER_WAY);
        assertThat(run.log()).doesNotContain("ended: " + end);
    }

    @Test
    void testersAreReleasedWhenTheLastRecordIsThere() throws Exception {
        try (HandDrivenRun run = run(TWO)) {
            RunningLoad load = begun(run);
            run.in(10 * S, () -> run.reports.finished(1, TOTALS));
            run.in(10 * S, () -> run.reports.finished(2, TOTALS));
            load.conclude(load.watch());
            assertThat(run.told).endsWith("bye");
        }
    }

    @Test
    void aLostTesterIsNamedInTheRecordWhileTheRunContinues() throws Exception {
        try (HandDrivenRun run = run("testbed: { testers: 2, when-lost: continue }\n"
                + "load: { clients: 2, run-for: 10s, timeout: 1s }\n")) {
            RunningLoad load = begun(run);
            run.in(3 * S, () -> run.reports.lost(1, "silent for 5000 ms", run.now()));
            run.in(4 * S, () -> assertThat(lostReason(run)).isEqualTo("silent for 5000 ms"));
            run.in(11 * S, () -> run.reports.finished(2, TOTALS));
            assertThat(load.watch()).isEqualTo(End.COMPLETE);
        }
    }

    @Test
    void whatALostTesterHasLeftIsTakenBeforeTheRunEnds() throws Exception {
        try (HandDrivenRun run = run("testbed: { testers: 2, when-lost: continue }\n"
                + "load: { clients: 2, run-for: 10s, timeout: 1s }\n")) {
            RunningLoad load = begun(run);
            run.in(3 * S, () -> run.reports.lost(1, "silent for 5000 ms", run.now()));
            run.in(11 * S, () -> run.reports.finished(2, TOTALS));
            End end = load.watch();
            Path spools = Files.createDirectory(run.directory.control().resolve("spool"));
            Files.writeString(spools.resolve("tester-1.spool"), "samples");
            load.conclude(end);
            assertThat(run.told).containsSubsequence("take tester-1.spool", "bye");
        }
    }

    private static String lostReason(HandDrivenRun run) {
        try {
            return String.valueOf(run.recorded().testers().get(0).lostReason());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aLostTesterEndsARunThatWantsAll() throws Exception {
        try (HandDrivenRun run =
                run("testbed: { testers: 2, when-lost: abort }\nload: { clients: 2, run-for: 10s, timeout: 1s }\n")) {
            RunningLoad load = begun(run);
            run.in(3 * S, () -> run.reports.lost(1, "silent for 5000 ms", run.now()));
            assertThat(load.watch()).isEqualTo(End.ABORTED);
            assertThat(load.conclude(End.ABORTED).warnings())
                    .containsExactly(Warning.note(
                            Subject.TESTER,
                            "the run was ended: tester-1 was lost (silent for 5000 ms), and when-lost is abort"));
        }
    }

    @Test
    void aLostTesterIsReplacedByOneThatHasItsShare() throws Exception {
        try (HandDrivenRun run = run("testbed: { testers: 2, when-lost: replace }\n"
                + "load: { clients: 2, run-for: 10s, timeout: 1s }\n")) {
            RunningLoad load = begun(run);
            run.in(2 * S, () -> run.reports.lost(1, "gone", run.now()));
            run.in(3 * S, () -> run.reports.joined(3, FACTS));
            run.in(12 * S, () -> run.reports.finished(2, TOTALS));
            run.in(13 * S, () -> run.reports.finished(3, TOTALS));
            assertThat(load.watch()).isEqualTo(End.COMPLETE);
            assertThat(run.told).contains("assign 3 slot 1", "join 3");
        }
    }

    private static RunRecord recorded(HandDrivenRun run) {
        try {
            return run.recorded();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aTesterThatReplacesAnotherIsInTheRecordBeforeItCallsAndNothingThatItLeavesIsMissed() throws Exception {
        try (HandDrivenRun run = run("testbed: { testers: 2, when-lost: replace }\n"
                + "load: { clients: 2, run-for: 10s, timeout: 1s }\n")) {
            RunningLoad load = begun(run);
            List<RunRecord> whenAssigned = new ArrayList<>();
            run.testers.whenAssigned = tester -> whenAssigned.add(recorded(run));
            run.in(2 * S, () -> run.reports.lost(1, "gone", run.now()));
            run.in(3 * S, () -> {
                run.awaitPlaced();
                run.reports.joined(3, FACTS);
            });
            run.in(5 * S, () -> run.reports.started(3, run.now()));
            List<RunRecord> whenStarted = new ArrayList<>();
            run.in(6 * S, () -> whenStarted.add(recorded(run)));
            run.in(12 * S, () -> run.reports.finished(2, TOTALS));
            run.in(13 * S, () -> run.reports.finished(3, TOTALS));
            assertThat(load.watch()).isEqualTo(End.COMPLETE);
            assertThat(whenAssigned).singleElement().satisfies(record -> {
                assertThat(record.testers()).extracting(TesterRecord::number).containsExactly(1, 2, 3);
                assertThat(record.spools()).extracting(SpoolLocation::tester).containsExactly(3);
            });
            assertThat(whenStarted)
                    .singleElement()
                    .satisfies(record -> assertThat(record.testers()).allMatch(TesterRecord::started));
        }
    }

    @Test
    void inARunThatEndsNobodyIsToldToCopyWhatNothingTakes() throws Exception {
        try (HandDrivenRun run = run("testbed: { testers: 2, when-lost: replace }\n"
                + "load: { clients: 2, run-for: 10s, timeout: 1s }\n")) {
            RunningLoad load = begun(run);
            run.in(2 * S, () -> run.reports.lost(1, "gone", run.now()));
            run.in(3 * S, () -> {
                run.awaitPlaced();
                run.reports.joined(3, FACTS);
            });
            run.in(5 * S, () -> run.reports.started(3, run.now()));
            run.in(6 * S, () -> run.reports.lost(3, "gone too", run.now()));
            run.in(12 * S, () -> run.reports.finished(2, TOTALS));
            assertThat(load.conclude(load.watch()).warnings())
                    .extracting(Warning::text)
                    .containsExactly(
                            "tester-3 may have left samples on node in /spool/tester-3.spool, which could not be fetched: "
                                    + "connection refused; they are lost to this run");
        }
    }

    @Test
    void aLastRecordWhoseNameIsNotDurableIsTakenBackSoThatTheRunCanBeResumed() throws Exception {
        FaultyDisk disk = new FaultyDisk(Files.createDirectory(folder.resolve("disk")));
        try (HandDrivenRun run =
                new HandDrivenRun(folder, TWO, null, disk.root().resolve("run"))) {
            RunningLoad load = begun(run);
            run.in(10 * S, () -> run.reports.finished(1, TOTALS));
            run.in(10 * S, () -> run.reports.finished(2, TOTALS));
            End end = load.watch();
            RunRecord before = run.recorded();
            assertThat(before.endNanos()).isNull();
            disk.failFolderOnce("Input/output error");
            assertThatThrownBy(() -> load.conclude(end)).hasMessageContaining("Input/output error");
            assertThat(run.recorded()).isEqualTo(before);
            assertThat(run.folder.resolve("run.json.new")).doesNotExist();
            assertThat(run.told).noneMatch(said -> said.startsWith("bye"));
        }
    }

    @Test
    void testersThatNeverReportTheirEndAreNotAwaitedForEver() throws Exception {
        try (HandDrivenRun run = run(TWO)) {
            RunningLoad load = begun(run);
            run.testers.obedient = false;
            long before = run.now();
            assertThat(load.watch()).isEqualTo(End.FAILED);
            assertThat(run.now() - before).isBetween(16 * S, 30 * S);
            assertThat(load.conclude(End.FAILED).warnings())
                    .containsExactly(Warning.suspect(
                            Subject.TESTER,
                            "testers did not report that they had finished: tester-1, which had sent 0 calls when it was "
                                    + "last heard from; tester-2, which had sent 0 calls when it was last heard from; any later calls "
                                    + "are lost"));
        }
    }

    /** A run of ten seconds whose testers are both lost after three. */
    private RunningLoad cutOff(HandDrivenRun run) throws Exception {
        RunningLoad load = begun(run);
        for (int tester = 1; tester <= 2; tester++) {
            int number = tester;
            run.in(13 * S, () -> run.reports.lost(number, "gone for 10009 ms", run.now() - 10 * S));
        }
        return load;
    }

    @Test
    void testersThatAreAwayAtTheEndAreAwaited() throws Exception {
        try (HandDrivenRun run = run(TWO)) {
            RunningLoad load = cutOff(run);
            run.in(100 * S, () -> run.reports.back(1));
            run.in(101 * S, () -> run.reports.finished(1, TOTALS));
            run.in(200 * S, () -> run.reports.back(2));
            run.in(201 * S, () -> run.reports.finished(2, TOTALS.ofStoppedLoad()));
            assertThat(load.watch()).isEqualTo(End.COMPLETE);
            assertThat(load.left()).isEmpty();
            RunRecord record = load.conclude(End.COMPLETE);
            assertThat(record.testers()).extracting(TesterRecord::sent).containsExactly(10L, 10L);
            assertThat(record.testers())
                    .as("one has carried out its plan, the other was stopped")
                    .extracting(tester -> tester.lostNanos() == null)
                    .containsExactly(true, false);
            assertThat(run.shown)
                    .filteredOn(line -> line.startsWith("warning: out of reach at the end of the load, with samples: "
                            + "waiting for tester-1, tester-2 for up to 10:0"))
                    .hasSize(1);
            assertThat(run.shown).anyMatch(line -> line.startsWith("waiting for tester-2 for up to "));
        }
    }

    @Test
    void testersThatStayAwayAreAwaitedForAsLongAsTheyKeepSamples() throws Exception {
        try (HandDrivenRun run =
                run("testbed: { testers: 2, linger: 20s }\nload: { clients: 2, run-for: 10s, timeout: 1s }\n")) {
            RunningLoad load = cutOff(run);
            long before = run.now();
            assertThat(load.watch()).isEqualTo(End.FAILED);
            assertThat(load.left()).isEmpty();
            // They were heard 3 s after the start; their lease is 10 s.
            assertThat(run.now() - before).isBetween((3 + 10 + 20) * S, (3 + 10 + 20 + 7) * S);
        }
    }

    @Test
    void testersWhoseProcessHasEndedAreNotAwaited() throws Exception {
        try (HandDrivenRun run = run(TWO)) {
            RunningLoad load = begun(run);
            run.in(3 * S, () -> run.reports.failed(1, "its process exited with code 137"));
            run.in(13 * S, () -> run.reports.lost(2, "gone for 10009 ms", run.now() - 10 * S));
            run.in(20 * S, () -> run.reports.failed(2, "its process exited with code 6"));
            long before = run.now();
            assertThat(load.watch()).isEqualTo(End.FAILED);
            assertThat(run.now() - before).isBetween(20 * S, 21 * S);
        }
    }

    @Test
    void droppedTestersAreNotAwaited() throws Exception {
        try (HandDrivenRun run = run(TWO)) {
            RunningLoad load = begun(run);
            run.in(3 * S, () -> run.reports.dropped(1, "broke the protocol", run.now()));
            run.in(11 * S, () -> run.reports.finished(2, TOTALS));
            long before = run.now();
            assertThat(load.watch()).isEqualTo(End.COMPLETE);
            assertThat(run.now() - before).isBetween(11 * S, 12 * S);
        }
    }

    @Test
    void ctrlCStopsTheWaitingAndLeavesTheRun() throws Exception {
        try (HandDrivenRun run = run(TWO)) {
            RunningLoad load = cutOff(run);
            run.in(20 * S, () -> run.scope.troubles().interrupt("by the user"));
            long before = run.now();
            load.watch();
            assertThat(run.now() - before).isBetween(20 * S, 21 * S);
            assertThat(load.left()).containsExactly(1, 2);
            assertThat(run.recorded().end()).isEqualTo(End.UNDER_WAY);
            assertThat(run.recorded().testers()).allMatch(tester -> tester.lostNanos() != null);
        }
    }

    @Test
    void aRunThatIsInterruptedWhileATesterIsAwayIsLeft() throws Exception {
        try (HandDrivenRun run = run("testbed: { testers: 2 }\nload: { clients: 2, run-for: 60s, timeout: 1s }\n")) {
            RunningLoad load = begun(run);
            run.in(13 * S, () -> run.reports.lost(1, "gone for 10009 ms", run.now() - 10 * S));
            run.in(20 * S, () -> run.scope.troubles().interrupt("by the user"));
            assertThat(load.watch()).isEqualTo(End.INTERRUPTED);
            assertThat(load.left()).containsExactly(1);
        }
    }

    @Test
    void aDiskThatTakesNothingForAMinuteHasFailed() throws Exception {
        try (HandDrivenRun run = run(TWO)) {
            RunningLoad load = begun(run);
            run.testers.durable = false;
            long before = run.now();
            assertNotConcluded(run, load, End.COMPLETE, "the disk has accepted no writes for 60 s");
            assertThat(run.now() - before).isBetween(60 * S, 66 * S);
            assertThat(run.shown)
                    .anyMatch(line -> line.startsWith("warning: the disk has accepted no writes for 60 s. ")
                            && line.endsWith("diperf run --resume " + run.folder));
        }
    }

    @Test
    void nothingThatLeavesTheRunNamesASecret() throws Exception {
        String secret = HandDrivenRun.secret();
        try (HandDrivenRun run =
                run("testbed: { testers: 2, when-lost: abort }\nload: { clients: 2, run-for: 10s, timeout: 1s }\n")) {
            RunningLoad load = begun(run);
            run.reports.log(2, "logged in with " + secret);
            run.in(S, () -> run.reports.lost(1, "it died of " + secret, run.now()));
            End end = load.watch();
            run.scope.output().phase("sending " + secret);
            RunRecord record = load.conclude(end);
            assertThat(record.testers().get(0).lostReason()).isEqualTo("it died of ***");
            assertThat(record.warnings().toString()).contains("it died of ***").doesNotContain(secret);
            assertThat(run.recorded().toString()).doesNotContain(secret);
            assertThat(run.log()).contains("logged in with ***").doesNotContain(secret);
            assertThat(run.shown).contains("sending ***").noneMatch(line -> line.contains(secret));
            assertThat(run.scope.output().shown(new RunFailedException("no " + secret)))
                    .hasMessage("no ***");
        }
    }
}
