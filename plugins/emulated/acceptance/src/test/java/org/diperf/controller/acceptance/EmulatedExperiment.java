package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.diperf.core.ports.FreePorts;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.SampleReader;
import tools.jackson.databind.JsonNode;

/** The experiment file {@code far.yml} on an emulated network, its runs, and what they leave on this machine. */
final class EmulatedExperiment {

    static final Path TUN = Path.of("/dev/net/tun");

    /** Two clients whose round trip to the server is 30 ms, over 100 Mbit/s. */
    private static final String FAR = """
            hosts: { client: { count: 2, site: wan }, server: {} }
            routers: [ r ]
            links:
              - { between: [client, r], rate: 1Gbit/s, latency: 3ms }
              - { name: bone, between: [r, server], rate: 100Mbit/s, latency: 12ms }
            place: { service: server, testers: client }
            """;

    /** A run of seconds is over before the optimising compiler pays for itself. */
    private static final String TESTERS =
            Boolean.getBoolean("diperf.long") ? "" : "  jvm: [-XX:+UseSerialGC, -Xmx256m, -XX:TieredStopAtLevel=1]\n";

    private final Path work;
    private final int port;

    /**
     * Makes none yet; the test is skipped where no network can be made.
     *
     * @param work an existing folder
     */
    EmulatedExperiment(Path work) throws Exception {
        needs();
        this.work = work;
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
     * Writes it for two testers.
     *
     * @param bytes of each answer
     * @param network the testbed's keys, without its kind
     */
    void write(int bytes, String load, String network) throws Exception {
        // What is looked at is DiPerF's own engine, also where auto would take the kernel's.
        Files.writeString(
                file(),
                "target: http://server:" + port + "/" + bytes + "\nservice: { start: '" + PageService.command(port)
                        + "' }\nseed: 5\ntestbed:\n  kind: emulated\n  engine: tun\n  testers: 2\n" + TESTERS
                        + network.indent(2)
                        + "load: "
                        + load
                        + "\n");
    }

    /** Writes it with two clients whose round trip to the server is 30 ms, over 100 Mbit/s. */
    void write(int bytes, String load) throws Exception {
        write(bytes, load, FAR);
    }

    /** Changes what was written. */
    void replace(String what, String by) throws IOException {
        String written = Files.readString(file());
        assertThat(written).contains(what);
        Files.writeString(file(), written.replace(what, by));
    }

    private Path file() {
        return work.resolve("far.yml");
    }

    Path folder() {
        return work.resolve("out");
    }

    Command run(String... options) throws Exception {
        return Command.diperf(
                work,
                Stream.concat(Stream.of("run", "far.yml", "--out", "out", "--no-progress"), Stream.of(options))
                        .toArray(String[]::new));
    }

    /** Runs it to its end, which is a good one; returns what it wrote. */
    String passes(String... options) throws Exception {
        try (Command diperf = run(options)) {
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
            return diperf.output();
        }
    }

    String log() throws IOException {
        Path log = folder().resolve("run.log");
        return Files.exists(log) ? Files.readString(log) : "";
    }

    JsonNode summary() throws Exception {
        return new RunFolder(folder()).summary();
    }

    /** Returns the network's annex in a summary. */
    static JsonNode annex(JsonNode summary) {
        return summary.get("annexes").get("network");
    }

    /** Returns a number of that annex. */
    static double number(JsonNode summary, String name) {
        return annex(summary).get("numbers").get(name).get("value").asDouble();
    }

    /** Returns what that annex says of a link in one direction, {@code there} or {@code back}. */
    static JsonNode link(JsonNode summary, String name, String direction) {
        return StreamSupport.stream(annex(summary).get("tables").get("links").spliterator(), false)
                .filter(row -> row.get("link").asString().equals(name)
                        && row.get("direction").asString().equals(direction))
                .findFirst()
                .orElseThrow();
    }

    /** Returns the median response time of the whole run, in milliseconds. */
    double median() throws Exception {
        JsonNode summary = summary();
        assertThat(summary.get("calls").get("failed").asLong()).isZero();
        return summary.get("responseTime").get("p50").asDouble();
    }

    /** Returns whether calls have been stored, of whose block all is there. */
    boolean hasCalls() throws IOException {
        boolean[] has = {false};
        SampleReader.read(folder().resolve("samples"), new SampleReader.Visitor() {
            @Override
            public void block(Block header, ByteBuffer data) {
                has[0] |= header.kind() == Block.CALLS;
            }

            @Override
            public void damaged(Path file, long offset, String reason) {
                // What is being written ends within a block.
            }
        });
        return has[0];
    }

    void awaitStart() throws Exception {
        SlurmCluster.await("a run that has started", () -> log().contains("started;"));
    }

    static Set<Long> descendants(Command diperf) {
        Set<Long> found = new HashSet<>();
        diperf.process().descendants().forEach(each -> found.add(each.pid()));
        return found;
    }

    /** @param but one that may go on; -1: none */
    static void awaitGone(Set<Long> processes, long but) throws Exception {
        SlurmCluster.await(
                "all processes gone",
                () -> processes.stream()
                        .filter(process -> process != but)
                        .noneMatch(process -> Files.exists(Path.of("/proc", Long.toString(process), "ns"))));
    }

    /** Names this machine's network devices of emulated networks. */
    static Set<String> devices() throws IOException {
        return names(Path.of("/sys/class/net"), "dpf-");
    }

    /** Names those that have come since; they may be another's. */
    static Set<String> devicesBut(Set<String> before) throws IOException {
        Set<String> now = devices();
        now.removeAll(before);
        return now;
    }

    static void awaitGone(Set<String> devices) throws Exception {
        SlurmCluster.await("devices gone: " + devices, () -> Collections.disjoint(devices(), devices));
    }

    /** Returns the names in a folder that begin with something. */
    static Set<String> names(Path folder, String prefix) throws IOException {
        Set<String> names = new HashSet<>();
        try (Stream<Path> all = Files.list(folder)) {
            all.map(each -> each.getFileName().toString())
                    .filter(name -> name.startsWith(prefix))
                    .forEach(names::add);
        }
        return names;
    }
}
