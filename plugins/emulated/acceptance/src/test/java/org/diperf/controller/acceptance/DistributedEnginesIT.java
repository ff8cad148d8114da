package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Engines of one network on two machines, behind an sshd each, by the packaged jar. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class DistributedEnginesIT {

    private static final String ENGINE = "org.diperf.plugins.emulated.cli.SliceMain";

    @TempDir
    Path work;

    @BeforeEach
    void needsSshd() {
        assumeTrue(Command.installed("sshd"), "sshd is not installed: apt-get install openssh-server");
    }

    private Command emulate(Path key, List<Sshd> machines, String... options) throws IOException {
        StringBuilder known = new StringBuilder();
        List<String> prefixes = new ArrayList<>();
        for (Sshd machine : machines) {
            known.append(machine.knownHostsLine());
            String name = machine.name();
            int port = name.lastIndexOf(':');
            prefixes.add("ssh -F none -o BatchMode=yes -o UserKnownHostsFile=" + work.resolve("known_hosts") + " -i "
                    + key + " -p " + name.substring(port + 1) + " " + name.substring(0, port));
        }
        Files.writeString(work.resolve("known_hosts"), known);
        List<String> command = new ArrayList<>(List.of(
                Command.java(),
                "-cp",
                Path.of(System.getProperty("diperf.jar")).toAbsolutePath().toString(),
                "org.diperf.plugins.emulated.cli.DistributedMain",
                "on=" + String.join(",", prefixes)));
        command.addAll(List.of(options));
        return Command.start(work, command);
    }

    @Test
    void twoMachinesAgreeWithOne() throws Exception {
        Path key = Sshd.userKey(work);
        try (Sshd one = Sshd.start(work, "127.0.0.2", key);
                Sshd two = Sshd.start(work, "127.0.0.3", key);
                Command run = emulate(
                        key, List.of(one, two), "hosts=200", "flows=200", "time=200", "engines=1,2", "by=profile")) {
            // It fails where engines do not agree.
            assertThat(run.exitCode()).as(run.output()).isZero();
            assertThat(run.output().lines().filter(line -> line.contains(" s  ")))
                    .as(run.output())
                    .hasSize(2);
            assertThat(two.log()).contains("Accepted publickey");
        }
    }

    @Test
    void anEngineThatIsKilledOnItsMachineEndsAllWithItsName() throws Exception {
        Path key = Sshd.userKey(work);
        try (Sshd one = Sshd.start(work, "127.0.0.2", key);
                Sshd two = Sshd.start(work, "127.0.0.3", key);
                Command run = emulate(key, List.of(one, two), "time=100000000", "engines=2", "hosts=200")) {
            awaitEngine(run).destroyForcibly();
            assertThat(run.exitCode()).as(run.output()).isEqualTo(3);
            assertThat(run.output()).containsPattern("engine [12] of 2 has exited with code");
            for (ProcessHandle left : engines()) {
                left.onExit().get(30, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void optionsThatAreNoneAreRefusedWithWhatIsExpected() throws Exception {
        try (Command run = emulate(work, List.of(), "network=star")) {
            assertThat(run.exitCode()).as(run.output()).isEqualTo(2);
            assertThat(run.output()).contains("network: expected ring, tree or scale-free, got 'star'");
        }
        try (Command run = emulate(work, List.of(), "hosts=1")) {
            assertThat(run.exitCode()).as(run.output()).isEqualTo(2);
            assertThat(run.output()).contains("hosts: expected a number from 2 to 2147483647, got '1'");
        }
    }

    private static ProcessHandle awaitEngine(Command run) throws InterruptedException {
        long deadline = System.nanoTime() + 60_000_000_000L;
        while (System.nanoTime() < deadline && run.process().isAlive()) {
            Optional<ProcessHandle> found = engines().stream().findFirst();
            if (found.isPresent()) {
                return found.get();
            }
            run.process().waitFor(50, TimeUnit.MILLISECONDS);
        }
        throw new AssertionError("Expected an engine, got none: " + run.output());
    }

    /** Lists engines below the sshds of these tests. */
    private static List<ProcessHandle> engines() {
        return ProcessHandle.current()
                .descendants()
                .filter(each -> each.info().commandLine().orElse("").contains(ENGINE))
                .filter(each -> each.info().command().orElse("").endsWith("/java"))
                .toList();
    }
}
