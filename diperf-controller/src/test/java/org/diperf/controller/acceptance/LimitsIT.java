package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A full disk, too few descriptors, a small heap: the run stops and says why, and nothing that was measured is lost. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class LimitsIT {

    @TempDir
    Path work;

    private CallLog target;

    @BeforeEach
    void start() throws IOException {
        target = CallLog.onLoopback();
    }

    @AfterEach
    void stop() throws IOException {
        target.close();
    }

    private Path file(String load, int testers) throws IOException {
        return Files.writeString(work.resolve("limits.yml"), """
                target: tcp://127.0.0.1:%d
                client: { plugin: tcp, with: { send: "${client}-${call}\\n" } }
                testbed: { kind: local, testers: %d, linger: 2m }
                load: { %s, timeout: 1s }
                measure: { window: whole }
                """.formatted(target.port(), testers, load));
    }

    private void everyCallIsRecorded(Path run) throws IOException {
        Set<String> missing = target.seen().keySet();
        assertThat(missing).hasSizeGreaterThan(200);
        missing.removeAll(new RunFolder(run).outcomesByCall().keySet());
        assertThat(missing).isEmpty();
        assertThat(target.doubles()).isZero();
        assertThat(run.resolve("control")).doesNotExist();
    }

    private void resumed(Path run) throws Exception {
        try (Command resumed = Command.diperf(work, "run", "--no-report", "--resume", run.toString())) {
            assertThat(resumed.exitCode()).as(resumed.output()).isIn(0, 3);
            everyCallIsRecorded(run);
        }
    }

    @Tag("quick")
    @Test
    void aDiskThatIsFullStopsTheRunAndTheTestersKeepWhatItDidNotTake() throws Exception {
        try (SmallDisk disk = SmallDisk.mount(work.resolve("disk"))) {
            Path run = disk.path.resolve("run");
            try (Command first = Command.diperf(
                    work,
                    "run",
                    "--no-report",
                    file("clients: 4, run-for: 60s, think: 1ms", 2).toString(),
                    "--out",
                    run.toString())) {
                first.awaitOutput(output -> target.seen().size() >= 200 && Files.exists(run.resolve("run.json")));
                disk.fill(0);
                assertThat(first.exitCode()).as(first.output()).isEqualTo(3);
                assertThat(first.output()).contains("No space left on device", "--resume");
            }
            disk.makeRoom();
            resumed(run);
            assertThat(new RunFolder(run).summary().get("warnings").toString())
                    .contains("nothing could be written", "No space left on device")
                    .doesNotContain("killed");
        }
    }

    @Test
    void aResumedRunThatFindsTheDiskFullGivesNothingUp() throws Exception {
        try (SmallDisk disk = SmallDisk.mount(work.resolve("disk"))) {
            Path run = disk.path.resolve("run");
            try (Command first = Command.diperf(
                    work,
                    "run",
                    "--no-report",
                    file("clients: 8, run-for: 8s, think: 2ms", 1).toString(),
                    "--out",
                    run.toString())) {
                first.awaitOutput(output -> target.seen().size() >= 200 && Files.exists(run.resolve("run.json")));
                first.process().destroyForcibly().waitFor();
            }
            int before = target.seen().size();
            while (target.seen().size() < before + 2_000) {
                TimeUnit.MILLISECONDS.sleep(50);
            }
            disk.fill(12 << 10);
            try (Command second = Command.diperf(work, "run", "--no-report", "--resume", run.toString())) {
                assertThat(second.exitCode()).as(second.output()).isEqualTo(3);
                assertThat(second.output()).contains("No space left on device", "make room", "--resume");
            }
            disk.makeRoom();
            resumed(run);
        }
    }

    @Test
    void samplesInMemoryWaitForRoomOnTheDisk() throws Exception {
        try (SmallDisk disk = SmallDisk.mount(work.resolve("disk"))) {
            Path run = disk.path.resolve("run");
            Path file = file("clients: 4, run-for: 2s, think: 1ms", 1);
            try (Command first = Command.diperf(
                    work,
                    "run",
                    "--no-report",
                    file.toString(),
                    "--set",
                    "controller.collect=memory",
                    "--out",
                    run.toString())) {
                first.awaitOutput(output -> target.seen().size() >= 200 && Files.exists(run.resolve("run.json")));
                disk.fill(0);
                first.awaitOutput(output -> output.contains("make room within 10 minutes"));
                disk.makeRoom();
                assertThat(first.exitCode()).as(first.output()).isZero();
            }
            everyCallIsRecorded(run);
        }
    }

    @Test
    void aRunThatWouldNeedMoreDescriptorsThanThereAreIsNotBegun() throws Exception {
        Path file = file("clients: 600, run-for: 5s, think: 1s", 300);
        String limited = "ulimit -n 256; exec \"$@\"";
        List<String> command = new ArrayList<>(List.of("bash", "-c", limited, "bash"));
        command.addAll(
                Command.commandLine(Command.controllerJar(), "run", "--no-report", file.toString(), "--out", "run"));
        try (Command diperf = Command.start(work, command)) {
            assertThat(diperf.exitCode()).as(diperf.output()).isEqualTo(3);
            assertThat(diperf.output()).contains("300 testers", "a limit of 256", "ulimit -n 400");
        }
    }

    @Test
    void aControllerWithASmallHeapLosesNothing() throws Exception {
        Path file = file("clients: 8, run-for: 3s, think: 1ms", 2);
        List<String> command = new ArrayList<>(
                Command.commandLine(Command.controllerJar(), "run", "--no-report", file.toString(), "--out", "run"));
        command.addAll(1, List.of("-Xmx80m", "-XX:+UseSerialGC"));
        try (Command diperf = Command.start(work, command)) {
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
            Map<String, String> recorded = new RunFolder(work.resolve("run")).outcomesByCall();
            assertThat(recorded.keySet()).containsAll(target.seen().keySet());
        }
    }
}
