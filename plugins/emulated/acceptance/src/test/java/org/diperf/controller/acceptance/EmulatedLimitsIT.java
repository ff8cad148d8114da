package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** What hosts of emulated networks may use at most, and the control groups that see to it. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class EmulatedLimitsIT {

    private static final Path CPU_GROUPS = Path.of("/sys/fs/cgroup/cpu");

    @TempDir
    Path work;

    private EmulatedExperiment far;

    @BeforeEach
    void makeExperiment() throws Exception {
        far = new EmulatedExperiment(work);
    }

    /** Adds what the service's host may use at most, and has the service note what it got before it serves. */
    private void limit(String limits) throws Exception {
        assumeTrue(Files.isWritable(CPU_GROUPS), "needs " + CPU_GROUPS + " of cgroup version 1");
        String tries = "cat /proc/self/cgroup > {}/groups; timeout 2 sh -c \"while :; do :; done\"; times > {}/times;"
                + " head -c 300000000 /dev/zero | tail > /dev/null; echo $? > {}/tail; ";
        far.replace("server: {}", "server: { " + limits + " }");
        far.replace("start: '", "start: '" + tries.replace("{}", work.toString()));
    }

    /** Names the control groups of a run. */
    private static Set<String> groups(Command diperf) throws IOException {
        return EmulatedExperiment.names(CPU_GROUPS, "diperf-" + diperf.process().pid() + "-");
    }

    @Test
    void aHostUsesNoMoreThanItsLimits() throws Exception {
        far.write(1, "{ clients: 2, run-for: 2s, think: 10ms }");
        limit("cpu: 0.4, memory: 200MiB, disk: 20MB/s");
        try (Command diperf = far.run()) {
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
            assertThat(groups(diperf)).isEmpty();
        }
        assertThat(Files.readString(work.resolve("groups")))
                .containsPattern("cpu.*:/.*diperf-[0-9]+-[0-9]+-[0-9]+/server");
        // Of the 2 s that it tries; processes that have ended are on the second line.
        String[] used = Files.readAllLines(work.resolve("times")).get(1).split("[ms ]+");
        assertThat(Double.parseDouble(used[1]) + Double.parseDouble(used[3])).isBetween(0.05, 1.2);
        assertThat(Files.readString(work.resolve("tail")).strip())
                .as("killed for want of memory")
                .isEqualTo("137");
    }

    @Test
    void noGroupIsLeftOfARunThatIsKilledWithItsGuard() throws Exception {
        noGroupIsLeft(true);
    }

    @Test
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    void noGroupIsLeftOfARunThatIsKilled() throws Exception {
        noGroupIsLeft(false);
    }

    private void noGroupIsLeft(boolean withItsGuard) throws Exception {
        far.write(1, "{ clients: 2, run-for: 120s, think: 10ms }");
        limit("memory: 200MiB, cpu: 2");
        try (Command diperf = far.run()) {
            far.awaitStart();
            Set<Long> processes = EmulatedExperiment.descendants(diperf);
            assertThat(groups(diperf)).hasSize(1);
            ProcessHandle guard = diperf.process()
                    .children()
                    .filter(child -> child.info().commandLine().orElse("").contains("rmdir"))
                    .findFirst()
                    .orElseThrow();
            if (withItsGuard) {
                guard.destroyForcibly();
            }
            diperf.process().toHandle().destroyForcibly();
            EmulatedExperiment.awaitGone(processes, -1);
            if (withItsGuard) {
                assertThat(groups(diperf)).as("nobody was left to remove it").hasSize(1);
                EmulatedExperiment next = new EmulatedExperiment(Files.createDirectory(work.resolve("next")));
                next.write(1, "{ clients: 2, run-for: 1s, think: 10ms }");
                next.replace("server: {}", "server: { cpu: 2 }");
                next.passes();
            }
            assertThat(groups(diperf)).isEmpty();
        }
    }

    @Test
    void withoutCgroupsOnlyARunWithLimitsIsRefused() throws Exception {
        far.write(1, "{ clients: 2, run-for: 1s }");
        far.replace("server: {}", "server: { cpu: 0.5 }");
        List<String> command =
                Command.commandLine(Command.controllerJar(), "run", "--no-report", "far.yml", "--no-progress");
        List<String> without = Stream.concat(
                        Stream.of("unshare", "--mount", "sh", "-c", "umount -l -R /sys/fs/cgroup && exec \"$@\"", "sh"),
                        command.stream())
                .toList();
        try (Command diperf = Command.start(work, without)) {
            assertThat(diperf.exitCode()).as(diperf.output()).isEqualTo(3);
            assertThat(diperf.output()).contains("host limits need the cgroup v1 controller 'cpu'");
        }
    }
}
