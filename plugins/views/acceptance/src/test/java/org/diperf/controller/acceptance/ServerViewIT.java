package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.diperf.controller.quickstart.WaitingService;
import org.diperf.core.ports.FreePorts;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What clients saw next to what a real nginx, Linux, sshd, gmond and node_exporter say. */
@Tag("alone")
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class ServerViewIT {

    private static final long MILLI = 1_000_000;

    @TempDir
    Path work;

    @Test
    void clientsAndTheServersOwnLogSeeTheSame(TestReporter reporter) throws Exception {
        Compared compared = compared(new Load(10, 4, 15 * MILLI, 25 * MILLI, 2), reporter);
        JsonNode summary = compared.summary();
        if (summary.path("verdict").asString().equals("valid")) {
            // A second of a busy machine does not tell more exactly than its own floor.
            assertThat(compared.aboveFloorMs())
                    .isCloseTo(compared.servedMs(), within(compared.allowedMs() + compared.floorMs()));
        }
        JsonNode server = summary.path("server").path("server");
        assertThat(server.path("cpu").path("mean").asDouble()).isBetween(0.0005, 2.0);
        assertThat(server.path("memory").path("mean").asDouble()).isBetween(5e5, 1e9);
        JsonNode host = summary.path("server").path("host");
        assertThat(host.path("cpu").path("mean").asDouble())
                .isGreaterThan(server.path("cpu").path("mean").asDouble());
        assertThat(host.has("memory")).isFalse();
        assertThat(Files.readAllLines(work.resolve("out/series.csv")).get(0))
                .contains(",server.cpu_cores,")
                .contains(",server.host.cpu_cores,");
        assertThat(work.resolve("out/figures/client-server-log.png")).exists();
        assertThat(work.resolve("out/figures/server-server.svg")).exists();
        assertThat(Files.readString(work.resolve("out/report.html"))).contains("<h2 id=\"server\">");
    }

    @Test
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    void aboveItsFloorTheClientsMeanTimeIsWithinAPercentOfTheLogs(TestReporter reporter) throws Exception {
        Compared compared = compared(new Load(8, 40, 15 * MILLI, 25 * MILLI, 0.5), reporter);
        assertThat(compared.aboveFloorMs()).isCloseTo(compared.servedMs(), within(compared.allowedMs()));
        JsonNode demand = compared.summary().path("demand").path("server").path("demandMillis");
        assertThat(demand.path("value").asDouble())
                .isBetween(demand.path("low").asDouble(), demand.path("high").asDouble())
                .isBetween(0.001, 10.0);
    }

    /**
     * Clients that ask for as long as each lives, and what the service behind nginx takes, evenly spread.
     *
     * @param allowedPercent between the two throughputs. A pause of 20 ms at the edge of a second moves every client's call into
     *     the next one: of a run of four seconds that is 1 %, of one of forty 0.1 %.
     */
    private record Load(int clients, int seconds, long fromNanos, long toNanos, double allowedPercent) {}

    /** Mean times of the requests that were held: the clients', those of the ones that were not, and nginx's. */
    private record Compared(JsonNode summary, double heldMs, double floorMs, double servedMs) {

        double aboveFloorMs() {
            return heldMs - floorMs;
        }

        double allowedMs() {
            return Math.max(0.01 * heldMs, 0.05);
        }
    }

    /**
     * Every tenth call of a client goes to what nginx answers in the turn in which it came, of which its log says 0.000: what
     * clients wait for that is their own part, the kernel's, and nginx's last turn. The others are held by a service behind nginx
     * for times that are spread over whole milliseconds, so that what the log's milliseconds cut off averages out.
     */
    private Compared compared(Load load, TestReporter reporter) throws Exception {
        assumeTrue(Command.installed("nginx"), "nginx is not installed: apt-get install nginx-light");
        try (WaitingService held = new WaitingService(100, load.fromNanos(), load.toNanos(), 7);
                Nginx nginx = Nginx.start(
                        work,
                        "$msec $status $bytes_sent $request_time $uri",
                        "location ~ [1-9]$ { proxy_pass http://" + held.uri().authority()
                                + "; proxy_http_version 1.1; }")) {
            Files.writeString(work.resolve("view.yml"), """
                    name: view
                    target: %s
                    client: { with: { path: "/${client}-${call}" } }
                    testbed: { kind: local }
                    load: { clients: %d, start-every: 50ms, run-for: %ds }
                    monitors:
                      - { kind: process, command: "nginx .*%s", period: 500ms }
                      - { kind: host, metrics: [cpu, "network.*"] }
                      - { kind: log, path: %s, name: log, format: "$msec $status $bytes_sent $request_time $uri" }
                    """.formatted(
                            nginx.url("/"),
                            load.clients(),
                            load.seconds(),
                            work.resolve("nginx.conf"),
                            work.resolve("access.log")));
            JsonNode summary = run("view.yml");
            Map<String, Double> logged = nginx.stopAndReadLog().stream()
                    .map(line -> line.split(" "))
                    .collect(Collectors.toMap(words -> words[4].substring(1), words -> Double.valueOf(words[3])));
            Map<String, RunFolder.RecordedCall> calls = new RunFolder(work.resolve("out")).callsByName();
            assertThat(calls).hasSize(logged.size()).containsOnlyKeys(logged.keySet());
            double servedMs = mean(calls, true, name -> 1e3 * logged.getOrDefault(name, Double.NaN));
            double heldMs = mean(calls, true, name -> calls.get(name).latencyNanos() / 1e6);
            double floorMs = mean(calls, false, name -> calls.get(name).latencyNanos() / 1e6);

            JsonNode log = summary.path("serverLog").path("log");
            String seen = "held " + heldMs + " ms, at once " + floorMs + " ms, nginx " + servedMs + " ms, " + log;
            reporter.publishEntry("seen", seen);
            assertThat(log.path("requests").asLong()).isGreaterThan(300);
            assertThat(log.path("ok").asLong())
                    .isEqualTo(summary.path("calls").path("ok").asLong());
            assertThat(log.path("missing").asLong()).isZero();
            // Ends that fall into another second because the generator lacked its processors, which it says.
            boolean valid = summary.path("verdict").asString().equals("valid");
            assertThat(log.path("throughputDifferencePercent").asDouble())
                    .as(seen)
                    .isLessThanOrEqualTo(valid ? load.allowedPercent() : 3);
            return new Compared(summary, heldMs, floorMs, servedMs);
        }
    }

    private static double mean(Map<String, ?> calls, boolean held, ToDoubleFunction<String> of) {
        return calls.keySet().stream()
                .filter(name -> name.endsWith("0") != held)
                .mapToDouble(of)
                .average()
                .orElseThrow();
    }

    @Test
    void otherMachinesAreSeenBySshGangliaAndPrometheusAndWhatCannotBeReachedIsNamed() throws Exception {
        boolean ssh = Files.isExecutable(Path.of("/usr/sbin/sshd")) && Command.installed("ssh-keygen");
        boolean ganglia = Command.installed("gmond");
        boolean prometheus = Command.installed("prometheus-node-exporter");
        assumeTrue(
                ssh || ganglia || prometheus,
                "nothing is installed that tells: apt-get install openssh-server ganglia-monitor"
                        + " prometheus-node-exporter");
        StringBuilder monitors = new StringBuilder("""
                  - { kind: host, name: host, period: 250ms }
                  - { kind: process, name: no-process, port: 9 }
                  - { kind: log, name: no-log, path: %s }
                  - { kind: prometheus, name: no-prometheus, url: "http://127.0.0.1:9/metrics" }
                  - { kind: ganglia, name: no-ganglia, port: 9 }
                """.formatted(work.resolve("no.log")));
        Path key = ssh ? Sshd.userKey(work) : work;
        try (Sshd sshd = ssh ? Sshd.start(work, "127.0.0.2", key) : null;
                Command gmond = ganglia ? gmond(monitors) : null;
                Command exporter = prometheus ? exporter(monitors) : null;
                WaitingService held = new WaitingService(10, MILLI, MILLI, 7)) {
            if (sshd != null) {
                Files.writeString(work.resolve("known_hosts"), sshd.knownHostsLine());
                String with = "key: %s, known-hosts: %s, period: 250ms".formatted(key, work.resolve("known_hosts"));
                monitors.append("  - { kind: ssh-host, host: \"%s\", %s }\n".formatted(sshd.name(), with));
                monitors.append("  - { kind: ssh-host, name: no-ssh, host: \"127.0.0.1:9\", %s }\n".formatted(with));
            }
            Files.writeString(
                    work.resolve("far.yml"),
                    "name: far\ntarget: %s\ntestbed: { kind: in-process }\nload: { clients: 2, run-for: 3s }\nmonitors:\n%s"
                            .formatted(held.uri(), monitors));
            JsonNode summary = run("far.yml");
            JsonNode server = summary.path("server");
            assertThat(summary.path("calls").path("failed").asLong()).isZero();
            String warnings = summary.path("warnings").toString();
            assertThat(warnings)
                    .contains("monitor 'no-process' (process)")
                    .contains("monitor 'no-log' (log)")
                    .contains("monitor 'no-prometheus' (prometheus) returned 0 of")
                    .contains("expected metrics from http://127.0.0.1:9/metrics, got: no connection")
                    .contains("monitor 'no-ganglia' (ganglia) returned 0 of")
                    .contains("expected gmond at 127.0.0.1:9, got: Connection refused");
            double cores = mean(server, "host", "cpu");
            double memory = mean(server, "host", "memory");
            assertThat(cores).isBetween(0.01, mean(server, "host", "cores"));
            if (sshd != null) {
                assertThat(warnings).contains("monitor 'no-ssh' (ssh-host)");
                // The same machine, looked at in another way at other instants.
                assertThat(mean(server, "ssh-host", "cpu")).isCloseTo(cores, within(0.4));
                assertThat(mean(server, "ssh-host", "memory")).isCloseTo(memory, withinPercentage(10));
                assertThat(mean(server, "ssh-host", "network.lo.in")).isPositive();
            }
            if (gmond != null) {
                assertThat(mean(server, "ganglia", "load_one")).isNotNegative();
                assertThat(mean(server, "ganglia", "cores")).isEqualTo(mean(server, "host", "cores"));
                assertThat(mean(server, "ganglia", "memory")).isBetween(0.2 * memory, 2 * memory);
            }
            if (exporter != null) {
                double busy = cores + mean(server, "host", "cpu.iowait") + mean(server, "host", "cpu.steal");
                assertThat(mean(server, "prometheus", "node_cpu_seconds_total{mode!=idle}"))
                        .isCloseTo(busy, within(0.4));
                double total = mean(server, "host", "memory.total");
                assertThat(total - mean(server, "prometheus", "node_memory_MemAvailable_bytes"))
                        .isCloseTo(memory, withinPercentage(10));
                assertThat(mean(server, "prometheus", "memory")).isBetween(1e6, 1e9);
            }
        }
    }

    private static double mean(JsonNode server, String monitor, String metric) {
        return server.path(monitor).path(metric).path("mean").asDouble(Double.NaN);
    }

    /** Starts Prometheus' own exporter of a host, and waits until it listens. */
    private Command exporter(StringBuilder monitors) throws Exception {
        int port = FreePorts.take();
        Command exporter = Command.start(
                work,
                List.of(
                        "prometheus-node-exporter",
                        "--web.listen-address=127.0.0.1:" + port,
                        "--collector.disable-defaults",
                        "--collector.cpu",
                        "--collector.meminfo"));
        exporter.awaitOutput(output -> output.contains("Listening on") || output.contains("listening"));
        monitors.append("  - { kind: prometheus, name: prometheus, url: \"http://127.0.0.1:%d/metrics\", period: 250ms,"
                .formatted(port));
        monitors.append(" select: [\"node_cpu_seconds_total{mode!=\\\"idle\\\"}\", node_memory_MemAvailable_bytes,"
                + " \"process_*\"] }\n");
        return exporter;
    }

    /** Starts a gmond that measures each second, and waits until it tells. */
    private Command gmond(StringBuilder monitors) throws Exception {
        int port = FreePorts.take();
        String modules;
        try (Stream<Path> files = Files.walk(Path.of("/usr/lib"), 3)) {
            Path folder = files.filter(file -> file.endsWith("ganglia/modcpu.so"))
                    .findFirst()
                    .orElseThrow()
                    .getParent();
            modules = List.of("cpu", "mem", "load").stream()
                    .map(name -> "module { name = \"%1$s_module\" path = \"%2$s/mod%1$s.so\" }".formatted(name, folder))
                    .collect(java.util.stream.Collectors.joining("\n"));
        }
        String metrics = Stream.of("cpu_idle", "mem_total", "mem_free", "mem_cached", "mem_buffers", "load_one")
                .map(name -> "metric { name = \"" + name + "\" value_threshold = 0 }")
                .collect(java.util.stream.Collectors.joining("\n"));
        Path file = Files.writeString(work.resolve("gmond.conf"), """
                globals { daemonize = no setuid = no mute = no deaf = no send_metadata_interval = 1 }
                cluster { name = "test" }
                udp_send_channel { host = 127.0.0.1 port = %1$d }
                udp_recv_channel { bind = 127.0.0.1 port = %1$d }
                tcp_accept_channel { bind = 127.0.0.1 port = %1$d }
                modules {
                %2$s
                }
                collection_group { collect_every = 1 time_threshold = 1
                %3$s
                }
                collection_group { collect_once = yes time_threshold = 1 metric { name = "cpu_num" } }
                """.formatted(port, modules, metrics));
        Command gmond = Command.start(work, List.of("sh", "-c", "PATH=$PATH:/usr/sbin exec gmond -c " + file));
        monitors.append("  - { kind: ganglia, name: ganglia, port: %d }\n".formatted(port));
        return gmond;
    }

    private JsonNode run(String file) throws Exception {
        try (Command diperf = Command.diperf(
                work,
                "run",
                work.resolve(file).toString(),
                "--out",
                work.resolve("out").toString())) {
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
        }
        return new RunFolder(work.resolve("out")).summary();
    }
}
