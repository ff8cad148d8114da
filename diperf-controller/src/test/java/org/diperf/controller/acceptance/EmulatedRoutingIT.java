package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Routers of an emulated network that find the ways themselves are gone with the run. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class EmulatedRoutingIT {

    @TempDir
    Path work;

    private EmulatedExperiment ring;

    @BeforeEach
    void makeExperiment() throws Exception {
        ring = new EmulatedExperiment(work);
        assumeTrue(Command.installed("bird") || Files.isExecutable(Path.of("/usr/sbin/bird")), "needs bird (bird2)");
    }

    private void write(String routing, String events, String load) throws Exception {
        ring.write(1, load, """
                hosts: { client: {}, server: {} }
                routers: [ r1, r2, r3, r4 ]
                links:
                  - { between: [client, r1], latency: 1ms }
                  - { name: short, between: [r1, r2], latency: 2ms }
                  - { between: [r2, r3], latency: 2ms }
                  - { between: [r3, r4], latency: 4ms }
                  - { between: [r4, r1], latency: 4ms }
                  - { between: [r3, server], latency: 1ms }
                place: { service: server, testers: client }
                """ + "routing: " + routing + "\nevents: [ " + events + " ]\n");
        ring.replace("testers: 2", "testers: 1");
    }

    @Test
    void nothingIsLeftOfBirdsWhenControllerAndGuardAreKilled() throws Exception {
        write("ospf", "{ at: 100s, link: short, down: true }", "{ clients: 1, run-for: 120s, think: 10ms }");
        Set<String> before = EmulatedExperiment.devices();
        try (Command diperf = ring.run()) {
            ring.awaitStart();
            Set<Long> processes = EmulatedExperiment.descendants(diperf);
            Set<String> made = EmulatedExperiment.devicesBut(before);
            List<Long> birds = ProcessHandle.allProcesses()
                    .filter(each -> processes.contains(each.pid()))
                    .filter(each -> each.info().commandLine().orElse("").contains("bird -f"))
                    .map(ProcessHandle::pid)
                    .toList();
            assertThat(birds).as("a bird of each router").hasSizeGreaterThanOrEqualTo(4);
            ProcessHandle guard = diperf.process()
                    .children()
                    .filter(child -> child.info().commandLine().orElse("").contains("unshare"))
                    .findFirst()
                    .orElseThrow();
            diperf.process().toHandle().destroyForcibly();
            guard.destroyForcibly();
            EmulatedExperiment.awaitGone(processes, -1);
            EmulatedExperiment.awaitGone(made);
        }
    }
}
