package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Experiments whose testers a real Slurm starts, on eight nodes. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class SlurmIT {

    @TempDir
    static Path clusterFolder;

    private static SlurmCluster cluster;

    @TempDir
    Path work;

    private Path shared;

    @BeforeAll
    static void startSlurm() throws Exception {
        assumeTrue(SlurmCluster.missing().isEmpty(), SlurmCluster.missing());
        cluster = SlurmCluster.start(clusterFolder);
    }

    @AfterAll
    static void stopSlurm() throws Exception {
        if (cluster != null) {
            cluster.close();
        }
    }

    @BeforeEach
    void allNodesAreIdle() throws Exception {
        shared = Files.createDirectory(work.resolve("shared"));
        cluster.awaitIdle();
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        assertThat(cluster.jobs()).as("jobs").doesNotContain("RUNNING", "PENDING");
        assertThat(shared).isEmptyDirectory();
        assertThat(cluster.ofThisCluster("").stream().flatMap(process -> process.info().commandLine().stream()))
                .noneMatch(line -> line.contains("diperf-tester"));
    }

    @Tag("quick")
    @Test
    void theTestersRunAsTasksOnEightNodes() throws Exception {
        try (CallLog service = CallLog.onLoopback();
                Command diperf = diperf(service, "echo", 5)) {
            SlurmCluster.await(
                    "eight testers",
                    () -> testers().size() == SlurmCluster.NODES
                            || !diperf.process().isAlive());
            List<String> commands = testers();
            assertThat(commands).hasSize(SlurmCluster.NODES).noneMatch(line -> line.contains("PRIVATE"));
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();

            RunFolder run = new RunFolder(work.resolve("run"));
            assertThat(run.outcomesByCall())
                    .allSatisfy((call, outcome) -> assertThat(outcome).isEqualTo("ok"));
            assertThat(run.outcomesByCall().keySet()).isEqualTo(service.seen().keySet());
            assertThat(service.doubles()).isZero();
            assertThat(run.summary().get("calls").get("ok").asLong()).isGreaterThan(500);
            assertThat(work.resolve("run/control")).doesNotExist();
        }
    }

    @Test
    void aNodeThatFailsCostsItsTesterAloneAndIsNamed() throws Exception {
        Map<String, Long> seen;
        try (CallLog service = CallLog.onLoopback();
                Command diperf = diperf(service, "tcp", 20)) {
            diperf.awaitOutput(output -> output.contains("0:05/"));
            cluster.kill("n3");
            diperf.exitCode();
            seen = service.seen();
            RunFolder run = new RunFolder(work.resolve("run"));
            List<JsonNode> lost = new ArrayList<>();
            List<Long> sentByOthers = new ArrayList<>();
            for (JsonNode tester : JsonMapper.shared()
                    .readTree(Files.readAllBytes(work.resolve("run/run.json")))
                    .get("testers")) {
                if (tester.hasNonNull("lostNanos")) {
                    lost.add(tester);
                } else {
                    sentByOthers.add(tester.get("sent").asLong());
                }
            }
            assertThat(lost).as(diperf.output()).hasSize(1);
            assertThat(sentByOthers)
                    .hasSize(7)
                    .allSatisfy(sent -> assertThat(sent).isGreaterThan(500));
            assertThat(diperf.output())
                    .contains("tester " + lost.get(0).get("number").asInt() + " was lost");
            assertThat(run.summary().get("verdict").asString()).isEqualTo("suspect");
            assertThat(Files.readString(work.resolve("run/run.log"))).contains("node n3");

            TreeSet<String> unrecorded = new TreeSet<>(seen.keySet());
            unrecorded.removeAll(run.outcomesByCall().keySet());
            // Sixteen clients on eight testers: the lost one had two, and took with it what it had not yet shipped.
            assertThat(unrecorded.stream()
                            .map(call -> call.replaceAll("-.*", ""))
                            .distinct()
                            .count())
                    .isLessThanOrEqualTo(2);
            TreeSet<String> unseen = new TreeSet<>(run.outcomesByCall().keySet());
            unseen.removeAll(seen.keySet());
            assertThat(unseen).isEmpty();
        } finally {
            cluster.startNode("n3");
        }
    }

    @Test
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    void aJobThatSomebodyElseCancelsEndsTheRunWithWhatWasMeasured() throws Exception {
        try (CallLog service = CallLog.onLoopback();
                Command diperf = diperf(service, "tcp", 60)) {
            diperf.awaitOutput(output -> output.contains("0:05/"));
            cluster.tell("scancel", "--name=diperf");
            int exitCode = diperf.exitCode();
            assertThat(exitCode).as(diperf.output()).isNotZero();
            RunFolder run = new RunFolder(work.resolve("run"));
            assertThat(run.outcomesByCall().keySet()).isEqualTo(service.seen().keySet());
            assertThat(Files.readString(work.resolve("run/run.log"))).contains("CANCELLED");
        }
    }

    @Test
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    void ctrlCLeavesNoJobAndNoFile() throws Exception {
        try (CallLog service = CallLog.onLoopback();
                Command diperf = diperf(service, "tcp", 60)) {
            diperf.awaitOutput(output -> output.contains("0:05/"));
            cluster.tell("kill", "-INT", String.valueOf(diperf.process().pid()));
            assertThat(diperf.exitCode()).as(diperf.output()).isEqualTo(130);
            assertThat(new RunFolder(work.resolve("run")).outcomesByCall().keySet())
                    .isEqualTo(service.seen().keySet());
        }
    }

    @Test
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    void aLogInNodeSubmitsTheJob() throws Exception {
        assumeTrue(Command.installed("sshd"), "sshd is not installed: apt-get install openssh-server");
        try (CallLog service = CallLog.onLoopback();
                LoginNode login = LoginNode.start(Files.createDirectory(work.resolve("login")), cluster.environment());
                Command diperf =
                        diperf(login.path(), service, "tcp", 5, "--set", "testbed.submit-on=" + LoginNode.NAME)) {
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
            assertThat(new RunFolder(work.resolve("run")).outcomesByCall().keySet())
                    .isEqualTo(service.seen().keySet());
        }
    }

    @Test
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    void testersWhoseControllerIsKilledLeaveTheirSpoolsAloneAndResumingBringsThemHome() throws Exception {
        try (CallLog service = CallLog.onLoopback()) {
            Command first = diperf(service, "tcp", 60, "--set", "testbed.linger=1s", "--set", "controller.lease=3s");
            first.awaitOutput(output -> service.seen().size() >= 1_000);
            first.process().destroyForcibly().waitFor();
            SlurmCluster.await(
                    "the job's end",
                    () -> testers().isEmpty()
                            && filesLeft().stream()
                                    .allMatch(file -> file.matches("diperf-[^/]+/spool/tester-[1-8]\\.spool")));
            assertThat(filesLeft()).hasSize(8);

            Command second = Command.start(
                    work,
                    cluster.environment(),
                    Command.commandLine(Command.controllerJar(), "run", "--no-report", "--resume", "run"));
            assertThat(second.exitCode()).as(second.output()).isEqualTo(3);
            assertThat(new RunFolder(work.resolve("run")).outcomesByCall().keySet())
                    .containsAll(service.seen().keySet());
            assertThat(service.doubles()).isZero();
        }
    }

    @Test
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    void testersThatSlurmEndsWhileTheirControllerIsGoneLeaveTheirSpools() throws Exception {
        try (CallLog service = CallLog.onLoopback()) {
            Command first = diperf(service, "tcp", 60, "--set", "testbed.linger=5m");
            first.awaitOutput(output -> service.seen().size() >= 1_000);
            first.process().destroyForcibly().waitFor();
            cluster.tell("scancel", "--name=diperf");
            SlurmCluster.await("the testers' end", () -> testers().isEmpty());
            Command second = Command.start(
                    work,
                    cluster.environment(),
                    Command.commandLine(Command.controllerJar(), "run", "--no-report", "--resume", "run"));
            assertThat(second.exitCode()).as(second.output()).isEqualTo(3);
            assertThat(new RunFolder(work.resolve("run")).outcomesByCall().keySet())
                    .containsAll(service.seen().keySet());
            assertThat(service.doubles()).isZero();
        }
    }

    private List<String> filesLeft() {
        try (Stream<Path> left = Files.walk(shared)) {
            return left.filter(Files::isRegularFile)
                    .map(file -> shared.relativize(file).toString())
                    .toList();
        } catch (IOException | UncheckedIOException goes) {
            return List.of("still being removed");
        }
    }

    @Test
    void aQueueThatIsLongerThanThePatienceIsShownAndLeft() throws Exception {
        String blocker = cluster.tell("sbatch", "--parsable", "--nodes=8", "--exclusive", "--wrap=sleep 300")
                .strip();
        try (CallLog service = CallLog.onLoopback();
                Command diperf = diperf(service, "tcp", 5, "--set", "testbed.wait=8s")) {
            assertThat(diperf.exitCode()).as(diperf.output()).isEqualTo(3);
            assertThat(diperf.output())
                    .contains("is waiting in the queue: Resources", "longer than testbed.wait", "Raise testbed.wait");
            assertThat(service.seen()).isEmpty();
        } finally {
            cluster.tell("scancel", blocker);
        }
    }

    @Test
    void whatSlurmRefusesIsSaidInItsOwnWords() throws Exception {
        try (CallLog service = CallLog.onLoopback();
                Command diperf = diperf(service, "tcp", 5, "--set", "testbed.partition=nowhere")) {
            assertThat(diperf.exitCode()).isEqualTo(3);
            assertThat(diperf.output()).contains("Slurm did not accept a job of 8 testers", "invalid partition");
        }
    }

    private static List<String> testers() {
        return cluster.ofThisCluster("").stream()
                .flatMap(process -> process.info().commandLine().stream())
                .filter(line -> line.contains("diperf-tester") && line.contains("java"))
                .filter(line -> !line.contains("tester.sh"))
                .toList();
    }

    private Command diperf(CallLog service, String plugin, int seconds, String... more)
            throws IOException, InterruptedException {
        return diperf(cluster.environment(), service, plugin, seconds, more);
    }

    private Command diperf(Map<String, String> environment, CallLog service, String plugin, int seconds, String... more)
            throws IOException, InterruptedException {
        Path plugins = Files.createDirectory(work.resolve("plugins"));
        String with = "{ send: \"${client}-${call}\\n\", answer: echo }";
        if (plugin.equals("echo")) {
            EchoPlugin.copyTo(plugins);
            with = "{ text: \"${client}-${call}\" }";
        }
        Path file = Files.writeString(work.resolve("slurm.yml"), """
                target: %s://127.0.0.1:%d
                client: { plugin: %s, with: %s }
                testbed:
                  kind: slurm
                  testers: 8
                  testers-per-node: 1
                  time-limit: 5m
                  folder: %s
                  java: %s
                  jvm: ["-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
                  spin: 0s
                load: { clients: 16, run-for: %ds, think: 20ms, timeout: 5s }
                controller: { listen: 127.0.0.1, lease: 3s }
                """.formatted(
                        plugin, service.port(), plugin, with, shared, Command.java(), seconds));
        List<String> arguments = new ArrayList<>(List.of("run", "--no-report", file.toString(), "--out", "run"));
        arguments.addAll(List.of("--plugins", plugins.toString()));
        arguments.addAll(Stream.of(more).toList());
        return Command.start(
                work, environment, Command.commandLine(Command.controllerJar(), arguments.toArray(String[]::new)));
    }
}
