package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.diperf.controller.quickstart.WaitingService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What clients saw beside what a real nginx, Linux, sshd and gmond say. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class ServerViewIT {

    private static final long MILLI = 1_000_000;

    @TempDir
    Path work;

    @Test
    void clientsAndTheServersOwnLogSeeTheSame() throws Exception {
        assumeTrue(Command.installed("nginx"), "nginx is not installed: apt-get install nginx-light");
        // Times that are spread over whole milliseconds: what a log in milliseconds cuts off averages out.
        try (WaitingService held = new WaitingService(100, 15 * MILLI, 25 * MILLI, 7);
                Nginx nginx = Nginx.start(
                        work,
                        "$msec $status $bytes_sent $request_time",
                        "location /held { proxy_pass " + held.uri() + "; proxy_http_version 1.1; }")) {
            Files.writeString(work.resolve("view.yml"), """
                    name: view
                    target: %s
                    testbed: { kind: local }
                    load: { clients: 10, start-every: 200ms, run-for: 8s }
                    monitors:
                      - { kind: process, command: "nginx .*%s", period: 500ms }
                      - { kind: host, metrics: [cpu, "network.*"] }
                      - { kind: log, path: %s, name: log }
                    """.formatted(
                            nginx.url("/held"), work.resolve("nginx.conf"), work.resolve("access.log")));
            JsonNode summary = run("view.yml");

            JsonNode log = summary.path("serverLog").path("log");
            assertThat(log.path("requests").asLong()).isGreaterThan(2_000);
            assertThat(log.path("ok").asLong())
                    .isEqualTo(summary.path("calls").path("ok").asLong());
            assertThat(log.path("missing").asLong()).isZero();
            assertThat(log.path("throughputDifferencePercent").asDouble()).isLessThanOrEqualTo(0.5);
            double response =
                    summary.path("measured").path("responseTime").path("mean").asDouble();
            // What lies between both is the loopback, and both ends: some 30 to 100 microseconds on an idle machine.
            assertThat(log.path("responseDifferenceMillis").asDouble())
                    .isBetween(-0.05, Math.max(0.01 * response, 0.05) + 0.3);
            JsonNode server = summary.path("server").path("server");
            assertThat(server.path("cpu").path("mean").asDouble()).isBetween(0.0005, 2.0);
            assertThat(server.path("memory").path("mean").asDouble()).isBetween(5e5, 1e9);
            JsonNode host = summary.path("server").path("host");
            assertThat(host.path("cpu").path("mean").asDouble())
                    .isGreaterThan(server.path("cpu").path("mean").asDouble());
            assertThat(host.has("memory")).isFalse();
            assertThat(summary.path("demand")
                            .path("server")
                            .path("demandMillis")
                            .path("value")
                            .asDouble())
                    .isBetween(0.001, 10.0);
            assertThat(Files.readAllLines(work.resolve("out/series.csv")).get(0))
                    .contains(",server.cpu_cores,")
                    .contains(",server.host.cpu_cores,");
            assertThat(work.resolve("out/figures/client-server-log.png")).exists();
            assertThat(work.resolve("out/figures/server-server.svg")).exists();
            assertThat(Files.readString(work.resolve("out/report.html"))).contains("The server's own view");
        }
    }

    @Test
    void otherMachinesAreSeenBySshAndGangliaAndWhatFailsIsNamed() throws Exception {
        boolean ssh = Files.isExecutable(Path.of("/usr/sbin/sshd")) && Command.installed("ssh-keygen");
        boolean ganglia = Command.installed("gmond");
        assumeTrue(
                ssh || ganglia, "neither sshd nor gmond is installed: apt-get install openssh-server ganglia-monitor");
        StringBuilder monitors = new StringBuilder("  - { kind: prometheus, url: \"http://127.0.0.1:9/metrics\" }\n");
        Path key = ssh ? Sshd.userKey(work) : work;
        try (Sshd sshd = ssh ? Sshd.start(work, "127.0.0.2", key) : null;
                Command gmond = ganglia ? gmond(monitors) : null;
                WaitingService held = new WaitingService(10, MILLI, MILLI, 7)) {
            if (sshd != null) {
                Files.writeString(work.resolve("known_hosts"), sshd.knownHostsLine());
                monitors.append("  - { kind: ssh-host, host: \"%s\", key: %s, known-hosts: %s, period: 250ms }\n"
                        .formatted(sshd.name(), key, work.resolve("known_hosts")));
            }
            Files.writeString(
                    work.resolve("far.yml"),
                    "name: far\ntarget: %s\ntestbed: { kind: local }\nload: { clients: 2, run-for: 4s }\nmonitors:\n%s"
                            .formatted(held.uri(), monitors));
            JsonNode summary = run("far.yml");
            JsonNode server = summary.path("server");
            assertThat(summary.path("warnings").toString()).contains("monitor 'server' (prometheus) gave 0 of");
            if (ssh) {
                assertThat(server.path("ssh-host").path("cpu").path("mean").asDouble())
                        .isPositive();
                assertThat(server.path("ssh-host").path("memory").path("mean").asDouble())
                        .isPositive();
                assertThat(server.path("ssh-host")
                                .path("network.lo.in")
                                .path("mean")
                                .asDouble())
                        .isPositive();
            }
            if (gmond != null) {
                assertThat(server.path("ganglia").path("load_one").path("mean").asDouble())
                        .isNotNegative();
                assertThat(server.path("ganglia").path("memory").path("mean").asDouble())
                        .isPositive();
            }
        }
    }

    /** Starts a gmond that measures each second, and waits until it tells. */
    private Command gmond(StringBuilder monitors) throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
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
        monitors.append("  - { kind: ganglia, port: %d }\n".formatted(port));
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
