package org.diperf.controller.run;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.diperf.controller.run.HandDrivenRun.S;
import static org.diperf.controller.run.HandDrivenRun.TOTALS;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.diperf.analyzer.run.RunJson;
import org.diperf.controller.collect.CollectorConfig;
import org.diperf.controller.collect.TesterEvents;
import org.diperf.controller.fleet.Fleet;
import org.diperf.controller.progress.LiveStatus;
import org.diperf.controller.progress.Progress;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.controller.run.directory.EarlyExits;
import org.diperf.controller.run.directory.InvalidSpoolsException;
import org.diperf.controller.run.resume.ResumedRun;
import org.diperf.controller.time.ClockEpoch;
import org.diperf.core.clock.WallClock;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.RunRecord.End;
import org.diperf.core.run.TesterRecord;
import org.diperf.core.run.Warning;
import org.diperf.core.spi.Place;
import org.diperf.core.spi.SpoolLocation;
import org.diperf.core.spi.Testbed;
import org.diperf.core.wire.Assignment;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.FrameFile;
import org.diperf.core.wire.Message;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A run whose controller was killed while two testers were calling, resumed with the test's clock and testers. */
@Timeout(30)
class ResumedRunTests {

    private static final long LEASE = 5 * S;

    @TempDir
    Path folder;

    private final List<String> shown = new ArrayList<>();
    private HandDrivenRun run;
    private @Nullable TesterEvents events;
    private @Nullable CollectorConfig config;

    @BeforeEach
    void killedWhileTwoTestersWereCalling() throws Exception {
        run = new HandDrivenRun(folder, "testbed: { testers: 2 }\nload: { clients: 2, run-for: 10s, timeout: 1s }\n");
        Fleet fleet = run.fleet(1, 2);
        RunningLoad load = run.assembled(fleet);
        load.begin();
        RunRecord record = run.recorded();
        run.scope.output().write(run.directory, withStarted(record));
        run.directory.leaveControl();
        Path control = run.directory.control();
        Files.writeString(
                control.resolve("place"),
                "127.0.0.1 4711 " + ClockEpoch.ofThisBoot() + " " + LEASE + " 0 false false\n");
        try (FrameFile journal = FrameFile.create(control.resolve("journal"))) {
            PlanShares division = PlanShares.of(
                    run.scope.experiment(), run.scope.course(), fleet.members(List.of(1, 2)), fleet::groupOf);
            Assignments assignments = new Assignments(run.scope, List.of());
            for (int tester = 1; tester <= 2; tester++) {
                journal.write(new Frame(tester, run.now(), 0, 0, new Message.Assign(assignments.of(division, tester))));
            }
        }
        run.close();
        run.told.clear();
    }

    /** The record as it is a moment later, when both have been told their start. */
    private RunRecord withStarted(RunRecord record) {
        return record.ended(null, End.UNDER_WAY, run.scope.roster().records(), record.events(), record.warnings());
    }

    private ResumedRun resumed() throws IOException {
        return resumed(WallClock.SYSTEM);
    }

    private ResumedRun resumed(WallClock wallClock) throws IOException {
        Progress progress = new Progress() {
            @Override
            public void phase(String text) {
                shown.add(text);
            }

            @Override
            public void live(LiveStatus status) {}

            @Override
            public void log(String line) {
                shown.add(line);
            }
        };
        return ResumedRun.open(run.folder, progress, run::now, wallClock, run::pass, (settings, listener) -> {
            config = settings;
            events = listener;
            return run.testers;
        });
    }

    private TesterEvents events() {
        return requireNonNull(events, "events");
    }

    @Test
    void testersThatComeBackFinishTheRun() throws Exception {
        ResumedRun resumed = resumed();
        run.in(S, () -> events().back(1));
        run.in(S, () -> events().back(2));
        run.in(2 * S, () -> events().finished(1, TOTALS));
        run.in(3 * S, () -> events().finished(2, TOTALS));
        RunRecord record = resumed.carryOut();
        assertThat(record.end()).isEqualTo(End.COMPLETE);
        assertThat(record).isEqualTo(run.recorded());
        assertThat(record.warnings())
                .singleElement()
                .matches(Warning::isSuspect)
                .extracting(Warning::text, STRING)
                .startsWith("the controller was killed at about ")
                .endsWith(" s, and the run was resumed");
        assertThat(record.testers()).extracting(TesterRecord::sent).containsExactly(10L, 10L);
        assertThat(run.told).containsExactly("bye", "close");
        assertThat(run.folder.resolve("control")).doesNotExist();
    }

    /** Its start is in the journal before it is told; the record that says so is written a moment later, if the disk takes it. */
    @Test
    void aTesterThatWasToldItsStartIsWaitedForEvenIfTheRecordDoesNotSayIt() throws Exception {
        RunRecord record = run.recorded();
        Files.delete(run.folder.resolve("run.json"));
        RunJson.write(run.folder.resolve("run.json"), unstarted(record));
        try (FrameFile journal = FrameFile.append(run.folder.resolve("control/journal"))) {
            journal.write(new Frame(1, run.now(), 0, 0, new Message.Start(run.now(), 0)));
        }
        ResumedRun resumed = resumed();
        run.in(S, () -> events().back(1));
        run.in(2 * S, () -> events().finished(1, TOTALS));
        RunRecord ended = resumed.carryOut();
        assertThat(ended.end()).isEqualTo(End.COMPLETE);
        assertThat(ended.testers()).extracting(TesterRecord::sent).containsExactly(10L, 0L);
        assertThat(ended.testers()).extracting(TesterRecord::started).containsExactly(true, false);
    }

    private static RunRecord unstarted(RunRecord record) {
        List<TesterRecord> testers = record.testers().stream()
                .map(its -> new TesterRecord(
                        its.number(), its.host(), false, null, null, null, 0, 0, 0, 0, Map.of(), Map.of()))
                .toList();
        return record.ended(null, End.UNDER_WAY, testers, record.events(), record.warnings());
    }

    @Test
    void whenNothingCanBeWrittenTestersKeepWhatTheyHaveAndTheRunCanBeResumedAgain() throws Exception {
        ResumedRun resumed = resumed();
        run.testers.durable = false;
        run.in(S, () -> events().back(1));
        run.in(2 * S, () -> events().failed("No space left on device"));
        assertThatThrownBy(resumed::carryOut)
                .isInstanceOf(RunFailedException.class)
                .hasMessageContainingAll(
                        "No space left on device", "make room", "diperf run --resume " + run.folder.toString());
        assertThat(run.told).noneMatch(said -> said.startsWith("bye"));
        assertThat(run.recorded().end()).isEqualTo(End.UNDER_WAY);
        assertThat(run.folder.resolve("control/journal")).exists();

        run.testers.durable = true;
        ResumedRun again = resumed();
        run.in(S, () -> events().back(1));
        run.in(S, () -> events().back(2));
        run.in(2 * S, () -> events().finished(1, TOTALS));
        run.in(2 * S, () -> events().finished(2, TOTALS));
        assertThat(again.carryOut().warnings())
                .extracting(Warning::text)
                .satisfiesExactly(
                        text -> assertThat(text).startsWith("the controller was killed at about "),
                        text -> assertThat(text)
                                .startsWith("from ")
                                .contains("nothing could be written (the disk holding " + run.folder)
                                .endsWith("is full: No space left on device), and the run was resumed"));
        assertThat(run.told).containsOnlyOnce("bye");
        assertThat(run.folder.resolve("control")).doesNotExist();
    }

    @Test
    void aFullDiskIsNotTakenForAKill() throws Exception {
        run.directory.endings().failed(run.now() + S, "No space left on device");
        ResumedRun resumed = resumed();
        run.in(S, () -> events().back(1));
        run.in(2 * S, () -> events().finished(1, TOTALS));
        RunRecord record = resumed.carryOut();
        assertThat(record.warnings())
                .singleElement()
                .extracting(Warning::text, STRING)
                .contains("nothing could be written (No space left on device)");
        assertThat(record.testers().get(1).lostReason()).isEqualTo("the controller could not write the samples");
        assertThat(run.log())
                .contains("resumed after the controller could not write the samples: No space left on device")
                .doesNotContain("killed");
    }

    @Test
    void theCollectorIsMadeWhereTheFirstOneWas() throws Exception {
        ResumedRun resumed = resumed();
        run.in(S, () -> events().finished(1, TOTALS));
        run.in(S, () -> events().finished(2, TOTALS));
        resumed.carryOut();
        CollectorConfig made = requireNonNull(config, "config");
        assertThat(made.at().firstPort()).isEqualTo(4711);
        assertThat(made.at().lastPort()).isEqualTo(4711);
        assertThat(made.files().resumes()).isTrue();
        assertThat(made.leaseNanos()).isEqualTo(LEASE);
    }

    @Test
    void aRunToWhichNobodyComesBackFailsAndNamesThem() throws Exception {
        ResumedRun resumed = resumed();
        long before = run.now();
        RunRecord record = resumed.carryOut();
        assertThat(record.end()).isEqualTo(End.FAILED);
        assertThat(run.now() - before).isBetween(15 * S, 17 * S);
        assertThat(record.testers()).extracting(TesterRecord::lostReason).containsOnly("the controller was killed");
    }

    /** Notes that both testers were told their start. */
    private void started() throws IOException {
        try (FrameFile journal = FrameFile.append(run.folder.resolve("control/journal"))) {
            for (int tester = 1; tester <= 2; tester++) {
                journal.write(new Frame(tester, run.now(), 0, 0, new Message.Start(run.now(), 0)));
            }
        }
    }

    @Test
    void aRunThatIsResumedAfterAllHaveFinishedIsComplete() throws Exception {
        ResumedRun resumed = resumed();
        passes(3 * LEASE);
        // As the collector tells what it finds in the journal.
        run.in(S / 10, () -> events().finished(1, TOTALS));
        run.in(S / 10, () -> events().finished(2, TOTALS.ofStoppedLoad()));
        RunRecord record = resumed.carryOut();
        assertThat(record.end()).isEqualTo(End.COMPLETE);
        assertThat(record.testers()).allMatch(tester -> tester.lostNanos() == null && tester.lostReason() == null);
    }

    @Test
    void aTesterThatCarriedOutItsPlanWhileThereWasNoControllerWasNotLost() throws Exception {
        ResumedRun resumed = resumed();
        run.in(3 * LEASE, () -> events().back(1));
        run.in(3 * LEASE, () -> events().back(2));
        run.in(3 * LEASE + S, () -> events().finished(1, TOTALS));
        run.in(3 * LEASE + S, () -> events().finished(2, TOTALS.ofStoppedLoad()));
        RunRecord record = resumed.carryOut();
        assertThat(record.end()).isEqualTo(End.COMPLETE);
        assertThat(record.testers())
                .extracting(tester -> tester.lostNanos() == null)
                .containsExactly(true, false);
    }

    @Test
    void testersThatKeepSamplesAreAwaitedInAResumedRunToo() throws Exception {
        started();
        ResumedRun resumed = resumed();
        for (int tester = 1; tester <= 2; tester++) {
            int number = tester;
            run.in(500 * S, () -> events().back(number));
            run.in(501 * S, () -> events().finished(number, TOTALS.ofStoppedLoad()));
        }
        assertThat(resumed.carryOut().testers()).extracting(TesterRecord::sent).containsExactly(10L, 10L);
        assertThat(shown).anyMatch(line -> line.startsWith("waiting for tester-1, tester-2 for up to "));
    }

    @Test
    void ctrlCLeavesAResumedRunThatWaits() throws Exception {
        started();
        ResumedRun resumed = resumed();
        run.in(60 * S, () -> resumed.interrupt("by the user"));
        assertThatThrownBy(resumed::carryOut)
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("without samples that tester-1, tester-2 may hold")
                .hasMessageContaining("--without-spools");
        assertThat(run.told).doesNotContain("bye");
        assertThat(run.folder.resolve("control/journal")).exists();

        ResumedRun last = resumed();
        last.take(new ResumedRun.Sources(Plugins.bundled(), List.of(), true));
        long before = run.now();
        assertThat(last.carryOut().end()).isEqualTo(End.FAILED);
        assertThat(run.now() - before).isLessThan(17 * S);
    }

    @Test
    void aTesterWhoseLeaseRanOutStaysStoppedAndMarked() throws Exception {
        ResumedRun resumed = resumed();
        run.in(10 * S, () -> events().back(1));
        run.in(10 * S, () -> events().back(2));
        run.in(11 * S, () -> events().finished(1, TOTALS.ofStoppedLoad()));
        run.in(11 * S, () -> events().finished(2, TOTALS.ofStoppedLoad()));
        RunRecord record = resumed.carryOut();
        assertThat(run.told).contains("stop 1", "stop 2");
        assertThat(record.testers()).noneMatch(tester -> tester.lostNanos() == null);
        assertThat(record.end()).isEqualTo(End.FAILED);
    }

    private void passes(long nanos) {
        long end = run.now() + nanos;
        while (run.now() < end) {
            run.pass(run.scope.roster(), end - run.now());
        }
    }

    /** Has both testers come back at once and finish; says when their loads stopped, on the controller's clock. */
    private List<Long> lostWhen(ResumedRun resumed) throws Exception {
        for (int tester = 1; tester <= 2; tester++) {
            int number = tester;
            run.in(S, () -> events().back(number));
            run.in(2 * S, () -> events().finished(number, TOTALS.ofStoppedLoad()));
        }
        RunRecord record = resumed.carryOut();
        return record.testers().stream()
                .map(tester -> requireNonNull(tester.lostNanos(), "never lost") + record.startNanos())
                .toList();
    }

    @Test
    void aTesterWhoseLeaseRanOutBeforeAnEarlierResumeIsLostFromThenOn() throws Exception {
        EarlyExits endings = run.directory.endings();
        long full = run.now() + S;
        endings.failed(full, "No space left on device");
        passes(90 * S);
        endings.resumed(run.now());
        endings.failed(run.now() + S, "No space left on device");
        passes(3 * S);
        assertThat(lostWhen(resumed())).containsOnly(full + LEASE);
    }

    @Test
    void aTesterThatAnEarlierResumeReachedInTimeHasGoneOn() throws Exception {
        EarlyExits endings = run.directory.endings();
        endings.failed(run.now(), "No space left on device");
        endings.resumed(run.now() + LEASE);
        passes(30 * S);
        long full = run.now();
        endings.failed(full, "No space left on device");
        passes(2 * LEASE);
        assertThat(lostWhen(resumed())).containsOnly(full + LEASE);
    }

    /** Dates all files, and lets a hundred seconds pass since; returns what time it is then. */
    private WallClock longAfterTheKill() throws IOException {
        long unixSeconds = 1_000_000_000;
        try (Stream<Path> files = Files.walk(run.folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.setLastModifiedTime(file, FileTime.from(unixSeconds, TimeUnit.SECONDS));
            }
        }
        passes(100 * S);
        return () -> unixSeconds + 100;
    }

    @Test
    void aReportThatWasMadeMeanwhileIsNotTheLastThatAKilledControllerWrote() throws Exception {
        passes(10 * S);
        long killed = run.now();
        WallClock wallClock = longAfterTheKill();
        Files.writeString(run.folder.resolve("report.html"), "");
        assertThat(lostWhen(resumed(wallClock))).containsOnly(killed + LEASE);
    }

    @Test
    void anAttemptToResumeIsNotTheLastThatAKilledControllerWrote() throws Exception {
        passes(10 * S);
        long killed = run.now();
        WallClock wallClock = longAfterTheKill();
        ResumedRun failing =
                ResumedRun.open(run.folder, Progress.NONE, run::now, wallClock, run::pass, (settings, listener) -> {
                    throw new BindException("got all in use or not ours");
                });
        assertThatThrownBy(failing::carryOut).isInstanceOf(RunFailedException.class);
        assertThat(lostWhen(resumed(wallClock))).containsOnly(killed + LEASE);
    }

    @Test
    void anInterruptionStopsTestersThatAreStillCalling() throws Exception {
        ResumedRun resumed = resumed();
        run.in(S, () -> events().back(1));
        run.in(S, () -> events().back(2));
        run.in(2 * S, () -> resumed.interrupt("by the user"));
        RunRecord record = resumed.carryOut();
        assertThat(record.end()).isEqualTo(End.INTERRUPTED);
        assertThat(run.told).contains("stop all within " + S);
    }

    @Test
    void aPlanThatWasStillGrowingIsEnded() throws Exception {
        run.testers.growing = true;
        RunRecord record = resumed().carryOut();
        assertThat(run.told).contains("stop all within " + S);
        assertThat(record.warnings()).anyMatch(warning -> warning.text().startsWith("the plan was open-ended"));
    }

    @Test
    void whatATesterHasLeftIsTaken() throws Exception {
        Path spools = Files.createDirectory(run.folder.resolve("control/spool"));
        Files.writeString(spools.resolve("tester-2.spool"), "frames");
        resumed().carryOut();
        assertThat(run.told).startsWith("take tester-2.spool");
    }

    /** A testbed whose machines are folders; those that do not exist cannot be reached. */
    private final class Machines implements Testbed {

        private final List<SpoolLocation> places;

        Machines(List<SpoolLocation> places) {
            this.places = places;
        }

        @Override
        public void start(List<Place> all) {
            throw new AssertionError("nothing is started");
        }

        @Override
        public List<SpoolLocation> spools() {
            return places;
        }

        @Override
        public void endTesters(List<SpoolLocation> some) {
            run.told.add("end " + some.stream().map(SpoolLocation::tester).toList());
        }

        @Override
        public Map<Integer, String> bring(List<SpoolLocation> some, Path into) {
            Map<Integer, String> unknown = new HashMap<>();
            for (SpoolLocation place : some) {
                Path file = Path.of(place.path());
                try {
                    if (!Files.exists(file.getParent())) {
                        unknown.put(place.tester(), "connection refused");
                    } else if (Files.exists(file)) {
                        Files.copy(file, into.resolve("tester-" + place.tester() + ".spool"));
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            return unknown;
        }

        @Override
        public void drop(List<SpoolLocation> some) throws IOException {
            for (SpoolLocation place : some) {
                run.told.add("drop " + place.tester());
                Files.deleteIfExists(Path.of(place.path()));
            }
        }

        @Override
        public void close() {
            run.told.add("clean");
        }
    }

    /** Where tester N leaves its samples. */
    private Path spoolOf(int tester) {
        return folder.resolve("node-" + tester + "/tester-" + tester + ".spool");
    }

    private ResumedRun resumedOn(boolean withoutOthers, Path... files) throws Exception {
        List<SpoolLocation> places = new ArrayList<>();
        for (int tester = 1; tester <= 2; tester++) {
            places.add(
                    new SpoolLocation(tester, "node" + tester, spoolOf(tester).toString(), "scp it"));
        }
        run.scope.output().writeTo(null);
        RunJson.write(run.folder.resolve("run.json"), run.recorded().leaving(places));
        ResumedRun resumed = resumed();
        resumed.testbeds((directory, left) -> new Machines(left));
        resumed.take(new ResumedRun.Sources(Plugins.bundled(), List.of(files), withoutOthers));
        return resumed;
    }

    private Path left(int tester, String what) throws IOException {
        Files.createDirectories(spoolOf(tester).getParent());
        return Files.writeString(spoolOf(tester), what);
    }

    @Test
    void whatTestersHaveLeftOnTheirMachinesIsBroughtAndRemovedThereWhenItIsSafe() throws Exception {
        left(1, "samples");
        left(2, "samples");
        ResumedRun resumed = resumedOn(false);
        long before = run.now();
        run.testers.whenTaken = tester -> events().finished(tester, TOTALS);
        RunRecord record = resumed.carryOut();
        assertThat(run.told)
                .containsSubsequence("take tester-1.spool", "bye", "drop 1", "clean")
                .contains("take tester-2.spool", "drop 2")
                .doesNotContain("end [1, 2]");
        assertThat(spoolOf(1)).doesNotExist();
        assertThat(spoolOf(2)).doesNotExist();
        assertThat(record.spools()).isNull();
        assertThat(run.now() - before).as("nobody else is waited for").isLessThan(S);
        assertThat(run.log()).contains("tester-1 left 46 blocks, 31 of them new");
        assertThat(run.folder.resolve("control")).doesNotExist();
    }

    @Test
    void aTesterThatWasTerminatedHasLeftNoEndAndIsNotWaitedFor() throws Exception {
        left(1, "samples");
        left(2, "samples");
        ResumedRun resumed = resumedOn(false);
        run.testers.whenTaken = tester -> events().back(tester);
        long before = run.now();
        resumed.carryOut();
        assertThat(run.now() - before).isLessThan(2 * S);
    }

    @Test
    void testersThatDoNotReachTheControllerAreEndedForWhatTheyHave() throws Exception {
        left(1, "samples");
        Files.createDirectories(spoolOf(2).getParent());
        ResumedRun resumed = resumedOn(false);
        run.testers.whenTaken = tester -> events().finished(tester, TOTALS);
        resumed.carryOut();
        assertThat(run.told).containsSubsequence("take tester-1.spool", "end [2]", "bye", "drop 1", "clean");
    }

    @Test
    void aMachineThatCannotBeReachedIsNamedAndTheRunCanBeResumedAgain() throws Exception {
        left(1, "samples");
        ResumedRun resumed = resumedOn(false);
        run.testers.whenTaken = tester -> events().finished(tester, TOTALS);
        assertThatThrownBy(resumed::carryOut)
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("tester-2 may have left samples on node2 in " + spoolOf(2))
                .hasMessageContaining("connection refused. To copy them by hand: scp it")
                .hasMessageContaining("--spool FILE...")
                .hasMessageNotContaining("tester-1");
        assertThat(run.told).doesNotContain("bye", "drop 1", "clean");
        assertThat(run.folder.resolve("control/journal")).exists();

        left(2, "samples");
        run.told.clear();
        ResumedRun again = resumed();
        again.testbeds((directory, places) -> new Machines(places));
        assertThat(again.carryOut().endNanos()).isNotNull();
        assertThat(run.told).contains("take tester-1.spool", "take tester-2.spool", "drop 1", "drop 2", "clean");
    }

    @Test
    void aRunCanBeEndedWithoutWhatCannotBeHad() throws Exception {
        left(1, "samples");
        ResumedRun resumed = resumedOn(true);
        RunRecord record = resumed.carryOut();
        assertThat(record.warnings())
                .filteredOn(Warning::isSuspect)
                .anyMatch(warning -> warning.text().startsWith("tester-2 may have left samples on node2")
                        && warning.text().endsWith("connection refused; they are lost to this run"));
        assertThat(record.spools()).extracting(SpoolLocation::tester).containsExactly(2);
    }

    @Test
    void copiesAreTakenAndOnesThatCannotBeUsedAreRefusedWhileTheOthersStay() throws Exception {
        Path good = Files.writeString(folder.resolve("copy-of-tester-1.spool"), "samples");
        Path bad = Files.writeString(folder.resolve("copy-of-tester-2.spool"), "damaged");
        Path none = folder.resolve("nowhere.spool");
        Files.createDirectories(spoolOf(2).getParent());
        assertThatThrownBy(resumedOn(false, bad, none, good)::carryOut)
                .isInstanceOf(InvalidSpoolsException.class)
                .hasMessageContaining(bad + ": damaged; " + none + ": expected a spool written by a tester")
                .hasMessageContaining("The other files were accepted");
        assertThat(run.told).contains("take copy-of-tester-1.spool").doesNotContain("bye", "clean");
        assertThat(run.folder.resolve("control/journal")).exists();

        ResumedRun again = resumedOn(false, good);
        run.testers.whenTaken = tester -> events().finished(tester, TOTALS);
        RunRecord record = again.carryOut();
        assertThat(record.endNanos()).isNotNull();
        assertThat(record.spools()).isNull();
    }

    /** Notes what a controller noted last, before it was killed. */
    private void noted(Message... messages) throws IOException {
        try (FrameFile journal = FrameFile.append(run.folder.resolve("control/journal"))) {
            for (Message message : messages) {
                journal.write(new Frame(3, run.now(), 0, 0, message));
            }
        }
    }

    private static Assignment assignment(Path journal) throws IOException {
        List<Assignment> noted = new ArrayList<>();
        FrameFile.read(journal, frame -> {
            if (frame.message() instanceof Message.Assign assign) {
                noted.add(assign.assignment());
            }
        });
        return noted.get(0);
    }

    @Test
    void aTesterThatWasStartedAfterTheLastRecordWasWrittenIsResumedToo() throws Exception {
        noted(
                new Message.Hello("", Frame.VERSION, false, HandDrivenRun.FACTS),
                new Message.Assign(assignment(run.folder.resolve("control/journal"))),
                new Message.Start(run.now() + 3 * S, 3 * S));
        ResumedRun resumed = resumed();
        for (int tester = 1; tester <= 3; tester++) {
            int number = tester;
            run.in(S, () -> events().back(number));
            run.in(2 * S, () -> events().finished(number, TOTALS));
        }
        RunRecord record = resumed.carryOut();
        assertThat(record.end()).isEqualTo(End.COMPLETE);
        assertThat(record.testers()).hasSize(3).last().satisfies(tester -> {
            assertThat(tester.number()).isEqualTo(3);
            assertThat(tester.started()).isTrue();
            assertThat(tester.slot()).isEqualTo(1);
            assertThat(tester.joinedNanos()).isEqualTo(3 * S);
            assertThat(tester.host()).isEqualTo(HandDrivenRun.FACTS.host());
            assertThat(tester.sent()).isEqualTo(10);
        });
    }

    @Test
    void ofATesterWhoseStartTheRecordDoesNotKnowTheSpoolIsBrought() throws Exception {
        left(1, "samples");
        left(2, "samples");
        run.scope.output().writeTo(null);
        RunJson.write(run.folder.resolve("run.json"), unstarted(run.recorded()));
        try (FrameFile journal = FrameFile.append(run.folder.resolve("control/journal"))) {
            journal.write(new Frame(1, run.now(), 0, 0, new Message.Start(run.now(), 0)));
        }
        ResumedRun resumed = resumedOn(false);
        run.testers.whenTaken = tester -> events().finished(tester, TOTALS);
        assertThat(resumed.carryOut().testers())
                .extracting(TesterRecord::started)
                .containsExactly(true, false);
        assertThat(run.told).contains("take tester-1.spool").doesNotContain("take tester-2.spool");
    }

    @Test
    void aMachineThatLeavesTheSpoolOfAnotherTesterIsNamedAndThatTestersOwnIsTaken() throws Exception {
        left(1, "of 2");
        left(2, "samples");
        ResumedRun resumed = resumedOn(false);
        run.testers.whenTaken = tester -> events().finished(tester, TOTALS);
        assertThatThrownBy(resumed::carryOut)
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("tester-1 may have left samples on node1")
                .hasMessageContaining("that of another tester")
                .hasMessageNotContaining("tester-2 may");
        assertThat(run.log())
                .contains("tester-2.spool: tester-2 left 46 blocks")
                .doesNotContain("tester-1 left");
    }

    @Test
    void whenThePortIsTakenNobodyIsToldToMakeRoom() throws Exception {
        ResumedRun resumed = ResumedRun.open(
                run.folder, Progress.NONE, run::now, WallClock.SYSTEM, run::pass, (settings, listener) -> {
                    throw new BindException("Expected a free port on 127.0.0.1:4711-4711, got all in use or not ours");
                });
        assertThatThrownBy(resumed::carryOut)
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("got all in use or not ours")
                .hasMessageContaining("make sure that the port is free, then try again with: diperf run --resume")
                .hasMessageNotContaining("make room");
        assertThat(run.folder.resolve("control/journal")).exists();
    }

    @Test
    void whateverStopsAResumedRunLeavesItToBeResumed() throws Exception {
        ResumedRun resumed = resumed();
        run.in(S, () -> {
            throw new IllegalStateException("a fault of ours");
        });
        assertThatThrownBy(resumed::carryOut).hasMessage("a fault of ours");
        assertThat(run.folder.resolve("control/journal")).exists();
    }

    @Test
    void aResumedRunNamesNoSecretEither() throws Exception {
        String secret = HandDrivenRun.secret();
        ResumedRun resumed = resumed();
        run.in(S, () -> events().back(1));
        run.in(S, () -> events().log(1, "logged in with " + secret));
        run.in(2 * S, () -> events().lost(1, "it died of " + secret, run.now()));
        RunRecord record = resumed.carryOut();
        assertThat(record.toString()).contains("***").doesNotContain(secret);
        assertThat(run.recorded().toString()).doesNotContain(secret);
        assertThat(run.log()).contains("logged in with ***").doesNotContain(secret);
        assertThat(shown).anyMatch(line -> line.endsWith("it died of ***")).noneMatch(line -> line.contains(secret));
    }

    @Test
    void whatCannotBeResumedSaysWhy() throws Exception {
        assertThatThrownBy(() -> ResumedRun.open(folder.resolve("nowhere"), Progress.NONE, run::now))
                .hasMessageContaining("there is no run.json in it");
        Path control = run.folder.resolve("control");
        Files.writeString(control.resolve("place"), "127.0.0.1 4711 12345 " + LEASE + " 0 false false\n");
        assertThatThrownBy(() -> ResumedRun.open(run.folder, Progress.NONE, run::now))
                .hasMessageContaining("expected the machine on which the run started");
        Path record = run.folder.resolve("run.json");
        byte[] before = Files.readAllBytes(record);
        Files.writeString(record, "{");
        assertThatThrownBy(() -> ResumedRun.open(run.folder, Progress.NONE, run::now))
                .hasMessageContaining("got a file that cannot be read");
        Files.delete(record);
        assertThatThrownBy(() -> ResumedRun.open(run.folder, Progress.NONE, run::now))
                .hasMessageContaining("cut short before that: run it again");
        Files.write(record, before);
        Files.writeString(control.resolve("place"), "127.0.0.1 4711 " + ClockEpoch.ofThisBoot() + " 1 0 false false\n");
        ResumedRun.open(run.folder, Progress.NONE, run::now);
    }
}
