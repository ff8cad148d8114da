package org.diperf.controller.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.diperf.controller.run.HandDrivenRun.S;
import static org.diperf.controller.run.HandDrivenRun.TOTALS;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.diperf.analyzer.run.RunJson;
import org.diperf.controller.durability.Keeping;
import org.diperf.controller.progress.Progress;
import org.diperf.controller.run.directory.EarlyExits;
import org.diperf.controller.run.directory.RunDirectory;
import org.diperf.controller.run.resume.ResumedRun;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.faults.FaultyDisk;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.RunRecord.End;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a run does with its record, its testers and its control folder, in the order in which it happens on a disk that may
 * be full at a random instant, is among what the model of {@link Keeping} accepts.
 */
@Timeout(30)
class RecordedEndTests {

    private static final int TRIALS = 20;
    private static final String TWO = "testbed: { testers: 2 }\nload: { clients: 2, run-for: 10s, timeout: 1s }\n";

    @TempDir
    Path folder;

    /** Tells the model what happens to the run in the folder {@code run} of a disk. */
    private static final class Recorder {
        private final FaultyDisk disk;
        private final Path record;
        private final Keeping keeping = new Keeping();
        private final List<String> happened = new ArrayList<>();
        private @Nullable String violation;

        Recorder(FaultyDisk disk, Path real) {
            this.disk = disk;
            this.record = real.resolve("run/run.json");
            disk.tell(this::happened);
        }

        private void happened(FaultyDisk.Event event) {
            try {
                if (event.equals(new FaultyDisk.Event(FaultyDisk.Kind.MOVE, "run/run.json"))) {
                    keeping.recorded(RunJson.read(record).endNanos() != null);
                } else if (event.equals(new FaultyDisk.Event(FaultyDisk.Kind.FORCE_NAMES, "run"))
                        && Files.exists(record)
                        && Arrays.equals(disk.durable("run/run.json"), Files.readAllBytes(record))) {
                    keeping.recordDurable();
                } else if (event.equals(new FaultyDisk.Event(FaultyDisk.Kind.DELETE, "run/control"))) {
                    keeping.controlDeleted();
                }
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            note(event.kind() + " " + event.name());
        }

        /** Each tester has made a block, which the collector has made durable and acknowledged. */
        void acknowledged() {
            for (int tester = 0; tester < Keeping.TESTERS; tester++) {
                keeping.made(tester, 1);
                keeping.cached(tester, 1);
                keeping.durable(tester, 1);
                keeping.clockCached(tester);
                keeping.forgets(tester, 1);
            }
            keeping.samplesNamed();
            keeping.clockDurable();
            note("acknowledged");
        }

        void released() {
            for (int tester = 0; tester < Keeping.TESTERS; tester++) {
                keeping.released(tester);
            }
            note("bye");
        }

        private void note(String what) {
            happened.add(what);
            String loss = keeping.loss();
            if (loss != null && violation == null) {
                violation = loss + " after " + happened;
            }
        }
    }

    @Test
    void whatARunDoesWithItsRecordIsAcceptedByTheModel() throws Exception {
        int concluded = 0;
        for (int seed = 1; seed <= TRIALS; seed++) {
            concluded += trial(seed) ? 1 : 0;
        }
        assertThat(concluded)
                .as("of " + TRIALS + " trials, some with a full disk")
                .isBetween(1, TRIALS - 1);
    }

    /** Returns whether the run could be concluded. */
    private boolean trial(long seed) throws Exception {
        Random random = new Random(seed);
        Path trial = Files.createDirectory(folder.resolve("trial-" + seed));
        Path real = Files.createDirectory(trial.resolve("disk"));
        FaultyDisk disk = new FaultyDisk(real);
        Recorder recorder = new Recorder(disk, real);
        boolean concluded = false;
        HandDrivenRun run = new HandDrivenRun(trial, TWO, null, disk.root().resolve("run"));
        try (run) {
            run.testers.whenReleased = recorder::released;
            RunningLoad load = run.assembled(run.fleet(1, 2));
            load.begin();
            recorder.acknowledged();
            run.in(3 * S, () -> run.reports.lost(1, "gone", run.now()));
            run.in(4 * S, () -> run.reports.back(1));
            run.in(random.nextInt(14) * S, () -> disk.leaveRoom(random.nextInt(6_000)));
            run.in(10 * S, () -> run.reports.finished(1, TOTALS));
            run.in(11 * S, () -> run.reports.finished(2, TOTALS));
            End end = load.watch();
            try {
                load.conclude(end);
                concluded = true;
            } catch (IOException full) {
                assertThat(full).hasMessageContaining("No space left");
                run.directory.endings().failed(run.now(), "No space left on device");
                run.directory.leaveControl();
            }
        }
        RunRecord left = RunJson.read(real.resolve("run/run.json"));
        assertThat(left.endNanos() != null).as("seed " + seed).isEqualTo(concluded);
        if (!concluded) {
            assertThat(RunDirectory.endings(disk.root().resolve("run")).last())
                    .as("noted on a full disk, seed " + seed)
                    .extracting(EarlyExits.Ending::reason)
                    .isEqualTo("No space left on device");
        }
        assertThat(recorder.violation).as("seed " + seed).isNull();
        return concluded;
    }

    @Test
    void aRecordWhoseNameTheDiskDidNotKeepIsFinishedByResuming() throws Exception {
        Path real = Files.createDirectory(folder.resolve("disk"));
        FaultyDisk disk = new FaultyDisk(real);
        Path left = disk.root().resolve("run");
        try (HandDrivenRun run = new HandDrivenRun(folder, TWO, null, left)) {
            RunningLoad load = run.assembled(run.fleet(1, 2));
            load.begin();
            run.in(10 * S, () -> run.reports.finished(1, TOTALS));
            run.in(11 * S, () -> run.reports.finished(2, TOTALS));
            End end = load.watch();
            disk.tell(event -> {
                if (event.equals(new FaultyDisk.Event(FaultyDisk.Kind.MOVE, "run/run.json"))) {
                    disk.breakDown("Input/output error");
                }
            });
            assertThatThrownBy(() -> load.conclude(end)).hasMessageContaining("Input/output error");
            run.directory.leaveControl();
        }
        assertThatThrownBy(() -> ResumedRun.finishRecorded(left, Progress.NONE, NanoClock.SYSTEM))
                .hasMessageContaining("Input/output error");
        disk.tell(event -> {});
        disk.breakDown("");
        assertThat(ResumedRun.finishRecorded(left, Progress.NONE, NanoClock.SYSTEM))
                .isTrue();
        assertThat(RunJson.read(real.resolve("run/run.json")).end()).isEqualTo(End.COMPLETE);
        assertThat(disk.durable("run/run.json")).isEqualTo(Files.readAllBytes(real.resolve("run/run.json")));
        assertThat(real.resolve("run/control")).doesNotExist();
        assertThat(ResumedRun.finishRecorded(left, Progress.NONE, NanoClock.SYSTEM))
                .isFalse();
    }
}
