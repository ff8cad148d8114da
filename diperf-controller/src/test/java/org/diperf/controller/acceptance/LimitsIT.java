package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
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

    private static int execute(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getInputStream().readAllBytes();
        return process.waitFor();
    }

    @Test
    void aDiskThatIsFullStopsTheRunAndTheTestersKeepWhatItDidNotTake() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "needs root to mount a small disk");
        Path disk = Files.createDirectory(work.resolve("disk"));
        assumeTrue(
                execute("mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", disk.toString()) == 0,
                "needs to mount a small disk");
        try {
            Path run = disk.resolve("run");
            Path filler = disk.resolve("filler");
            try (Command first = Command.diperf(
                    work, "run", file("clients: 4, run-for: 60s, think: 1ms", 2).toString(), "--out", run.toString())) {
                first.awaitOutput(output -> target.seen().size() >= 200 && Files.exists(run.resolve("run.json")));
                Files.write(filler, new byte[64 << 10]);
                try (var out = Files.newOutputStream(filler)) {
                    byte[] some = new byte[4 << 10];
                    while (true) {
                        out.write(some);
                    }
                } catch (IOException full) {
                    assertThat(full).hasMessageContaining("space");
                }
                assertThat(first.exitCode()).as(first.output()).isEqualTo(3);
                assertThat(first.output()).contains("No space left on device", "--resume");
            }
            Files.delete(filler);
            try (Command second = Command.diperf(work, "run", "--resume", run.toString())) {
                assertThat(second.exitCode()).as(second.output()).isIn(0, 3);
                Map<String, String> recorded = new RunFolder(run).outcomesByCall();
                assertThat(recorded.keySet()).containsAll(target.seen().keySet());
                assertThat(target.seen()).hasSizeGreaterThan(200);
                assertThat(target.doubles()).isZero();
                assertThat(run.resolve("control")).doesNotExist();
            }
        } finally {
            execute("umount", "-l", disk.toString());
        }
    }

    @Test
    void aRunThatWouldNeedMoreDescriptorsThanThereAreIsNotBegun() throws Exception {
        Path file = file("clients: 600, run-for: 5s, think: 1s", 300);
        String limited = "ulimit -n 256; exec \"$@\"";
        List<String> command = new ArrayList<>(List.of("bash", "-c", limited, "bash"));
        command.addAll(Command.commandLine(Command.controllerJar(), "run", file.toString(), "--out", "run"));
        try (Command diperf = Command.start(work, command)) {
            assertThat(diperf.exitCode()).as(diperf.output()).isEqualTo(3);
            assertThat(diperf.output()).contains("300 testers", "a limit of 256", "ulimit -n 400");
        }
    }

    @Test
    void aControllerWithASmallHeapLosesNothing() throws Exception {
        Path file = file("clients: 8, run-for: 3s, think: 1ms", 2);
        List<String> command =
                new ArrayList<>(Command.commandLine(Command.controllerJar(), "run", file.toString(), "--out", "run"));
        command.addAll(1, List.of("-Xmx80m", "-XX:+UseSerialGC"));
        try (Command diperf = Command.start(work, command)) {
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
            Map<String, String> recorded = new RunFolder(work.resolve("run")).outcomesByCall();
            assertThat(recorded.keySet()).containsAll(target.seen().keySet());
        }
    }
}
