package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Nodes that cannot be used and testers that do not come are named, and the run continues with the rest. */
@Timeout(60)
class FleetRunIT {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String FOUR = "candidates: [a cores=4 load=1 site:lan, b down, c cores=4 load=9 site:lan,"
            + " d cores=2 load=0 site:wan]";

    @TempDir
    Path folder;

    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 50);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private String file(String testbed) throws IOException {
        String yaml = "name: fleet\nseed: 1\ntarget: http://127.0.0.1:"
                + server.getAddress().getPort() + "/\ntestbed: { kind: pretend, " + testbed + " }\n"
                + "load: { open: { rate: 100/s, for: 1s } }\nmeasure: { window: whole }\n";
        return Files.writeString(folder.resolve("fleet.yml"), yaml).toString();
    }

    private Outcome run(String testbed) throws IOException {
        return Outcome.of(
                "run",
                file(testbed),
                "--no-report",
                "--out",
                folder.resolve("run").toString());
    }

    private JsonNode json(String file) throws IOException {
        return JSON.readTree(Files.readAllBytes(folder.resolve("run").resolve(file)));
    }

    @Tag("quick")
    @Test
    void nodesThatCannotBeUsedAreNamedAndTheOthersShareTheLoad() throws Exception {
        Outcome outcome = Outcome.of(
                "run",
                file(FOUR + ", require: load < 4, testers-per-node: 2"),
                "--out",
                folder.resolve("run").toString());

        assertThat(outcome.code()).as(outcome.err() + outcome.out()).isZero();
        assertThat(outcome.out())
                .contains("node b is not used: connection refused; start its sshd")
                .contains("node c is not used: expected load < 4, got 9");
        assertThat(json("summary.json").path("testers").path("requested").asLong())
                .isEqualTo(4);
        assertThat(json("summary.json").path("calls").path("total").asLong()).isEqualTo(100);
        JsonNode nodes = json("run.json").path("nodes");
        assertThat(nodes.size()).isEqualTo(4);
        assertThat(nodes.get(1).path("reason").asString()).contains("connection refused");
        assertThat(nodes.get(0).path("chosen").asBoolean()).isTrue();
        List<String> testers = Files.readAllLines(folder.resolve("run/testers.csv"));
        assertThat(testers.get(0)).contains(",node,labels,replaces,lost_s,");
        assertThat(testers.get(1)).contains(",a,site=lan,");
        assertThat(testers.get(2)).contains(",d,site=wan,");
        assertThat(Files.readString(folder.resolve("run/report.html"))).contains("id=\"nodes\"", "connection refused");
        assertThat(Files.readString(folder.resolve("run/run.log"))).contains("node b is not used");
        assertThat(Files.readString(folder.resolve("run/experiment.yml")))
                .contains(
                        "require: load < 4", "testers-per-node: 2", "when-lost: continue", "minimum: 1", "linger: 10m");
    }

    @Test
    void aTesterThatDoesNotStartIsNamedAndTheOthersOfferTheWholeLoad() throws Exception {
        Outcome outcome = run("candidates: [a, b, c], fail: '2'");

        assertThat(outcome.code()).as(outcome.err() + outcome.out()).isZero();
        assertThat(outcome.out()).contains("tester-2 failed: no Java on b");
        JsonNode summary = json("summary.json");
        assertThat(summary.path("calls").path("total").asLong()).isEqualTo(100);
        assertThat(summary.path("calls").path("planned").asLong()).isEqualTo(100);
        assertThat(summary.path("testers").path("started").asLong()).isEqualTo(2);
        assertThat(summary.path("warnings").toString())
                .contains("tester 2 did not take part (no Java on b); the others generated the full load");
        JsonNode testers = json("run.json").path("testers");
        assertThat(testers.get(1).path("slot").asLong()).isZero();
        assertThat(testers.get(2).path("slot").asLong()).isEqualTo(2);
        assertThat(testers.get(2).path("node").asString()).isEqualTo("c");
    }

    @Test
    void belowTheMinimumTheRunDoesNotBegin() throws Exception {
        Outcome outcome = run("candidates: [a, b, c], fail: '1,3', minimum: 2");

        assertThat(outcome.code()).isEqualTo(3);
        assertThat(outcome.err())
                .contains(
                        "Expected at least 2 testers joined, got 1",
                        "tester-1: no Java on a",
                        "tester-3: no Java on c");
    }

    @Test
    void aRunThatWantsAllDoesNotBeginWithoutOne() throws Exception {
        Outcome outcome = run("candidates: [a, b, c], fail: '3', when-lost: abort");

        assertThat(outcome.code()).isEqualTo(3);
        assertThat(outcome.err()).contains("Expected 3 testers joined (when-lost: abort requires all), got 2");
    }

    @Test
    void tooFewNodesEndARunBeforeAnythingIsStarted() throws Exception {
        Outcome outcome = run(FOUR + ", require: cores >= 4 && site == wan");

        assertThat(outcome.code()).isEqualTo(3);
        assertThat(outcome.err()).contains("at least 1 tester", "room for 0", "b: connection refused");
    }

    @Test
    void theNodesCommandShowsAllAndWhatWouldBeUsed() throws Exception {
        Outcome outcome = Outcome.of("nodes", file(FOUR + ", require: load < 4, take: 1"));

        assertThat(outcome.code()).as(outcome.err()).isZero();
        assertThat(outcome.out().lines().map(line -> line.strip().replaceAll(" +", " ")))
                .contains("node labels cores memory load disk java rtt bandwidth offset used")
                .contains("d site=wan 2 - 0 - - - - - yes")
                .contains("b - - - - - - - - - no: connection refused; start its sshd")
                .contains("1 tester on 1 of 4 nodes");
    }

    @Test
    void theNodesCommandSaysItToScriptsToo() throws Exception {
        Outcome outcome = Outcome.of("nodes", file(FOUR + ", minimum: 4"), "--json");

        assertThat(outcome.code()).isEqualTo(3);
        JsonNode found = JSON.readTree(outcome.out());
        assertThat(found.path("enough").asBoolean()).isFalse();
        assertThat(found.path("nodes").get(0).path("measures").path("cores").asDouble())
                .isEqualTo(4);
        assertThat(found.path("nodes").get(1).path("reason").asString()).contains("refused");
    }

    @Test
    void aTestbedWithoutNodesSaysSo() throws Exception {
        Outcome outcome = Outcome.of("nodes", file("candidates: [a]"), "--set", "testbed={kind: local, testers: 2}");

        assertThat(outcome.code()).as(outcome.err()).isZero();
        assertThat(outcome.out()).contains("'local' has no nodes to choose from", "2 testers");
    }

    @Test
    void checkNamesTheNodesThatWouldBeUsed() throws Exception {
        Outcome outcome = Outcome.of("check", file(FOUR));

        assertThat(outcome.code()).as(outcome.err() + outcome.out()).isZero();
        assertThat(outcome.out())
                .contains("a is used", "b is not used: connection refused", "3 testers on 3 of 4 nodes");
    }

    @Test
    void aMisspeltMeasureIsNamedWithTheNearest() throws Exception {
        Outcome early = run("candidates: [a], require: core >= 2");
        assertThat(early.code()).isEqualTo(2);
        assertThat(early.err()).contains("'core'", "Did you mean 'cores'?");

        Outcome late = run("candidates: [a site:lan], require: sit == lan");
        assertThat(late.code()).isEqualTo(3);
        assertThat(late.err()).contains("'sit'", "site");
    }

    @Test
    void whatCannotGoTogetherIsAnErrorOfTheFile() throws Exception {
        assertThat(run("candidates: [a], nodes: 1, take: 2").err()).contains("testbed.take", "got both");
        assertThat(run("candidates: [a], nodes: 2, testers: 3").err()).contains("nodes x testers-per-node = 2");
        assertThat(run("candidates: [a], testers: 2, minimum: 3").err()).contains("testbed.minimum");
        Outcome quota =
                Outcome.of("run", file("candidates: [a], when-lost: replace"), "--set", "load={clients: 2, calls: 10}");
        assertThat(quota.code()).isEqualTo(2);
        assertThat(quota.err()).contains("testbed.when-lost", "got replace");
    }
}
