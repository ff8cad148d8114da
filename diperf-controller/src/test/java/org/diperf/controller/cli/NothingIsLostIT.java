package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Whatever goes wrong in a run, what was measured before is in its report. */
@Timeout(120)
class NothingIsLostIT {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    @TempDir
    Path folder;

    private final CountDownLatch hundredServed = new CountDownLatch(100);
    private ExecutorService threads;
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        threads = Executors.newFixedThreadPool(4);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 50);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            int status = exchange.getRequestURI().getPath().startsWith("/bad") ? 500 : 200;
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
            hundredServed.countDown();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        threads.shutdownNow();
    }

    private String file(String path, String more) throws IOException {
        String yaml = "seed: 1\ntarget: http://127.0.0.1:" + server.getAddress().getPort() + path + "\n" + more + "\n";
        return Files.writeString(folder.resolve("lost.yml"), yaml).toString();
    }

    private Outcome run(String file, String... more) {
        List<String> words = new ArrayList<>(
                List.of("run", file, "--out", folder.resolve("run").toString(), "--no-progress"));
        words.addAll(List.of(more));
        return Outcome.of(words.toArray(String[]::new));
    }

    private JsonNode summary() throws IOException {
        return JSON.readTree(Files.readAllBytes(folder.resolve("run/summary.json")));
    }

    private String end() throws IOException {
        return JSON.readTree(Files.readAllBytes(folder.resolve("run/run.json")))
                .path("end")
                .asString();
    }

    @Test
    void callsToATargetThatDiedAreFailedOnesAndTheEarlierOnesStay() throws Exception {
        String file = file(
                "/",
                "testbed: { kind: in-process }\nload: { open: { rate: 100/s, for: 3s, timeout: 1s } }\n"
                        + "measure: { window: whole }\nthresholds: [failed < 1%]");
        CompletableFuture<Outcome> running = CompletableFuture.supplyAsync(() -> run(file), threads);
        assertThat(hundredServed.await(30, TimeUnit.SECONDS)).isTrue();
        server.stop(0);

        Outcome outcome = running.get();

        assertThat(outcome.code()).as(outcome.err() + outcome.out()).isEqualTo(99);
        assertThat(end()).isEqualTo("COMPLETE");
        JsonNode calls = summary().path("calls");
        assertThat(calls.path("ok").asLong()).isGreaterThanOrEqualTo(99);
        assertThat(calls.path("failed").asLong()).isGreaterThan(50);
        assertThat(calls.path("total").asLong() + calls.path("dropped").asLong())
                .isEqualTo(300);
        assertThat(folder.resolve("run/report.html")).isNotEmptyFile();
    }

    @Test
    void aRunWithoutOneGoodCallIsNotCarriedOut() throws Exception {
        Outcome outcome =
                run(file("/bad", "testbed: { kind: in-process }\nload: { clients: 1, run-for: 300ms, think: 10ms }"));

        assertThat(outcome.code()).as(outcome.err() + outcome.out()).isEqualTo(3);
        assertThat(summary().path("calls").path("failed").asLong()).isPositive();
        assertThat(folder.resolve("run/report.html")).isNotEmptyFile();
    }

    @Test
    void aQuietRunSaysNothingButWhyItFailed() throws Exception {
        String load = "testbed: { kind: in-process }\nload: { clients: 1, run-for: 300ms, think: 10ms }";
        Path out = folder.resolve("run");

        Outcome failed = Outcome.of("run", file("/bad", load), "--out", out.toString(), "--quiet");

        assertThat(failed.code()).isEqualTo(3);
        assertThat(failed.out()).isEmpty();
        assertThat(failed.err()).startsWith("FAILED: no call succeeded: all ").contains("report.html");

        Outcome done = Outcome.of(
                "run", file("/", load), "--out", folder.resolve("done").toString(), "--quiet");

        assertThat(done.code()).as(done.err()).isZero();
        assertThat(done.out() + done.err()).isEmpty();
    }

    @Test
    void withoutAReportThereAreTheNumbersAndAReportWheneverItIsAskedFor() throws Exception {
        String file = file("/", "testbed: { kind: in-process }\nload: { clients: 1, run-for: 300ms, think: 10ms }");
        Path run = folder.resolve("run");

        Outcome outcome = run(file, "--no-report");

        assertThat(outcome.code()).as(outcome.err() + outcome.out()).isZero();
        assertThat(outcome.out()).contains("report  none; to create one: diperf report " + run);
        assertThat(summary().path("calls").path("ok").asLong()).isPositive();
        assertThat(run.resolve("report.html")).doesNotExist();
        assertThat(run.resolve("figures")).doesNotExist();

        assertThat(Outcome.of("report", run.toString()).code()).isZero();
        assertThat(run.resolve("report.html")).isNotEmptyFile();
        assertThat(Outcome.of("run", file, "--no-report", "--live").err())
                .contains(
                        "the live page becomes the report at the end, so --live cannot be combined with --no-report; drop one of "
                                + "them");
    }

    @Test
    void aThresholdEndsTheRunAndItsReportSaysSo() throws Exception {
        // Half of the clients call what does not work.
        String bad = "http://127.0.0.1:" + server.getAddress().getPort() + "/bad";
        String file = file(
                "/",
                "testbed: { kind: in-process }\nload: { clients: 2, run-for: 60s, think: 10ms }\n"
                        + "measure: { window: whole }\n"
                        + "thresholds: [{ that: failed < 1%, every: 500ms, abort: true }]");
        String targets =
                "target={each: ['http://127.0.0.1:" + server.getAddress().getPort() + "/', '" + bad + "']}";

        Outcome outcome =
                Outcome.of("run", file, "--out", folder.resolve("run").toString(), "--no-progress", "--set", targets);

        assertThat(outcome.code()).as(outcome.err() + outcome.out()).isEqualTo(99);
        assertThat(end()).isEqualTo("ABORTED");
        assertThat(summary().path("durationSeconds").asDouble()).isLessThan(30);
        assertThat(summary().path("calls").path("ok").asLong()).isPositive();
        assertThat(summary().path("warnings").toString()).contains("ended by a threshold", "failed < 1%");
        assertThat(folder.resolve("run/report.html")).isNotEmptyFile();
    }

    private String local(String testbed, int seconds) throws IOException {
        return file(
                "/",
                "testbed: { kind: local, testers: 2, " + testbed + " }\n"
                        + "load: { clients: 4, run-for: " + seconds + "s, think: 10ms }\n"
                        + "controller: { lease: 30s }\nmeasure: { window: whole }");
    }

    /** Runs an experiment and kills one of its testers when a hundred calls were served. */
    private Outcome runAndKillOne(String file) throws Exception {
        CompletableFuture<Outcome> running = CompletableFuture.supplyAsync(() -> run(file, "--no-report"), threads);
        assertThat(hundredServed.await(60, TimeUnit.SECONDS)).isTrue();
        try (Stream<ProcessHandle> children = ProcessHandle.current().descendants()) {
            ProcessHandle victim = children.filter(
                            each -> each.info().commandLine().orElse("").contains("diperf-tester"))
                    .findFirst()
                    .orElseThrow();
            assertThat(victim.destroyForcibly()).isTrue();
        }
        return running.get();
    }

    /** Returns the clients of the last whole second before the last one in which there were any. */
    private String lastActiveClients() throws IOException {
        List<String> series = Files.readAllLines(folder.resolve("run/series.csv"));
        int column = List.of(series.get(0).split(",")).indexOf("activeClients");
        List<String> active = series.stream()
                .skip(1)
                .map(row -> row.split(",")[column])
                .filter(count -> !count.equals("0"))
                .toList();
        return active.get(active.size() - 2);
    }

    @Test
    void aKilledTesterIsNamedAtOnceAndTheOthersContinue() throws Exception {
        Outcome outcome = runAndKillOne(local("when-lost: continue", 8));

        assertThat(outcome.code()).as(outcome.err() + outcome.out()).isZero();
        JsonNode summary = summary();
        assertThat(summary.path("verdict").asString()).isEqualTo("suspect");
        assertThat(summary.path("testers").path("lost").asLong()).isEqualTo(1);
        // Long before its lease of 30 s.
        assertThat(summary.path("warnings").toString())
                .containsPattern("tester [12] was lost at [0-9.]+ s .its process exited with code 137")
                .contains("its calls from then on are missing");
        List<String> testers = Files.readAllLines(folder.resolve("run/testers.csv"));
        assertThat(testers).hasSize(3);
        assertThat(summary.path("calls").path("ok").asLong()).isGreaterThan(100);
        assertThat(lastActiveClients()).isEqualTo("2");
    }

    @Tag("quick")
    @Test
    void aKilledTesterIsReplacedAndItsClientsAreActiveAgain() throws Exception {
        Outcome outcome = runAndKillOne(local("when-lost: replace", 25));

        assertThat(outcome.code()).as(outcome.err() + outcome.out()).isZero();
        JsonNode summary = summary();
        assertThat(end()).isEqualTo("COMPLETE");
        assertThat(summary.path("testers").path("requested").asLong()).isEqualTo(2);
        assertThat(summary.path("testers").path("lost").asLong()).isEqualTo(1);
        assertThat(summary.path("testers").path("replaced").asLong()).isEqualTo(1);
        assertThat(summary.path("warnings").toString()).contains("another tester took over its share of the load from");
        List<String> testers = Files.readAllLines(folder.resolve("run/testers.csv"));
        assertThat(testers).hasSize(4);
        String[] replacement = testers.get(3).split(",");
        assertThat(Long.parseLong(replacement[4])).as("its ok calls").isPositive();
        assertThat(lastActiveClients()).isEqualTo("4");
    }

    @Test
    void theLossOfATesterEndsARunThatWantsAll() throws Exception {
        Outcome outcome = runAndKillOne(local("when-lost: abort", 30));

        assertThat(outcome.code()).as(outcome.err() + outcome.out()).isEqualTo(3);
        assertThat(end()).isEqualTo("ABORTED");
        assertThat(summary().path("warnings").toString()).contains("when-lost is abort");
        // What the survivor called; the killed one takes along what it had not yet reported.
        assertThat(summary().path("calls").path("ok").asLong()).isGreaterThanOrEqualTo(20);
        assertThat(summary().path("durationSeconds").asDouble()).isLessThan(25);
    }

    @Test
    void aRunEndsWithFewerTestersThanItsMinimum() throws Exception {
        Outcome outcome = runAndKillOne(local("minimum: 2", 30));

        assertThat(outcome.code()).as(outcome.err() + outcome.out()).isEqualTo(3);
        assertThat(end()).isEqualTo("ABORTED");
        assertThat(summary().path("warnings").toString()).contains("the minimum of 2");
    }

    @Tag("quick")
    @Test
    void aRunWhoseControllerWasKilledIsReportedFromWhatItLeft() throws Exception {
        run(file(
                "/",
                "testbed: { kind: in-process }\nload: { clients: 2, run-for: 2s, think: 5ms }\n"
                        + "measure: { window: whole }"));
        long all = summary().path("calls").path("ok").asLong();
        Path record = folder.resolve("run/run.json");
        Files.writeString(
                record,
                Files.readString(record)
                        .replaceFirst("\"end\" : \"COMPLETE\"", "\"end\" : \"UNDER_WAY\"")
                        .replaceFirst("\"endNanos\" : [0-9]+,", "\"endNanos\" : null,"));
        assertThat(end()).isEqualTo("UNDER_WAY");
        Path last;
        try (Stream<Path> samples = Files.list(folder.resolve("run/samples"))) {
            last = samples.sorted().reduce((one, other) -> other).orElseThrow();
        }
        byte[] bytes = Files.readAllBytes(last);
        Files.write(last, java.util.Arrays.copyOf(bytes, bytes.length * 2 / 3));
        Files.delete(folder.resolve("run/report.html"));

        Outcome outcome = Outcome.of("report", folder.resolve("run").toString());

        assertThat(outcome.code()).as(outcome.err() + outcome.out()).isZero();
        assertThat(summary().path("calls").path("ok").asLong()).isPositive().isLessThan(all);
        assertThat(summary().path("verdict").asString()).isEqualTo("suspect");
        assertThat(summary().path("warnings").toString()).contains("block");
        assertThat(folder.resolve("run/report.html")).isNotEmptyFile();
    }
}
