package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.diperf.analyzer.model.Saturation;
import org.diperf.analyzer.result.Analysis;
import org.diperf.controller.Diperf;
import org.diperf.controller.quickstart.WaitingService;
import org.diperf.core.spi.Url;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Plans of capacity: by profiles that are written here, and, in the long tests, by those of services whose limits are known. */
@Timeout(600)
class CapacityCommandTests {

    /** Four workers that wait, and clients that think as long: the knee is at 8 clients; with 20 ms at 200/s. */
    private static final int KNEE = 8;

    @TempDir
    private Path folder = Path.of("");

    private Path profile() throws IOException {
        String levels = IntStream.of(1, 2, 4, 6, 8, 12, 16)
                .mapToObj(clients -> {
                    double perSecond = Math.min(clients / 0.04, 200);
                    return "{ \"load\": %d, \"perSecond\": %s, \"responseMillis\": %s }"
                            .formatted(clients, perSecond, clients / perSecond * 1e3 - 20);
                })
                .collect(Collectors.joining(","));
        return Files.writeString(folder.resolve("profile.json"), """
                { "format": "diperf-profile/1", "experiment": "a", "target": ["http://a"], "load": "closed",
                  "thinkMillis": 20, "levels": [%s], "knee": { "clients": 8, "low": 7.5, "high": 8.5, "perSecond": 200 },
                  "resources": [], "requests": {}, "verdict": "valid" }
                """.formatted(levels));
    }

    private String nodes(String text) throws IOException {
        return Files.writeString(folder.resolve("nodes.yml"), text).toString();
    }

    @Test
    void thePlanSaysWhichNodesHowManyAndWhatGivesOutFirst() throws IOException {
        String nodes = nodes("- { host: a, count: 4 }\n- { host: b, cores: 2, bandwidth: 1Gbit/s }\n");
        Outcome plan = Outcome.of("capacity", profile().toString(), "--nodes", nodes, "--load", "20");

        assertThat(plan.err()).isEmpty();
        assertThat(plan.code()).isEqualTo(ExitCode.DONE);
        assertThat(plan.out())
                .contains("3 of 5 nodes can handle 20 clients, up to the knee")
                .contains("a-3", "the service's own limit, 200/s per machine")
                .contains("knee, clients", "mean response ms");

        Outcome few = Outcome.of("capacity", profile().toString(), "--nodes", nodes, "--load", "50", "--json");
        assertThat(few.code()).isEqualTo(ExitCode.THRESHOLD);
        JsonNode told = new JsonMapper().readTree(few.out());
        assertThat(told.path("carries").asBoolean()).isFalse();
        assertThat(told.path("kneeClients").path("value").asDouble()).isEqualTo(5 * KNEE);
    }

    @Test
    void whatTheProfileDoesNotKnowIsRefusedAndBadInputIsTold() throws IOException {
        String profile = profile().toString();
        String nodes = nodes("[ { host: a } ]");
        Outcome far =
                Outcome.of("capacity", profile, "--nodes", nodes, "--load", "40", "--within", "response.mean < 900ms");
        assertThat(far.code()).isEqualTo(ExitCode.NOT_CARRIED_OUT);
        assertThat(far.err()).contains("the profile is insufficient", "run levels up to 40 clients");

        assertThat(Outcome.of("capacity", profile, "--nodes", nodes, "--load", "9/s")
                        .err())
                .contains("expected a number of clients, as in the profile's levels, e.g. 300, got '9/s'");
        assertThat(Outcome.of("capacity", profile, "--nodes", nodes, "--load", "9", "--within", "response.p99 < 1s")
                        .err())
                .contains("expected response.mean < ... or throughput > ..., got response.p99 <");
        assertThat(Outcome.of("capacity", folder.toString() + "/x", "--nodes", nodes, "--load", "9")
                        .err())
                .contains("expected a profile, got no such file");
        assertThat(Outcome.of("capacity", profile, "--nodes", nodes("- { host: a, core: 3 }"), "--load", "9")
                        .err())
                .contains("node 1: expected host, cores, speed, bandwidth or count, got 'core'");
        assertThat(Outcome.of("capacity", profile, "--nodes", nodes("- { host: a, bandwidth: 3 }"), "--load", "9")
                        .err())
                .contains("bandwidth: expected a value like 1Gbit/s");
        assertThat(Outcome.of("capacity", profile, "--nodes", nodes("{}"), "--load", "9")
                        .err())
                .contains("expected a list of nodes");
    }

    /** Serves so many connections at a time, one request each; others wait until they are accepted. */
    private static final class CappedService implements AutoCloseable {

        private final ServerSocket listening = new ServerSocket(0, 1_000, InetAddress.getLoopbackAddress());
        private final ScheduledExecutorService timer = new ScheduledThreadPoolExecutor(1);
        private final Semaphore free;

        CappedService(int connections, long millis) throws IOException {
            free = new Semaphore(connections);
            Thread accepts = new Thread(() -> {
                try {
                    while (true) {
                        free.acquireUninterruptibly();
                        Socket socket = listening.accept();
                        timer.schedule(() -> answer(socket), millis, TimeUnit.MILLISECONDS);
                    }
                } catch (IOException closed) {
                    // by the test
                }
            });
            accepts.setDaemon(true);
            accepts.start();
        }

        private void answer(Socket socket) {
            try (socket;
                    InputStream in = socket.getInputStream();
                    OutputStream out = socket.getOutputStream()) {
                int seen = 0;
                while (seen < 4) {
                    int next = in.read();
                    seen = next == '\r' || next == '\n' ? seen + 1 : next < 0 ? 4 : 0;
                }
                out.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"
                        .getBytes(StandardCharsets.US_ASCII));
            } catch (IOException e) {
                // the client is gone
            } finally {
                free.release();
            }
        }

        Url uri() {
            return Url.of("http://127.0.0.1:" + listening.getLocalPort() + "/");
        }

        @Override
        public void close() throws IOException {
            listening.close();
            timer.shutdownNow();
        }
    }

    /** Makes one machine of a service. */
    private interface Machine {
        AutoCloseable start(List<Url> uris) throws IOException;
    }

    /** Runs levels about the knee that so many machines must have, whose workers take so many milliseconds. */
    private Analysis levels(Machine machine, int machines, String connection, int millis) throws Exception {
        List<AutoCloseable> started = new ArrayList<>();
        try {
            List<Url> uris = new ArrayList<>();
            for (int i = 0; i < machines; i++) {
                started.add(machine.start(uris));
            }
            String each = uris.stream().map(uri -> "\"" + uri + "\"").collect(Collectors.joining(", "));
            String clients = IntStream.of(2, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16)
                    .mapToObj(level -> String.valueOf(level * machines))
                    .collect(Collectors.joining(", "));
            return Diperf.experiment()
                    .set("target", "{ each: [" + each + "], assign: round-robin, per: client }")
                    .set("client.with.connection", connection)
                    .set(
                            "load",
                            "{ levels: { clients: [%s], hold: %dms, settle: %dms, think: %dms } }"
                                    .formatted(clients, 1_000 + 25 * millis, 10 * millis, millis))
                    .set("report.quantum", "100ms")
                    .out(folder.resolve(connection + machines))
                    .run();
        } finally {
            for (AutoCloseable each : started) {
                each.close();
            }
        }
    }

    /** The profile is of one machine; what it says of two to nine is held against as many that are built. */
    private void theKneeOfMoreMachinesIsForetold(Machine machine, String connection, int millis) throws Exception {
        Analysis one = levels(machine, 1, connection, millis);
        Saturation saturation = one.capacity().saturation();
        assertThat(saturation).isNotNull();
        Path profile = folder.resolve(connection + "1");
        assertThat(profile.resolve("profile.json")).exists();
        int near = 0;
        List<String> seen = new ArrayList<>();
        for (int machines = 2; machines <= 9; machines++) {
            Outcome plan = Outcome.of(
                    "capacity",
                    profile.toString(),
                    "--nodes",
                    nodes("- { host: a, count: " + machines + " }"),
                    "--load",
                    String.valueOf(machines * KNEE * 9 / 10),
                    "--within",
                    "throughput > " + machines * 3_000 / millis,
                    "--json");
            JsonNode told = new JsonMapper().readTree(plan.out());
            double foretold = told.path("kneeClients").path("value").asDouble()
                    / told.path("nodes").size()
                    * machines;
            Saturation built =
                    levels(machine, machines, connection, millis).capacity().saturation();
            double off = built == null ? 1 : Math.abs(foretold / built.clients() - 1);
            near += off <= 0.1 ? 1 : 0;
            seen.add(machines + " machines: foretold " + foretold + ", seen "
                    + (built == null ? "none" : built.clients()) + ", "
                    + told.path("nodes").size() + " expected");
        }
        System.out.println(connection + ": " + near + " of 8 within 10 %: " + seen);
        assertThat(near).as("%s", seen).isGreaterThanOrEqualTo(7);
    }

    @Test
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    void theKneeOfWaitingWorkersIsForetoldForMoreMachines() throws Exception {
        theKneeOfMoreMachinesIsForetold(
                uris -> {
                    WaitingService service = new WaitingService(4, 19_000_000, 21_000_000, uris.size());
                    uris.add(service.uri());
                    return service;
                },
                "keep",
                20);
    }

    @Test
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    void theKneeOfACapOfConnectionsIsForetoldForMoreMachines() throws Exception {
        theKneeOfMoreMachinesIsForetold(
                uris -> {
                    CappedService service = new CappedService(4, 80);
                    uris.add(service.uri());
                    return service;
                },
                "new",
                // Each call is a connection of its own: nine machines must not need more of this one than it has.
                80);
    }
}
