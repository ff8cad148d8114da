package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Groups side by side, from the file to the report. */
@Timeout(90)
class GroupsRunIT {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    @TempDir
    Path folder;

    private final AtomicLong served = new AtomicLong();
    private ExecutorService threads;
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        threads = Executors.newFixedThreadPool(8);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 50);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            served.incrementAndGet();
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        threads.shutdownNow();
    }

    private JsonNode run(String groups) throws IOException {
        Path file = Files.writeString(
                folder.resolve("groups.yml"),
                "seed: 1\ntarget: http://127.0.0.1:" + server.getAddress().getPort()
                        + "/\ntestbed: { kind: in-process, loops: 1 }\nmeasure: { window: whole }\n" + groups);
        Outcome outcome = Outcome.of(
                "run", file.toString(), "--out", folder.resolve("run").toString(), "--no-progress");
        assertThat(outcome.code()).as(outcome.err() + outcome.out()).isZero();
        return JSON.readTree(Files.readAllBytes(folder.resolve("run/summary.json")));
    }

    @Tag("quick")
    @Test
    void groupsOfferTheirOwnLoadsAndNothingIsCountedTwice() throws Exception {
        JsonNode summary = run("""
                groups:
                  lan: { testers: 2, load: { clients: 5, run-for: 60s, calls: 250, think: 2ms, placement: fill } }
                  wan: { start-after: 300ms, load: { open: { rate: 100/s, for: 1s } } }
                """);

        JsonNode groups = summary.path("groups");
        assertThat(groups.path("lan").path("calls").path("ok").asLong()).isEqualTo(250);
        assertThat(groups.path("wan").path("calls").path("ok").asLong()).isEqualTo(100);
        assertThat(groups.path("wan").path("calls").path("planned").asLong()).isEqualTo(100);
        assertThat(summary.path("calls").path("ok").asLong()).isEqualTo(350);
        assertThat(summary.path("calls").path("failed").asLong()).isZero();
        // The probe may have been one more.
        assertThat(served.get()).isBetween(350L, 352L);

        List<String> clients = Files.readAllLines(folder.resolve("run/clients.csv"));
        assertThat(clients.subList(1, 6)).allSatisfy(row -> assertThat(row).contains(",lan,"));
        assertThat(clients.subList(1, 6)).extracting(row -> row.split(",")[1]).containsExactly("1", "1", "1", "2", "2");
        assertThat(clients.subList(6, clients.size()))
                .isNotEmpty()
                .allSatisfy(row -> assertThat(row).matches("[0-9]+,3,[^,]*,wan,.*"));
        assertThat(folder.resolve("run/figures/groups.png")).isNotEmptyFile();
        assertThat(folder.resolve("run/figures/groups-response.svg")).isNotEmptyFile();
        assertThat(Files.readString(folder.resolve("run/report.html"))).contains("id=\"groups\"");
    }

    @Test
    void theFileThatARunLeavesRepeatsItsGroups() throws Exception {
        run("groups: { a: { load: { clients: 2, calls: 20 } }, b: { load: { clients: 1, calls: 10 } } }\n");

        Outcome again = Outcome.of(
                "run",
                "--no-report",
                folder.resolve("run/experiment.yml").toString(),
                "--out",
                folder.resolve("again").toString(),
                "--no-progress");

        assertThat(again.code()).as(again.err() + again.out()).isZero();
        JsonNode groups = JSON.readTree(Files.readAllBytes(folder.resolve("again/summary.json")))
                .path("groups");
        assertThat(groups.path("a").path("calls").path("ok").asLong()).isEqualTo(20);
        assertThat(groups.path("b").path("calls").path("ok").asLong()).isEqualTo(10);
    }
}
