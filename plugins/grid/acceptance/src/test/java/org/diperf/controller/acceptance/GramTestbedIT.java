package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Experiments whose testers are jobs of real GRAM5 gatekeepers, each on a machine of its own. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class GramTestbedIT {

    private static final int GATEKEEPERS = 3;
    private static final int TESTERS = 12;

    @TempDir
    Path work;

    private Namespaces machines;
    private Gatekeepers gatekeepers;
    private CallLog target;

    @BeforeEach
    void threeGatekeepers() throws Exception {
        assumeTrue(Gatekeepers.missing().isEmpty(), Gatekeepers.missing());
        String missing = Namespaces.missing(work);
        assumeTrue(missing.isEmpty(), missing);
        machines = Namespaces.open(work, GATEKEEPERS);
        target = new CallLog(InetAddress.getByName(machines.target()));
        gatekeepers = new Gatekeepers();
        for (int machine = 1; machine <= GATEKEEPERS; machine++) {
            gatekeepers.start(machines.on(machine, List.of()), machines.addressOfControl(machine));
        }
    }

    @AfterEach
    void removeAll() throws Exception {
        if (gatekeepers != null) {
            gatekeepers.close();
        }
        if (target != null) {
            target.close();
        }
        if (machines != null) {
            machines.close();
        }
    }

    @Test
    void oneOfThreeGatekeepersThatDiesCostsItsTestersAloneAndNothingIsLeft() throws Exception {
        try (Command diperf = diperf(20)) {
            diperf.awaitOutput(output -> output.contains("0:05/"));
            gatekeepers.kill(2);
            diperf.exitCode();
            Map<String, Long> seen = target.seen();
            RunFolder run = new RunFolder(work.resolve("run"));

            List<JsonNode> lost = new ArrayList<>();
            List<JsonNode> others = new ArrayList<>();
            for (JsonNode tester : JsonMapper.shared()
                    .readTree(Files.readAllBytes(work.resolve("run/run.json")))
                    .get("testers")) {
                (tester.hasNonNull("lostNanos") ? lost : others).add(tester);
            }
            assertThat(lost).as(diperf.output()).hasSize(TESTERS / GATEKEEPERS);
            assertThat(others)
                    .hasSize(TESTERS - TESTERS / GATEKEEPERS)
                    .allSatisfy(
                            tester -> assertThat(tester.get("sent").asLong()).isPositive());
            assertThat(run.summary().get("verdict").asString()).isEqualTo("suspect");
            for (JsonNode tester : lost) {
                assertThat(diperf.output())
                        .contains("tester " + tester.get("number").asInt() + " was lost");
            }

            TreeSet<String> unrecorded = new TreeSet<>(seen.keySet());
            unrecorded.removeAll(run.outcomesByCall().keySet());
            assertThat(unrecorded.stream()
                            .map(call -> call.replaceAll("-.*", ""))
                            .distinct()
                            .count())
                    .as("clients with calls that were made and are not recorded: those of the lost testers alone")
                    .isLessThanOrEqualTo(lost.size());
            TreeSet<String> unseen = new TreeSet<>(run.outcomesByCall().keySet());
            unseen.removeAll(seen.keySet());
            assertThat(unseen).as("calls that nobody saw").isEmpty();
            assertThat(target.doubles()).isZero();

            assertThat(testers()).isEmpty();
            for (int alive = 0; alive < 2; alive++) {
                assertThat(gatekeepers.unfinished(alive)).isEmpty();
                assertThat(gatekeepers.left(alive)).isEmpty();
            }
            assertThat(work.resolve("run/control")).doesNotExist();
            assertThat(Files.readString(work.resolve("run/run.log"))).contains("GRAM gets no response from node");
        }
    }

    private static Collection<String> testers() {
        return ProcessHandle.allProcesses()
                .flatMap(process -> process.info().commandLine().stream())
                .filter(line -> line.contains("diperf-tester.jar --folder"))
                .toList();
    }

    private Command diperf(int seconds) throws Exception {
        Path file = Files.writeString(work.resolve("gram.yml"), """
                target: tcp://%s:%d
                client: { with: { send: "${client}-${call}\\n", answer: echo } }
                testbed:
                  kind: gram
                  contacts: ["%s", "%s", "%s"]
                  proxy-file: %s
                  ca-dir: %s
                  testers: %d
                  java: %s
                  jvm: ["-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
                  spin: 0s
                load: { clients: %d, run-for: %ds, think: 100ms, timeout: 5s }
                controller: { listen: 0.0.0.0, advertise: %s, lease: 8s }
                """.formatted(
                        machines.target(),
                        target.port(),
                        gatekeepers.contact(0),
                        gatekeepers.contact(1),
                        gatekeepers.contact(2),
                        gatekeepers.file("proxy.pem"),
                        gatekeepers.file("trusted"),
                        TESTERS,
                        Command.java(),
                        TESTERS,
                        seconds,
                        machines.controller()));
        return Command.start(
                work,
                Map.of(),
                Command.commandLine(Command.controllerJar(), "run", "--no-report", file.toString(), "--out", "run"));
    }
}
