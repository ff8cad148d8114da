package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Emulated networks: as far and as slow as they are declared, and gone with the run, whatever ends it. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class EmulatedIT {

    private static final boolean LONG = Boolean.getBoolean("diperf.long");

    private static final long SECOND = 1_000_000_000L;
    private static final long MILLI = 1_000_000;

    /** By how much exchanges over links miss the middle of their round trip: a busy machine holds up either way. */
    private static final double CLOCK_MICROS = LONG ? 600 : 4_000;

    @TempDir
    Path work;

    private EmulatedExperiment far;

    @BeforeEach
    void makeExperiment() throws Exception {
        far = new EmulatedExperiment(work);
    }

    @Tag("quick")
    @Test
    @NeedsCalmMachine
    void theRoundTripIsThatOfTheLinks() throws Exception {
        far.write(1, "{ clients: 2, run-for: 6s, think: 10ms }");
        far.passes();
        // 30 ms, and what two hosts, four packets of 0.1 ms and a server take.
        assertThat(far.median()).isBetween(30.0, LONG ? 31.5 : 120);
        assertThat(far.log())
                .contains("tester-1 joined from client-1", "tester-2 joined from client-2", "3 hosts, 3 links")
                .containsPattern("emulated network: [0-9]+ packets, late by")
                .containsPattern("link bone from r to server: [0-9]+ packets, [0-9]+ bytes sent, 0 lost");
    }

    @Test
    @NeedsCalmMachine
    void theRateIsThatOfTheSlowestLink() throws Exception {
        far.write(12_500_000, "{ clients: 1, run-for: 12s }");
        far.passes("--set", "testbed.testers=1");
        // Packets of 1,500 bytes carry 1,448: 1.036 s at 100 Mbit/s, and a round trip; some more while the window
        // grows.
        assertThat(far.median()).isBetween(1_036.0 + 30, (LONG ? 1.03 : 4) * (1_036 + 30));
    }

    @Test
    @NeedsCalmMachine
    void linksChangeAtTheirInstants() throws Exception {
        far.write(1, "{ clients: 2, run-for: 10s, think: 10ms, timeout: 20s }");
        far.replace(
                "  place:",
                String.join(
                        "\n  ",
                        "  events:",
                        "  - { at: 2s, link: bone, latency: 52ms }",
                        "  - { at: 4s, link: bone, down: true }",
                        "  - { at: 7s, link: bone, down: false, latency: 12ms }",
                        "  - { at: 30s, link: bone, down: true }",
                        "place:"));
        far.passes();
        RunFolder run = new RunFolder(far.folder());
        List<Long> changes = new ArrayList<>();
        JsonNode record =
                JsonMapper.shared().readTree(Files.readAllBytes(far.folder().resolve("run.json")));
        for (JsonNode event : record.get("events")) {
            if (event.get("isChange").asBoolean()) {
                changes.add(event.get("atNanos").asLong());
            }
        }
        assertThat(changes).as("instants of changes").hasSize(3);
        List<Long> declared = List.of(2 * SECOND, 4 * SECOND, 7 * SECOND);
        for (int i = 0; i < changes.size(); i++) {
            assertThat(changes.get(i)).isBetween(declared.get(i), declared.get(i) + SECOND / 2);
        }
        assertThat(far.log()).contains("link bone: latency 52ms", "link bone: down", "link bone: up, latency 12ms");
        String late = "'link bone: down' at 30s will have no effect: the load ends at 10s";
        assertThat(far.log()).contains(late);
        assertThat(run.summary().get("warnings").toString()).contains(late);
        long start = record.get("startNanos").asLong();
        int slowed = 0;
        for (RunFolder.RecordedCall call : run.callsByName().values()) {
            long from = call.intendedNanos() - start;
            long to = from + call.latencyNanos();
            assertThat(call.latencyNanos()).as("shorter than the way: " + call).isGreaterThanOrEqualTo(30 * MILLI);
            if (from > changes.get(0) + SECOND / 10 && to < changes.get(1) - SECOND / 10) {
                slowed++;
                assertThat(call.latencyNanos())
                        .as("shorter than the changed way: " + call)
                        .isGreaterThanOrEqualTo(110 * MILLI);
            }
            // What was on its way at the cut may be read late.
            assertThat(to > changes.get(1) + SECOND && to < changes.get(2))
                    .as("answered during the cut: " + call)
                    .isFalse();
        }
        assertThat(slowed).as("calls over the changed way").isPositive();
        assertThat(Files.readString(far.folder().resolve("report.html"))).contains("the testbed was changed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"controller", "guard"})
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    void nothingIsLeftOfARunOfWhichOneIsKilled(String what) throws Exception {
        nothingIsLeft(what);
    }

    @Test
    void nothingIsLeftOfARunThatIsKilled() throws Exception {
        nothingIsLeft("both");
    }

    private void nothingIsLeft(String what) throws Exception {
        far.write(1, "{ clients: 2, run-for: 120s, think: 10ms }");
        Set<String> before = EmulatedExperiment.devices();
        try (Command diperf = far.run()) {
            far.awaitStart();
            Set<Long> processes = EmulatedExperiment.descendants(diperf);
            Set<String> made = EmulatedExperiment.devicesBut(before);
            assertThat(networks(processes)).as("the engine's and three hosts'").hasSize(4);
            assertThat(made).isNotEmpty();
            ProcessHandle guard = diperf.process()
                    .children()
                    .filter(child -> child.info().commandLine().orElse("").contains("unshare"))
                    .findFirst()
                    .orElseThrow();
            if (!what.equals("guard")) {
                diperf.process().toHandle().destroyForcibly();
            }
            if (!what.equals("controller")) {
                guard.destroyForcibly();
            }
            EmulatedExperiment.awaitGone(
                    processes, what.equals("guard") ? diperf.process().pid() : -1);
            // It goes with the engine's network, which nothing holds but processes.
            EmulatedExperiment.awaitGone(made);
        }
    }

    @Test
    void anInterruptedRunIsReportedAndLeavesNothing() throws Exception {
        far.write(1, "{ clients: 2, run-for: 120s, think: 10ms }");
        Set<String> before = EmulatedExperiment.devices();
        try (Command diperf = far.run()) {
            far.awaitStart();
            Set<String> made = EmulatedExperiment.devicesBut(before);
            Set<Long> processes = EmulatedExperiment.descendants(diperf);
            SlurmCluster.await("the first call", far::hasCalls);
            new ProcessBuilder("kill", "-INT", Long.toString(diperf.process().pid()))
                    .start()
                    .waitFor();
            assertThat(diperf.exitCode()).as(diperf.output()).isEqualTo(130);
            EmulatedExperiment.awaitGone(processes, -1);
            EmulatedExperiment.awaitGone(made);
        }
        assertThat(new RunFolder(far.folder()).calls("ok")).isPositive();
    }

    @Test
    @NeedsCalmMachine
    void clocksThatAreSetRightOverUnevenLinksAreWithinTheirBounds() throws Exception {
        clocksAreWithinTheirBounds(30);
    }

    @Test
    @NeedsCalmMachine
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    void clocksThatAreSetRightOverEvenLinksAreRight() throws Exception {
        clocksAreWithinTheirBounds(10);
    }

    private void clocksAreWithinTheirBounds(int latencyBack) throws Exception {
        far.write(1, "{ clients: 2, run-for: 11s, think: 10ms }", """
                hosts: { client: { count: 2 }, server: {}, head: {} }
                routers: [ r ]
                links:
                  - { between: [client, r], latency: 1ms }
                  - { between: [r, server], latency: 1ms }
                  - { name: control, between: [head, r], rate: 100Mbit/s, latency: 9ms, back: { latency: BACK } }
                control: in-band
                place: { service: server, testers: client, controller: head }
                """.replace("BACK", latencyBack - 1 + "ms"));
        far.passes();
        // The calls take the way between tester and service alone.
        assertThat(far.median()).isBetween(4.0, LONG ? 6.0 : 60);
        assertThat(far.log()).containsPattern("link control from head to r: [0-9]{2,} packets");
        List<ClockTruth.Errors> errors = ClockTruth.read(far.folder()).errors(tester -> local -> local);
        assertThat(errors).hasSize(2);
        double half = (latencyBack - 10) * 1_000 / 2.0;
        for (ClockTruth.Errors each : errors) {
            assertThat(each.outside()).as(each.toString()).isZero();
            assertThat(each.percentile(0.5)).as(each.toString()).isCloseTo(half, within(CLOCK_MICROS));
            // Nothing is known of the way but its round trip.
            assertThat(each.boundMicros()).isGreaterThan((latencyBack + 10) * 1_000 / 2.0 - CLOCK_MICROS);
        }
    }

    @Test
    void aNetworkWhoseEngineIsStarvedMakesTheRunSuspect() throws Exception {
        far.write(1, "{ clients: 2, run-for: 6s, think: 5ms }");
        try (Command diperf = far.run()) {
            far.awaitStart();
            ProcessHandle engine = diperf.process()
                    .descendants()
                    .filter(each -> each.info().commandLine().orElse("").contains("emulated.cli.EngineMain"))
                    .filter(each -> each.children().findAny().isEmpty())
                    .findFirst()
                    .orElseThrow();
            // It gets half of the time, in pieces that are as long as the round trip.
            String starve = "while kill -STOP $0; do sleep 0.03; kill -CONT $0; sleep 0.03; done";
            Process starving = new ProcessBuilder("sh", "-c", starve, Long.toString(engine.pid()))
                    .redirectErrorStream(true)
                    .redirectOutput(work.resolve("starve.log").toFile())
                    .start();
            assertThat(diperf.exitCode()).as(diperf.output()).isIn(0, 3);
            assertThat(starving.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(diperf.output()).contains("the emulated network delivered packets late", "SUSPECT");
        }
        JsonNode summary = far.summary();
        assertThat(summary.get("verdict").asString()).isEqualTo("suspect");
        assertThat(EmulatedExperiment.number(summary, "lateness.p99")).isGreaterThan(3);
        assertThat(EmulatedExperiment.number(summary, "shortestRoundTrip")).isEqualTo(30);
    }

    @Test
    void withoutTheDeviceTheRunIsRefused() throws Exception {
        far.write(1, "{ clients: 2, run-for: 2s }");
        List<String> command =
                Command.commandLine(Command.controllerJar(), "run", "--no-report", "far.yml", "--no-progress");
        String hidden = "mount -t tmpfs none /dev/net && exec \"$@\"";
        List<String> without = Stream.concat(
                        Stream.of("unshare", "--mount", "sh", "-c", hidden, "sh"), command.stream())
                .toList();
        try (Command diperf = Command.start(work, without)) {
            assertThat(diperf.exitCode()).as(diperf.output()).isEqualTo(3);
            assertThat(diperf.output()).contains("needs " + EmulatedExperiment.TUN, "modprobe tun");
        }
    }

    @Tag("quick")
    @Test
    void checkShowsTheNetwork() throws Exception {
        far.write(1, "{ clients: 2, run-for: 2s }");
        try (Command diperf = Command.diperf(work, "check", "far.yml")) {
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
            assertThat(diperf.output())
                    .contains(
                            "hosts client-1 to client-2, 10.99.0.1 to 10.99.0.2, site wan, for testers",
                            "link bone: r – server, 100Mbit/s, 12ms, queue 1000 packets",
                            "way from each client to server: 2 links, round trip 30ms");
        }
        try (Command diperf = Command.diperf(work, "check", "far.yml", "--call")) {
            assertThat(diperf.exitCode()).as(diperf.output()).isEqualTo(2);
            assertThat(diperf.output()).contains("--call sends its call from this machine");
        }
    }

    /** Returns the network namespaces of processes, without this one's. */
    private static Set<String> networks(Set<Long> processes) throws IOException {
        Set<String> networks = new HashSet<>();
        for (long process : processes) {
            try {
                networks.add(Files.readSymbolicLink(Path.of("/proc", Long.toString(process), "ns/net"))
                        .toString());
            } catch (IOException e) {
                // It has ended meanwhile.
                continue;
            }
        }
        networks.remove(Files.readSymbolicLink(Path.of("/proc/self/ns/net")).toString());
        return networks;
    }
}
