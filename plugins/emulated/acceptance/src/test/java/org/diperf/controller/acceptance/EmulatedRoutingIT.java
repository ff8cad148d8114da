package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Routers of an emulated network that find the ways themselves: what clients feel of a cut is what the routers take. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class EmulatedRoutingIT {

    private static final boolean LONG = Boolean.getBoolean("diperf.long");
    private static final double MILLI = 1e6;

    /** The outage is the longer one by nature: by the 5 ms that calls are apart, and a new connection's two round trips of 10 ms. */
    private static final double CLOSE_MILLIS = 100;

    @TempDir
    Path work;

    private EmulatedExperiment ring;

    @BeforeEach
    void makeExperiment() throws Exception {
        ring = new EmulatedExperiment(work);
        assumeTrue(Command.installed("bird") || Files.isExecutable(Path.of("/usr/sbin/bird")), "needs bird (bird2)");
    }

    /** @param last the router of the server */
    private void write(String routing, String last, String events, String load) throws Exception {
        ring.write(1, load, """
                hosts: { client: {}, server: {} }
                routers: [ r1, r2, r3, r4 ]
                links:
                  - { between: [client, r1], latency: 500us }
                  - { name: short, between: [r1, r2], latency: 1ms }
                  - { between: [r2, r3], latency: 1ms }
                  - { between: [r3, r4], latency: 2ms }
                  - { between: [r4, r1], latency: 2ms }
                  - { between: [LAST, server], latency: 500us }
                place: { service: server, testers: client }
                """.replace("LAST", last) + "routing: " + routing + "\nevents: [ " + events + " ]\n");
        ring.replace("testers: 2", "testers: 1");
    }

    /** Returns when a router's bird changed the way to an address for the first time after an instant, ns since 1970. */
    private double changed(String router, String address, double afterWallNanos) throws Exception {
        List<String> lines = Files.readAllLines(ring.folder().resolve("logs/bird-" + router + ".log"));
        return lines.stream()
                .filter(line -> line.matches(".* tables\\.ipv4 < (added|replaced) " + address + "/32 .*"))
                .mapToDouble(line -> Double.parseDouble(line.substring(0, line.indexOf(' '))) * 1e9)
                .filter(atNanos -> atNanos > afterWallNanos)
                .min()
                .orElseThrow(() -> new AssertionError("no new way to " + address + " in " + lines));
    }

    @ParameterizedTest
    // Over as many systems both ways to r3 are equally good, and connections that take the other one feel no cut.
    @CsvSource(delimiter = '|', textBlock = """
                    ospf                         | r3
                    { protocol: bgp, hold: 3s }  | r2
                    """)
    void theOutageOfClientsIsTheTimeThatRoutersTake(String routing, String last) throws Exception {
        assumeTrue(LONG || routing.equals("ospf"), "one protocol is enough for a short check");
        write(
                routing,
                last,
                "{ at: 2s, link: short, down: true }",
                "{ open: { rate: 200/s, for: 10s, timeout: 300ms, max-in-flight: 100 } }");
        try (Command diperf = ring.run()) {
            // Calls have failed, which is what is looked at.
            assertThat(diperf.exitCode()).as(diperf.output()).isIn(0, 3);
            assertThat(diperf.output())
                    .containsPattern(
                            "routing +link short: down at 2.0[0-9]* s: clients went without an answer for at most");
        }
        JsonNode reroutings =
                EmulatedExperiment.annex(ring.summary()).get("tables").get("reroutings");
        assertThat(reroutings).hasSize(1);
        JsonNode cut = reroutings.get(0);
        assertThat(cut.get("broke").asString()).isEqualTo("yes");
        double outage = cut.get("outage").asDouble();
        double restored = cut.get("restored").asDouble();
        assertThat(outage).as(cut.toString()).isBetween(500.0, 8_000.0);
        assertThat(outage).as(cut.toString()).isCloseTo(restored, within(CLOSE_MILLIS));
        // And by bird's own log: both routers that clients and server are linked to know the other way.
        JsonNode record =
                JsonMapper.shared().readTree(Files.readAllBytes(ring.folder().resolve("run.json")));
        double startWall = Instant.parse(record.get("startedAt").asString()).toEpochMilli() * MILLI;
        double cutWall = startWall + cut.get("at").asDouble() * MILLI;
        double converged = Math.max(changed("r1", "10.99.0.2", cutWall), changed(last, "10.99.0.1", cutWall));
        assertThat((converged - cutWall) / MILLI).as(cut.toString()).isCloseTo(outage, within(CLOSE_MILLIS));
        assertThat(ring.log())
                .contains("r1 has lost r2 on link short", "r2 has lost r1 on link short")
                .contains(last + " has changed ");
        assertThat(Files.readString(ring.folder().resolve("report.html")))
                .contains("r1 has lost r2 on link short", "link short: down at 2.0");
    }

    @Test
    void whereTheCarrierIsLostRoutersNeedNoHellos() throws Exception {
        assumeTrue(LONG, "one way of seeing a cut is enough for a short check");
        write(
                "{ protocol: ospf, detect: carrier, hello: 2s, dead: 40s }",
                "r3",
                "{ at: 2s, link: short, down: true }, { at: 5s, link: short, down: false }",
                "{ open: { rate: 50/s, for: 14s, timeout: 300ms, max-in-flight: 100 } }");
        try (Command diperf = ring.run()) {
            assertThat(diperf.exitCode()).as(diperf.output()).isIn(0, 3);
        }
        JsonNode cut = EmulatedExperiment.annex(ring.summary())
                .get("tables")
                .get("reroutings")
                .get(0);
        // Routers look at what has changed once a second.
        assertThat(cut.get("restored").asDouble()).as(cut.toString()).isLessThan(3_500);
        assertThat(ring.log()).contains("r1 has lost r2 on link short", "r1 has found r2 on link short");
    }

    @Test
    void routersThatFindNoWaysAreNamedAndNothingIsLeft() throws Exception {
        assumeTrue(LONG, "takes the time that routers are given");
        write("ospf", "r3", "{ at: 1s, link: short, down: true }", "{ clients: 1, run-for: 2s }");
        // Hellos do not get through.
        ring.replace("between: [r2, r3]", "loss: 0.99999, between: [r2, r3]");
        ring.replace("between: [r3, r4]", "loss: 0.99999, between: [r3, r4]");
        Set<String> before = EmulatedExperiment.devices();
        try (Command diperf = ring.run()) {
            assertThat(diperf.exitCode()).as(diperf.output()).isEqualTo(3);
            assertThat(diperf.output())
                    .contains("did not find routes within", "r2 and r3 on link r2-r3 are not neighbors yet")
                    .contains("logs/bird-*.log");
        }
        EmulatedExperiment.awaitGone(EmulatedExperiment.devicesBut(before));
    }

    @Test
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    void nothingIsLeftOfBirdsWhenControllerAndGuardAreKilled() throws Exception {
        write("ospf", "r3", "{ at: 100s, link: short, down: true }", "{ clients: 1, run-for: 120s, think: 10ms }");
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
