package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.diperf.core.ports.FreePorts;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Emulated networks: as far and as slow as they are declared, and gone with the run, whatever ends it. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class EmulatedIT {

    private static final Path TUN = Path.of("/dev/net/tun");

    private static final Path CPU_GROUPS = Path.of("/sys/fs/cgroup/cpu");

    private static final boolean LONG = Boolean.getBoolean("diperf.long");

    private static final long SECOND = 1_000_000_000L;

    /** A file of samples without any is smaller. */
    private static final long HEADER_BYTES = 100;

    @TempDir
    Path work;

    private int port;

    @BeforeEach
    void takePort() throws Exception {
        needs();
        port = FreePorts.take();
    }

    /** Skips a test that wants an emulated network where none can be made. */
    static void needs() {
        assumeTrue("root".equals(System.getProperty("user.name")), "needs root");
        assumeTrue(Files.isWritable(TUN), "needs " + TUN);
        for (String program : List.of("setsid", "unshare", "nsenter", "ip")) {
            assumeTrue(Command.installed(program), "needs " + program);
        }
    }

    /**
     * Writes an experiment with two clients whose round trip to the server is 30 ms, over 100 Mbit/s.
     *
     * @param bytes of each answer
     */
    private void experiment(int bytes, String load) throws Exception {
        Files.writeString(
                work.resolve("far.yml"),
                "target: http://server:" + port + "/" + bytes + "\nservice: { start: '" + PageService.command(port)
                        + "' }\n" + """
                        seed: 5
                        testbed:
                          kind: emulated
                          testers: 2
                          hosts: { client: { count: 2, site: wan }, server: {} }
                          routers: [ r ]
                          links:
                            - { between: [client, r], rate: 1Gbit/s, latency: 3ms }
                            - { name: bone, between: [r, server], rate: 100Mbit/s, latency: 12ms }
                          place: { service: server, testers: client }
                        """ + "load: " + load + "\n");
    }

    private Command run() throws Exception {
        return Command.diperf(work, "run", "far.yml", "--out", "out", "--no-progress");
    }

    private String runLog() throws IOException {
        Path log = work.resolve("out/run.log");
        return Files.exists(log) ? Files.readString(log) : "";
    }

    /** Returns the median response time of the whole run, in milliseconds. */
    private double median() throws Exception {
        JsonNode summary = new RunFolder(work.resolve("out")).summary();
        assertThat(summary.get("calls").get("failed").asLong()).isZero();
        return summary.get("responseTime").get("p50").asDouble();
    }

    @Test
    @NeedsCalmMachine
    void theRoundTripIsThatOfTheLinks() throws Exception {
        experiment(1, "{ clients: 2, run-for: 6s, think: 10ms }");
        try (Command diperf = run()) {
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
        }
        // 30 ms, and what two hosts, four packets of 0.1 ms and a server take.
        assertThat(median()).isBetween(30.0, LONG ? 31.5 : 60);
        assertThat(runLog())
                .contains("tester-1 joined from client-1", "tester-2 joined from client-2", "3 hosts, 3 links")
                .containsPattern("emulated network: [0-9]+ packets, late by")
                .containsPattern("link bone from r to server: [0-9]+ packets, [0-9]+ bytes sent, 0 lost");
    }

    @Test
    @NeedsCalmMachine
    void theRateIsThatOfTheSlowestLink() throws Exception {
        experiment(12_500_000, "{ clients: 1, run-for: 12s }");
        try (Command diperf =
                Command.diperf(work, "run", "far.yml", "--out", "out", "--no-progress", "--set", "testbed.testers=1")) {
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
        }
        // Packets of 1,500 bytes carry 1,448: 1.036 s at 100 Mbit/s, and a round trip; some more while the window
        // grows.
        assertThat(median()).isBetween(1_036.0 + 30, (LONG ? 1.03 : 2) * (1_036 + 30));
    }

    @Test
    @NeedsCalmMachine
    void linksChangeAtTheirInstants() throws Exception {
        experiment(1, "{ clients: 2, run-for: 9s, think: 10ms, timeout: 20s }");
        Path file = work.resolve("far.yml");
        String events = String.join(
                "\n  ",
                "  events:",
                "  - { at: 2s, link: bone, latency: 52ms }",
                "  - { at: 4s, link: bone, down: true }",
                "  - { at: 6s, link: bone, down: false, latency: 12ms }",
                "  - { at: 30s, link: bone, down: true }",
                "place:");
        Files.writeString(file, Files.readString(file).replace("  place:", events));
        try (Command diperf = run()) {
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
        }
        RunFolder run = new RunFolder(work.resolve("out"));
        List<Long> changes = new ArrayList<>();
        JsonNode record = JsonMapper.shared().readTree(Files.readAllBytes(work.resolve("out/run.json")));
        for (JsonNode event : record.get("events")) {
            if (event.get("isChange").asBoolean()) {
                changes.add(event.get("atNanos").asLong());
            }
        }
        assertThat(changes).as("instants of changes").hasSize(3);
        for (int i = 0; i < changes.size(); i++) {
            assertThat(changes.get(i)).isBetween((2L + 2 * i) * SECOND, (2L + 2 * i) * SECOND + SECOND / 2);
        }
        assertThat(runLog()).contains("link bone: latency 52ms", "link bone: down", "link bone: up, latency 12ms");
        String late = "'link bone: down' at 30s will not be seen: the load ends at 9s";
        assertThat(runLog()).contains(late);
        assertThat(run.summary().get("warnings").toString()).contains(late);
        for (RunFolder.RecordedCall call : run.callsByName().values()) {
            long from = call.intendedNanos() - SECOND / 10;
            long to = call.intendedNanos() + call.latencyNanos() + SECOND / 10;
            long least = from > changes.get(0) && to < changes.get(1) ? 110 : 30;
            assertThat(call.latencyNanos()).isGreaterThanOrEqualTo(least * 1_000_000);
            assertThat(to > changes.get(1) + SECOND / 4 && to < changes.get(2))
                    .as("answered during the cut: " + call)
                    .isFalse();
        }
        assertThat(Files.readString(work.resolve("out/report.html"))).contains("the testbed was changed");
    }

    /** Adds what the service's host may use at most, and has the service note what it got before it serves. */
    private void limit(String limits) throws Exception {
        assumeTrue(Files.isWritable(CPU_GROUPS), "needs " + CPU_GROUPS + " of cgroup version 1");
        String tries = "cat /proc/self/cgroup > {}/groups; timeout 2 sh -c \"while :; do :; done\"; times > {}/times;"
                + " head -c 300000000 /dev/zero | tail > /dev/null; echo $? > {}/tail; ";
        Path file = work.resolve("far.yml");
        Files.writeString(
                file,
                Files.readString(file)
                        .replace("server: {}", "server: { " + limits + " }")
                        .replace("start: '", "start: '" + tries.replace("{}", work.toString())));
    }

    /** Names the control groups of emulated networks. */
    private static Set<String> groups() throws IOException {
        Set<String> names = new HashSet<>();
        try (Stream<Path> all = Files.list(CPU_GROUPS)) {
            all.map(each -> each.getFileName().toString())
                    .filter(name -> name.startsWith("diperf-"))
                    .forEach(names::add);
        }
        return names;
    }

    @Test
    void aHostUsesNoMoreThanItsLimits() throws Exception {
        experiment(1, "{ clients: 2, run-for: 2s, think: 10ms }");
        limit("cpu: 0.4, memory: 200MiB, disk: 20MB/s");
        Set<String> before = groups();
        try (Command diperf = run()) {
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
        }
        assertThat(Files.readString(work.resolve("groups")))
                .containsPattern("cpu.*:/.*diperf-[0-9]+-[0-9]+-[0-9]+/server");
        // Of the 2 s that it tries; processes that have ended are on the second line.
        String[] used = Files.readAllLines(work.resolve("times")).get(1).split("[ms ]+");
        assertThat(Double.parseDouble(used[1]) + Double.parseDouble(used[3])).isBetween(0.05, 1.2);
        assertThat(Files.readString(work.resolve("tail")).strip())
                .as("killed for want of memory")
                .isEqualTo("137");
        assertThat(groups()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void noGroupIsLeftOfARunThatIsKilled(boolean withItsGuard) throws Exception {
        experiment(1, "{ clients: 2, run-for: 120s, think: 10ms }");
        limit("memory: 200MiB, cpu: 2");
        Set<String> before = groups();
        try (Command diperf = run()) {
            awaitStart();
            Set<Long> processes = descendants(diperf);
            assertThat(groups()).hasSize(before.size() + 1);
            ProcessHandle guard = diperf.process()
                    .children()
                    .filter(child -> child.info().commandLine().orElse("").contains("rmdir"))
                    .findFirst()
                    .orElseThrow();
            if (withItsGuard) {
                guard.destroyForcibly();
            }
            diperf.process().toHandle().destroyForcibly();
            awaitGone(processes, -1);
        }
        if (withItsGuard) {
            assertThat(groups()).as("nobody was left to remove them").hasSize(before.size() + 1);
            experiment(1, "{ clients: 2, run-for: 1s, think: 10ms }");
            limit("cpu: 2");
            try (Command diperf = Command.diperf(work, "run", "far.yml", "--out", "next", "--no-progress")) {
                assertThat(diperf.exitCode()).as(diperf.output()).isZero();
            }
        }
        assertThat(groups()).isEqualTo(before);
    }

    @Test
    void withoutCgroupsOnlyARunWithLimitsIsRefused() throws Exception {
        experiment(1, "{ clients: 2, run-for: 1s }");
        Path file = work.resolve("far.yml");
        Files.writeString(file, Files.readString(file).replace("server: {}", "server: { cpu: 0.5 }"));
        List<String> command = Command.commandLine(Command.controllerJar(), "run", "far.yml", "--no-progress");
        List<String> without = Stream.concat(
                        Stream.of("unshare", "--mount", "sh", "-c", "umount -l -R /sys/fs/cgroup && exec \"$@\"", "sh"),
                        command.stream())
                .toList();
        try (Command diperf = Command.start(work, without)) {
            assertThat(diperf.exitCode()).as(diperf.output()).isEqualTo(3);
            assertThat(diperf.output()).contains("limits of hosts want the controller 'cpu'");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"controller", "guard", "both"})
    void nothingIsLeftOfARunThatIsKilled(String what) throws Exception {
        experiment(1, "{ clients: 2, run-for: 120s, think: 10ms }");
        Set<String> before = devices();
        try (Command diperf = run()) {
            awaitStart();
            Set<Long> processes = descendants(diperf);
            assertThat(networks(processes)).as("the engine's and three hosts'").hasSize(4);
            assertThat(devices()).hasSizeGreaterThan(before.size());
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
            awaitGone(processes, what.equals("guard") ? diperf.process().pid() : -1);
        }
        // It goes with the engine's network, which nothing holds but processes.
        SlurmCluster.await("the devices gone", () -> devices().equals(before));
    }

    @Test
    void anInterruptedRunIsReportedAndLeavesNothing() throws Exception {
        experiment(1, "{ clients: 2, run-for: 120s, think: 10ms }");
        Set<String> before = devices();
        try (Command diperf = run()) {
            awaitStart();
            Set<Long> processes = descendants(diperf);
            SlurmCluster.await("the first samples", this::hasSamples);
            new ProcessBuilder("kill", "-INT", Long.toString(diperf.process().pid()))
                    .start()
                    .waitFor();
            assertThat(diperf.exitCode()).as(diperf.output()).isEqualTo(130);
            awaitGone(processes, -1);
        }
        assertThat(new RunFolder(work.resolve("out")).calls("ok")).isPositive();
        SlurmCluster.await("the devices gone", () -> devices().equals(before));
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 30})
    @NeedsCalmMachine
    void clocksThatAreSetRightOverTheLinksAreWithinTheirBounds(int latencyBack) throws Exception {
        Files.writeString(
                work.resolve("far.yml"),
                "target: http://server:" + port + "/1\nservice: { start: '" + PageService.command(port) + "' }\n"
                        + """
                        seed: 5
                        testbed:
                          kind: emulated
                          testers: 2
                          hosts: { client: { count: 2 }, server: {}, head: {} }
                          routers: [ r ]
                          links:
                            - { between: [client, r], latency: 1ms }
                            - { between: [r, server], latency: 1ms }
                            - { name: control, between: [head, r], rate: 100Mbit/s, latency: 9ms, back: { latency: BACK } }
                          control: in-band
                          place: { service: server, testers: client, controller: head }
                        load: { clients: 2, run-for: 11s, think: 10ms }
                        """.replace("BACK", latencyBack - 1 + "ms"));
        Set<String> before = devices();
        try (Command diperf = run()) {
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
        }
        // The calls take the way between tester and service alone.
        assertThat(median()).isBetween(4.0, LONG ? 6.0 : 25);
        assertThat(runLog()).containsPattern("link control from head to r: [0-9]{2,} packets");
        List<ClockTruth.Errors> errors = ClockTruth.read(work.resolve("out")).errors(tester -> local -> local);
        assertThat(errors).hasSize(2);
        double half = (latencyBack - 10) * 1_000 / 2.0;
        for (ClockTruth.Errors each : errors) {
            assertThat(each.outside()).as(each.toString()).isZero();
            assertThat(each.percentile(0.5)).as(each.toString()).isBetween(half - 600, half + 600);
            // Nothing is known of the way but its round trip.
            assertThat(each.boundMicros()).isGreaterThan((latencyBack + 10) * 1_000 / 2.0 - 600);
        }
        assertThat(devices()).isEqualTo(before);
    }

    @Test
    void aNetworkWhoseEngineIsStarvedMakesTheRunSuspect() throws Exception {
        experiment(1, "{ clients: 2, run-for: 6s, think: 5ms }");
        try (Command diperf = run()) {
            awaitStart();
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
        JsonNode summary = new RunFolder(work.resolve("out")).summary();
        assertThat(summary.get("verdict").asString()).isEqualTo("suspect");
        assertThat(summary.get("network").get("lateness").get("p99").asDouble()).isGreaterThan(3);
        assertThat(summary.get("network").get("shortestRoundTrip").asDouble()).isEqualTo(30);
    }

    @Test
    void withoutTheDeviceTheRunIsRefused() throws Exception {
        experiment(1, "{ clients: 2, run-for: 2s }");
        List<String> command = Command.commandLine(Command.controllerJar(), "run", "far.yml", "--no-progress");
        String hidden = "mount -t tmpfs none /dev/net && exec \"$@\"";
        List<String> without = Stream.concat(
                        Stream.of("unshare", "--mount", "sh", "-c", hidden, "sh"), command.stream())
                .toList();
        try (Command diperf = Command.start(work, without)) {
            assertThat(diperf.exitCode()).as(diperf.output()).isEqualTo(3);
            assertThat(diperf.output()).contains("wants " + TUN, "modprobe tun");
        }
    }

    @Test
    void checkShowsTheNetworkAndMakesNone() throws Exception {
        experiment(1, "{ clients: 2, run-for: 2s }");
        Set<String> before = devices();
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
            assertThat(diperf.output()).contains("--call makes its call from this machine");
        }
        assertThat(devices()).isEqualTo(before);
    }

    private boolean hasSamples() throws IOException {
        try (Stream<Path> files = Files.walk(work.resolve("out/samples"))) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".dps")).toList()) {
                if (Files.size(file) > HEADER_BYTES) {
                    return true;
                }
            }
            return false;
        }
    }

    private void awaitStart() throws Exception {
        SlurmCluster.await("a run that has started", () -> runLog().contains("started;"));
    }

    private static Set<Long> descendants(Command diperf) {
        Set<Long> found = new HashSet<>();
        diperf.process().descendants().forEach(each -> found.add(each.pid()));
        return found;
    }

    /** @param but one that may go on; -1: none */
    private static void awaitGone(Set<Long> processes, long but) throws Exception {
        SlurmCluster.await(
                "all processes gone",
                () -> processes.stream()
                        .filter(process -> process != but)
                        .noneMatch(process -> Files.exists(Path.of("/proc", Long.toString(process), "ns"))));
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

    /** Names this machine's network devices of emulated networks. */
    static Set<String> devices() throws IOException {
        Set<String> names = new HashSet<>();
        try (Stream<Path> all = Files.list(Path.of("/sys/class/net"))) {
            all.map(each -> each.getFileName().toString())
                    .filter(name -> name.startsWith("dpf-"))
                    .forEach(names::add);
        }
        return names;
    }
}
