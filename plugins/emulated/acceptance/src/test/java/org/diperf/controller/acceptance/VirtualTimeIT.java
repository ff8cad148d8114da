package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Emulated networks in a virtual machine whose clock goes on only when all wait: no processor makes anything late. */
@EnabledIfSystemProperty(named = "diperf.long", matches = "true")
@Timeout(value = 40, unit = TimeUnit.MINUTES)
class VirtualTimeIT {

    private static final Path SCRIPT = Path.of("../plugins/emulated/virtual/in-virtual-time")
            .toAbsolutePath()
            .normalize();
    private static final Path KERNEL = Path.of("/var/tmp/diperf-kernel/linux");
    /** Most of it runs once, and there is one processor for the compilers too. */
    private static final List<String> JAVA =
            List.of(Command.java(), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx512m");

    @TempDir
    Path work;

    @BeforeEach
    void needsKernel() {
        assumeTrue(
                Files.isExecutable(KERNEL),
                "needs " + KERNEL + ": apt-get install linux-source flex bison; plugins/emulated/virtual/build-kernel");
        EmulatedExperiment.needs();
    }

    @Test
    void bothEnginesAgreeOnTenTopologies() throws Exception {
        try (Command suite = virtually("-cp", System.getProperty("java.class.path"), EngineAgreement.class.getName())) {
            assertThat(suite.exitCode()).as(suite.output()).isZero();
            assertThat(suite.output()).contains(EngineAgreement.AGREED);
        }
    }

    private List<String> calls(Path script) throws Exception {
        try (Command run = Command.start(work, List.of(SCRIPT.toString(), "sh", script.toString()))) {
            assertThat(run.exitCode()).as(run.output()).isZero();
            return run.output().lines().toList();
        }
    }

    @Test
    void clientsAndServerInCMakeTheSameCallsTwiceToTheNanosecond() throws Exception {
        Path wire = EmulatedNetwork.compiled(work);
        Path script = Files.writeString(work.resolve("calls.sh"), RepeatedCalls.script(wire.toString()));
        List<String> once = calls(script);
        // Each as its client saw it and as the server did.
        assertThat(once).hasSize(2 * 2 * RepeatedCalls.CALLS).doesNotHaveDuplicates();
        assertThat(calls(script)).isEqualTo(once);
    }

    private Command virtually(String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of(SCRIPT.toString()));
        command.addAll(JAVA);
        // Of the virtual machine's own.
        command.add("-Djava.io.tmpdir=/dev/shm");
        command.addAll(List.of(words));
        return Command.start(work, command);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tun", "netem"})
    void bothEnginesMakeOfATopologyWhatItSays(String engine) throws Exception {
        try (Command suite = virtually(
                "-Ddiperf.virtual=true",
                "-cp",
                System.getProperty("java.class.path"),
                EmulatedPrecisionIT.class.getName(),
                engine)) {
            assertThat(suite.exitCode()).as(suite.output()).isZero();
            assertThat(suite.output()).contains(EmulatedPrecisionIT.PASSED);
        }
    }

    @Test
    void unlessTheFileSaysOtherwiseTheKernelCarriesPacketsWhereItCan() throws Exception {
        try (Command said =
                virtually("-cp", System.getProperty("java.class.path"), EmulatedNetwork.class.getName(), "auto")) {
            assertThat(said.exitCode()).as(said.output()).isZero();
            assertThat(said.output()).contains("netem forwards the packets").doesNotContain("cannot be created here");
        }
    }

    @Test
    void fourFlowsFillALinkOf10GigabitsAnd30Milliseconds() throws Exception {
        try (Command said =
                virtually("-cp", System.getProperty("java.class.path"), LongFatLink.class.getName(), "netem")) {
            assertThat(said.exitCode()).as(said.output()).isZero();
            double payload = said.output()
                    .lines()
                    .filter(line -> line.startsWith(LongFatLink.PAYLOAD))
                    .mapToDouble(line -> Double.parseDouble(line.substring(LongFatLink.PAYLOAD.length())))
                    .findFirst()
                    .orElseThrow();
            assertThat(payload).as("Gbit/s; all but the headers are 9.65").isBetween(9.0, 9.7);
        }
    }

    @Test
    void whatTheKernelCarriedDroppedAndLostIsKnownAndHowLateItsProbesWere() throws Exception {
        Files.writeString(work.resolve("full.yml"), """
                target: http://server:8080/200000
                service: { start: '%s' }
                seed: 5
                testbed:
                  kind: emulated
                  engine: virtual
                  testers: 2
                  hosts: { client: { count: 2 }, server: {} }
                  routers: [ r ]
                  links:
                    - { name: near, between: [client, r], rate: 1Gbit/s, latency: 1ms, loss: 1%% }
                    - { name: bone, between: [r, server], latency: 4ms, back: { rate: 20Mbit/s, queue: 60 } }
                  place: { service: server, testers: client }
                load: { clients: 4, run-for: 6s }
                """.formatted(PageService.command(8080)));
        try (Command run = Command.diperf(work, "run", "--no-report", "full.yml", "--out", "full", "--no-progress")) {
            assertThat(run.exitCode()).as(run.output()).isZero();
            assertThat(run.output()).containsPattern("network +[0-9,]+ probes late by .* sent by netem");
        }
        JsonNode summary = new RunFolder(work.resolve("full")).summary();
        assertThat(EmulatedExperiment.number(summary, "probes"))
                .as("one each 11 ms")
                .isBetween(300.0, 700.0);
        assertThat(EmulatedExperiment.number(summary, "lateness.p99"))
                .as("milliseconds, in which nobody computes")
                .isLessThan(0.1);
        assertThat(EmulatedExperiment.annex(summary).get("numbers").get("turns.p50"))
                .isNull();
        assertThat(EmulatedExperiment.number(summary, "droppedBefore")).isZero();
        assertThat(EmulatedExperiment.number(summary, "refused")).isZero();
        JsonNode back = EmulatedExperiment.link(summary, "bone", "back");
        assertThat(back.get("use.mean").asDouble()).isBetween(60.0, 101.0);
        assertThat(back.get("sent.max").asDouble()).isBetween(15e6, 20.2e6);
        assertThat(back.get("overflowed").asLong()).isPositive();
        assertThat(back.get("lost").asLong()).as("as declared").isZero();
        assertThat(back.get("longestQueue").asLong()).isBetween(1L, 60L);
        assertThat(EmulatedExperiment.link(summary, "bone", "there")
                        .get("overflowed")
                        .asLong())
                .isZero();
        JsonNode near = EmulatedExperiment.link(summary, "near", "back");
        assertThat(near.get("packets").asLong())
                .as("what left the bone, but for what is on its way")
                .isCloseTo(back.get("packets").asLong() - back.get("overflowed").asLong(), within(100L));
        double expected = 0.01 * near.get("packets").asLong();
        assertThat(near.get("lost").asDouble())
                .as("of " + near.get("packets"))
                .isCloseTo(expected, within(4 * Math.sqrt(expected)));
    }

    /** @param keys of the testbed besides its hosts and links */
    private void writeFar(String keys, int seconds) throws Exception {
        Files.writeString(work.resolve("far.yml"), """
                target: http://server:8080/1
                service: { start: '%s' }
                seed: 5
                testbed:
                  kind: emulated
                  testers: 2
                %s
                  hosts: { client: { count: 2 }, server: {} }
                  routers: [ r ]
                  links:
                    - { between: [client, r], rate: 1Gbit/s, latency: 3ms }
                    - { between: [r, server], rate: 100Mbit/s, latency: 12ms }
                  place: { service: server, testers: client }
                load: { clients: 2, run-for: %ds, think: 10ms }
                """.formatted(PageService.command(8080), keys.indent(2), seconds));
    }

    @ParameterizedTest
    @ValueSource(strings = {"virtual", "virtual-tun"})
    void aRunIsAsExactAsItsNetworkAndTheSameTwice(String engine) throws Exception {
        writeFar("engine: " + engine, 6);
        List<Double> medians = new ArrayList<>();
        for (String out : List.of("one", "two")) {
            try (Command run = Command.diperf(work, "run", "--no-report", "far.yml", "--out", out, "--no-progress")) {
                assertThat(run.exitCode()).as(run.output()).isZero();
                assertThat(run.output()).contains("numbers VALID");
            }
            JsonNode summary = new RunFolder(work.resolve(out)).summary();
            assertThat(summary.get("warnings").toString()).contains("time was virtual");
            assertThat(summary.get("calls").get("ok").asLong()).isEqualTo(300);
            medians.add(summary.get("responseTime").get("p50").asDouble());
        }
        // 30 ms, and the transmission of a request and an answer of some 200 bytes.
        assertThat(medians).allSatisfy(median -> assertThat(median).isBetween(30.0, 30.1));
        assertThat(Math.abs(medians.get(0) - medians.get(1)))
                .as("milliseconds between the medians of two runs")
                .isLessThan(0.005);
    }

    private static long machines() {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info()
                        .command()
                        .filter(KERNEL.toString()::equals)
                        .isPresent())
                .count();
    }

    @Test
    void anInterruptEndsARunInOrderAndLeavesNothing() throws Exception {
        writeFar("engine: virtual", 3_000);
        try (Command run = Command.diperf(work, "run", "--no-report", "far.yml", "--out", "out")) {
            run.awaitOutput(said -> said.contains("in flight"));
            assertThat(machines()).isPositive();
            new ProcessBuilder("kill", "-INT", Long.toString(run.process().pid()))
                    .start()
                    .waitFor();
            assertThat(run.exitCode()).as(run.output()).isEqualTo(130);
            assertThat(new RunFolder(work.resolve("out"))
                            .summary()
                            .get("calls")
                            .get("ok")
                            .asLong())
                    .isPositive();
        }
        assertThat(machines()).isZero();
    }

    @Test
    void aKilledControllerLeavesNothing() throws Exception {
        writeFar("engine: virtual", 3_000);
        try (Command run = Command.diperf(work, "run", "--no-report", "far.yml", "--out", "out")) {
            run.awaitOutput(said -> said.contains("in flight"));
            run.process().destroyForcibly();
            SlurmCluster.await("no virtual machine", () -> machines() == 0);
        }
    }
}
