package org.diperf.controller.run.resume;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.diperf.controller.collect.ControlFolder;
import org.diperf.controller.fleet.Roster;
import org.diperf.controller.run.directory.EarlyExits;
import org.diperf.controller.run.directory.RunDirectory;
import org.diperf.controller.time.ClockEpoch;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.clock.WallClock;
import org.diperf.core.folder.DiskFailure;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.TesterRecord;
import org.diperf.core.run.Warning;
import org.diperf.core.run.Warning.Subject;
import org.jspecify.annotations.Nullable;

/** What a controller has left of a run that was cut short: its last record, and where and how it listened. */
record InterruptedRun(Path folder, RunRecord before, ControlFolder.Settings settings) {

    /**
     * Reads what was left.
     *
     * @throws IllegalArgumentException when there is nothing to resume: the message says why
     * @throws IOException when what was left cannot be read
     */
    static InterruptedRun read(Path folder) throws IOException {
        if (!Files.exists(folder.resolve("run.json")) && !Files.exists(folder.resolve(RunDirectory.CONTROL))) {
            throw new IllegalArgumentException(
                    "--resume: expected the folder of a run or of a set of runs (sweep, variants or trials), got "
                            + "none at " + folder
                            + ": there is no run.json in it");
        }
        if (!Files.exists(folder.resolve("run.json"))) {
            throw new IllegalArgumentException("--resume: expected a run whose load had started; the one in " + folder
                    + " was cut short before that: run it again");
        }
        RunRecord before;
        try {
            before = RunDirectory.read(folder);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "--resume: expected a readable run.json in " + folder + ", got a file that cannot be read", e);
        }
        if (before.endNanos() != null || !Files.exists(folder.resolve(RunDirectory.CONTROL))) {
            throw new IllegalArgumentException("--resume: expected a run that was cut short, got a run in " + folder
                    + " that "
                    + (before.endNanos() == null ? "left nothing to resume from (no control folder)" : "has ended")
                    + ": see its report, or create it again with: diperf report " + folder);
        }
        ControlFolder.Settings settings = ControlFolder.settings(folder.resolve(RunDirectory.CONTROL));
        if (settings.epoch() != ClockEpoch.ofThisBoot()) {
            throw new IllegalArgumentException(
                    "--resume: expected the machine on which the run started, not rebooted since, because the run "
                            + "uses its clock; got a different or rebooted machine. To report on the saved "
                            + "samples: diperf report " + folder);
        }
        return new InterruptedRun(folder, before, settings);
    }

    /** Tells testers that their run is over. */
    @FunctionalInterface
    interface Release {
        void testers(RunDirectory run, RunRecord record) throws InterruptedException;
    }

    /**
     * Finishes a run that was cut short between its last word and the removal of what must not outlive it.
     *
     * @param release is called when the run's record is durable
     * @return whether that was all that the run in the folder lacked
     * @throws IOException when the run's record cannot be made durable, or its controller is alive; it can be tried again
     */
    static boolean finishRecorded(Path folder, Release release) throws IOException, InterruptedException {
        if (!Files.exists(folder.resolve(RunDirectory.CONTROL)) || !Files.exists(folder.resolve("run.json"))) {
            return false;
        }
        RunRecord record;
        try {
            record = RunDirectory.read(folder);
        } catch (IOException e) {
            // Whoever opens the run says so.
            return false;
        }
        if (record.endNanos() == null) {
            return false;
        }
        try (RunDirectory run = RunDirectory.reopen(folder)) {
            run.leaveControl();
            run.write(record);
            release.testers(run, record);
            run.dropControl();
        } catch (IOException e) {
            throw DiskFailure.naming(folder, e);
        }
        return true;
    }

    /**
     * Restores the testers of the run.
     *
     * @param stopping how the controller ended after which they stopped their load
     * @param last how the last one ended
     */
    void restore(
            Roster roster, List<ControlFolder.Started> started, EarlyExits.Ending stopping, EarlyExits.Ending last) {
        for (TesterRecord tester : known(started)) {
            roster.restore(
                    tester,
                    stopping.words(),
                    stopping.atNanos() - before.startNanos(),
                    settings.leaseNanos(),
                    last.atNanos() - before.startNanos());
        }
        for (ControlFolder.Started each : started) {
            if (each.facts() != null) {
                roster.joined(each.tester(), each.facts());
            }
        }
    }

    /** Lists the testers of the last record, and those that were given their start after it was written. */
    private List<TesterRecord> known(List<ControlFolder.Started> started) {
        Map<Integer, TesterRecord> known = new LinkedHashMap<>();
        before.testers().forEach(tester -> known.put(tester.number(), tester));
        for (ControlFolder.Started each : started) {
            TesterRecord recorded = known.get(each.tester());
            if (recorded == null || !recorded.started()) {
                known.put(each.tester(), startedAfter(recorded, each));
            }
        }
        return List.copyOf(known.values());
    }

    private static TesterRecord startedAfter(@Nullable TesterRecord recorded, ControlFolder.Started started) {
        return new TesterRecord(
                started.tester(),
                recorded == null ? "" : recorded.host(),
                true,
                null,
                null,
                started.localStartNanos(),
                0,
                0,
                0,
                0,
                Map.of(),
                recorded == null ? Map.of() : recorded.facts(),
                started.slot(),
                recorded == null ? null : recorded.replaces(),
                started.joinNanos() == 0 ? null : (Long) started.joinNanos(),
                null,
                recorded == null ? null : recorded.node());
    }

    /** Guesses when the controller was killed, on its clock: when it last wrote one of the files that nobody else writes. */
    long killedNanos(NanoClock clock, WallClock wallClock) throws IOException {
        long lastMillis = 0;
        for (String its : RunDirectory.OF_CONTROLLER) {
            lastMillis = Math.max(lastMillis, writtenMillis(folder.resolve(its)));
        }
        long agoMillis = Math.max(0, (long) (wallClock.unixSeconds() * 1_000) - lastMillis);
        return Math.max(before.startNanos(), clock.nanoTime() - agoMillis * 1_000_000);
    }

    /** Says when a file, or one of those in a folder, was last written; 0: there is none. */
    private static long writtenMillis(Path its) throws IOException {
        long lastMillis = 0;
        if (Files.exists(its)) {
            try (Stream<Path> files = Files.walk(its, 1)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    lastMillis =
                            Math.max(lastMillis, Files.getLastModifiedTime(file).toMillis());
                }
            }
        }
        return lastMillis;
    }

    /** Says when and why the run was cut short: as its controllers noted, and of one that was killed as far as is known. */
    Warning said(EarlyExits.Ending ending) {
        double atSeconds = (ending.atNanos() - before.startNanos()) / 1e9;
        if (ending.isOfUser()) {
            return Warning.note(
                    Subject.RUN,
                    String.format(
                            Locale.ROOT,
                            "%s could not be reached at the end, and the run was resumed after %.1f s",
                            ending.reason(),
                            atSeconds));
        }
        String text = ending.isKill()
                ? String.format(Locale.ROOT, "the controller was killed at about %.1f s", atSeconds)
                : String.format(
                        Locale.ROOT, "from %.1f s on, nothing could be written (%s)", atSeconds, ending.reason());
        return Warning.suspect(Subject.RUN, text + ", and the run was resumed");
    }
}
