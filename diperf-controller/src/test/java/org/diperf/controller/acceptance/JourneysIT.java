package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.diperf.core.ports.FreePorts;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.Calls;
import org.diperf.core.sample.SampleReader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * Users of the shop of examples/web log in, list and order. The shop's own log, on the same monotonic clock, is held against what
 * was recorded: order, data, counts, and the instants of each call and journey.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class JourneysIT {

    private static final boolean LONG = Boolean.getBoolean("diperf.long");
    private static final int USERS = LONG ? 1_000 : 40;
    private static final int EACH = 3;
    private static final int STEPS = 3;
    private static final Path WEB = Path.of("../examples/web");

    @TempDir
    Path work;

    /** A request in the shop's log. */
    private record Request(String user, String request, String data, int status, long came, long answered) {

        static Request parse(String line) {
            String[] fields = line.split(",", -1);
            return new Request(
                    fields[0],
                    fields[1],
                    fields[2],
                    Integer.parseInt(fields[3]),
                    Long.parseLong(fields[4]),
                    Long.parseLong(fields[5]));
        }
    }

    /** A call or a journey, as it was recorded. */
    private record Recorded(int client, int number, long intended, long lag, long latency, String outcome) {

        long sent() {
            return intended + lag;
        }

        long end() {
            return intended + latency;
        }
    }

    private List<Recorded> recorded(Path run, int kind) throws IOException {
        List<Recorded> all = new ArrayList<>();
        Calls decoded = new Calls();
        SampleReader.read(run.resolve("samples"), new SampleReader.Visitor() {
            @Override
            public void block(Block header, ByteBuffer data) throws IOException {
                if (header.kind() == kind) {
                    decoded.decode(data, header);
                    for (int row = 0; row < decoded.rows(); row++) {
                        all.add(new Recorded(
                                decoded.client(row),
                                decoded.request(row),
                                decoded.intendedNanos(row),
                                decoded.lagNanos(row),
                                decoded.latencyNanos(row),
                                decoded.outcome(row)));
                    }
                }
            }

            @Override
            public void damaged(Path file, long offset, String reason) {
                throw new AssertionError(file + " at " + offset + ": " + reason);
            }
        });
        all.sort(Comparator.comparingLong(Recorded::intended));
        return all;
    }

    /** Copies a file of examples/web, where a test has none of its own. */
    private void copy(String file) throws IOException {
        if (Files.notExists(work.resolve(file))) {
            Files.copy(WEB.resolve(file), work.resolve(file));
        }
    }

    private RunFolder run(String load) throws Exception {
        copy("ShopService.java");
        Files.writeString(
                work.resolve("users.csv"),
                IntStream.range(0, USERS * EACH)
                        .mapToObj(i -> "u" + i + ",pw-u" + i)
                        .collect(Collectors.joining("\n", "name,password\n", "\n")));
        int port = FreePorts.take();
        Path file = Files.writeString(
                work.resolve("journeys.yml"), """
                target: http://127.0.0.1:%d
                seed: 42
                service:
                  start: exec %s ShopService.java %d %s 1
                  deploy: [ ShopService.java ]
                  ready: log:ready on port
                  ready-within: 120s
                %s
                data: { users: { file: users.csv, give: one-per-client } }
                client:
                  plugin: http
                  with: { headers: { Authorization: "Bearer ${token}" } }
                  journeys:
                    buy:
                      steps:
                        - name: log-in
                          with: { method: POST, path: /login, body: "user=${users.name}&password=${users.password}" }
                          capture: { token: "json:/token" }
                        - group: shopping
                          set: { page: "${random:1..99}" }
                          steps:
                            - name: list
                              with: { path: "/items?page=${page}" }
                              capture: { item: "json:/items/0/id" }
                              check: { status: 200, "json:/page": "${page}" }
                              think: 2ms
                            - name: order
                              with: { method: POST, path: /orders, body: '{"item": ${item}}' }
                              check: { status: 201, "json:/user": "${users.name}" }
                measure: { window: whole }
                thresholds: [ journeys.buy.failed < 1, journeys.shopping.response.p99 < 60s ]
                """.formatted(port, Command.java(), port, work.resolve("log.csv"), load));
        try (Command run = Command.diperf(work, "run", file.toString(), "--out", "run", "--quiet")) {
            assertThat(run.exitCode()).as(run.output()).isZero();
        }
        return new RunFolder(work.resolve("run"));
    }

    @Tag("quick")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "load: { clients: CLIENTS, calls: JOURNEYS, timeout: 60s }",
                "load: { open: { rate: RATE/s, for: 3s, max-in-flight: IN-FLIGHT, timeout: 60s } }"
            })
    void whatTheShopSawIsWhatWasRecorded(String load) throws Exception {
        RunFolder run = run(load.replace("CLIENTS", "" + USERS)
                .replace("JOURNEYS", "" + USERS * EACH)
                .replace("RATE", "" + USERS)
                .replace("IN-FLIGHT", "" + USERS * EACH));
        int journeys = USERS * EACH;
        List<Request> log = log();
        List<Recorded> calls = recorded(run.path(), Block.CALLS);
        List<Recorded> groups = recorded(run.path(), Block.GROUPS);
        List<Recorded> whole =
                groups.stream().filter(group -> group.number() == 0).toList();
        assertThat(calls)
                .hasSize(journeys * STEPS)
                .allSatisfy(call -> assertThat(call.outcome()).isEqualTo("ok"));
        assertThat(groups).hasSize(2 * journeys);
        assertThat(log).hasSize(journeys * STEPS);
        Map<String, List<Request>> byUser = log.stream().collect(Collectors.groupingBy(Request::user));
        Map<Integer, List<Recorded>> byClient = calls.stream().collect(Collectors.groupingBy(Recorded::client));
        Map<Integer, List<Recorded>> wholeByClient = whole.stream().collect(Collectors.groupingBy(Recorded::client));
        assertThat(byUser).hasSameSizeAs(byClient);
        byClient.forEach((client, own) -> {
            List<Request> seen = byUser.get("u" + client);
            assertThat(seen).as("requests of user %s", client).hasSameSizeAs(own);
            for (int i = 0; i < own.size(); i++) {
                Request request = seen.get(i);
                assertThat(request.request())
                        .isEqualTo(List.of("POST /login", "GET /items", "POST /orders")
                                .get(i % STEPS));
                assertThat(own.get(i).number()).isEqualTo(i % STEPS);
                // Both clocks are the machine's monotonic one.
                assertThat(request.came())
                        .isBetween(own.get(i).sent(), own.get(i).end());
                assertThat(request.answered())
                        .isBetween(own.get(i).sent(), own.get(i).end());
                if (i % STEPS == 2) {
                    int page = Integer.parseInt(seen.get(i - 1).data().substring("page=".length()));
                    assertThat(request.data()).isEqualTo("item=" + 10 * page);
                    Recorded journey = wholeByClient.get(client).get(i / STEPS);
                    assertThat(journey.intended()).isEqualTo(own.get(i - 2).intended());
                    assertThat(journey.end()).isEqualTo(own.get(i).end());
                    assertThat(seen.get(i - 2).came()).isGreaterThanOrEqualTo(journey.intended());
                }
            }
        });
        percentiles(run.summary(), calls, groups);
    }

    private List<Request> log() throws IOException {
        try (Stream<String> lines = Files.lines(work.resolve("log.csv"))) {
            return lines.skip(1)
                    .map(Request::parse)
                    .sorted(Comparator.comparingLong(Request::came))
                    .toList();
        }
    }

    /** Runs an experiment of examples/web with a shop on a port of its own. */
    private RunFolder runExample(String example, String... sets) throws Exception {
        copy("ShopService.java");
        copy("users.csv");
        copy(example);
        int port = FreePorts.take();
        List<String> words = new ArrayList<>(List.of(
                "run",
                work.resolve(example).toString(),
                "--out",
                "run",
                "--quiet",
                "--no-report",
                "--set",
                "target=http://127.0.0.1:" + port,
                "--set",
                "service.start=exec " + Command.java() + " ShopService.java " + port + " " + work.resolve("log.csv")
                        + " 1",
                "--set",
                "service.ready-within=120s"));
        for (String set : sets) {
            words.addAll(List.of("--set", set));
        }
        try (Command run = Command.diperf(work, words.toArray(new String[0]))) {
            assertThat(run.exitCode()).as(run.output()).isZero();
        }
        return new RunFolder(work.resolve("run"));
    }

    @Tag("quick")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{ clients: CLIENTS, calls: JOURNEYS, timeout: 60s }",
                "{ open: { rate: CLIENTS/s, for: 5s, max-in-flight: MOST, timeout: 60s } }"
            })
    void aJourneyInJavaIsRecordedAsTheShopSawIt(String load) throws Exception {
        int clients = LONG ? 1_000 : 8;
        int journeys = 5 * clients;
        int most = 5 * clients;
        Files.writeString(
                work.resolve("users.csv"),
                IntStream.range(0, most)
                        .mapToObj(i -> "user-" + i + ",pw-user-" + i)
                        .collect(Collectors.joining("\n", "name,password\n", "\n")));
        // Users think for longer than it takes until as many others have come.
        String shop = Files.readString(WEB.resolve("Shop.java"));
        assertThat(shop).contains("random.nextInt(5, 20)");
        Files.writeString(
                work.resolve("Shop.java"), shop.replace("random.nextInt(5, 20)", "random.nextInt(1_200, 1_500)"));
        RunFolder run = runExample(
                "Shop.java",
                "load="
                        + load.replace("CLIENTS", "" + clients)
                                .replace("JOURNEYS", "" + journeys)
                                .replace("MOST", "" + most),
                "measure={window: whole}",
                "thresholds=[journeys.shop.failed < 1]");
        List<String> names = List.of("POST /login", "GET /items", "POST /orders");
        List<Recorded> calls = recorded(run.path(), Block.CALLS);
        Map<Integer, List<Recorded>> byClient = calls.stream().collect(Collectors.groupingBy(Recorded::client));
        Map<Integer, List<Recorded>> wholeByClient =
                recorded(run.path(), Block.GROUPS).stream().collect(Collectors.groupingBy(Recorded::client));
        Map<String, List<Request>> byUser = log().stream().collect(Collectors.groupingBy(Request::user));
        assertThat(byUser).hasSameSizeAs(byClient);
        assertThat(byUser.size()).isGreaterThanOrEqualTo(clients);
        assertThat(wholeByClient.values().stream().mapToInt(List::size).sum()).isEqualTo(journeys);
        byClient.forEach((client, own) -> {
            List<Request> seen = byUser.get("user-" + client);
            assertThat(seen.stream().map(Request::request))
                    .as("requests of user %s", client)
                    .containsExactlyElementsOf(
                            own.stream().map(call -> names.get(call.number())).toList());
            assertThat(seen.stream().filter(request -> request.request().equals("POST /login")))
                    .as("one token does for all")
                    .hasSize(1);
            List<Recorded> whole = new ArrayList<>(wholeByClient.get(client));
            int first = 0;
            for (int i = 0; i < own.size(); i++) {
                assertThat(own.get(i).outcome()).isEqualTo("ok");
                assertThat(seen.get(i).came())
                        .isBetween(own.get(i).sent(), own.get(i).end());
                assertThat(seen.get(i).answered())
                        .isBetween(own.get(i).sent(), own.get(i).end());
                if (own.get(i).number() == 2) {
                    int page = Integer.parseInt(seen.get(i - 1).data().substring("page=".length()));
                    int item = Integer.parseInt(seen.get(i).data().substring("item=".length()));
                    assertThat(item / 10).isEqualTo(page);
                    Recorded journey = whole.remove(0);
                    assertThat(journey.intended()).isEqualTo(own.get(first).intended());
                    assertThat(journey.end()).isEqualTo(own.get(i).end());
                    assertThat(journey.outcome()).isEqualTo("ok");
                    first = i + 1;
                }
            }
            assertThat(whole).isEmpty();
        });
        JsonNode summary = run.summary();
        for (int step = 0; step < STEPS; step++) {
            int number = step;
            check(
                    summary.at("/requests/" + List.of("log-in", "list", "order").get(step)),
                    calls.stream().filter(call -> call.number() == number).toList());
        }
        check(
                summary.at("/journeys/shop"),
                wholeByClient.values().stream().flatMap(List::stream).toList());
        assertThat(Files.readString(run.path().resolve("experiment.yml")))
                .contains("java: " + work.resolve("Shop.java"))
                .doesNotContain("/login");
    }

    @Test
    void whatScriptsOfK6UseMostRunsTogether() throws Exception {
        RunFolder run = runExample(
                "k6.yml",
                "load.stages=[{for: 1s, clients: 10}, {for: 2s}, {for: 500ms, clients: 0}]",
                "thresholds=[failed < 1%, journeys.browse.failed < 1%]",
                "seed=42");
        JsonNode summary = run.summary();
        for (String journey : List.of("look", "enter", "browse")) {
            assertThat(summary.at("/journeys/" + journey + "/calls/ok").asInt())
                    .as(journey)
                    .isPositive();
            assertThat(summary.at("/journeys/" + journey + "/calls/failed").asInt())
                    .as(journey)
                    .isZero();
        }
        List<Request> log = log();
        List<String> entered = List.of("GET /sign-in", "POST /sign-in", "GET /account");
        long calls = recorded(run.path(), Block.CALLS).size();
        assertThat(log.stream().filter(request -> request.status() >= 400)).isEmpty();
        // Each sign-in is a call of two requests.
        assertThat(log).hasSize((int) (calls
                + log.stream()
                        .filter(request -> request.request().equals("GET /account"))
                        .count()));
        assertThat(log.stream().map(Request::request)).containsAll(entered);
    }

    /** The numbers of the summary are those that the recorded instants give, to what its histograms round. */
    private static void percentiles(JsonNode summary, List<Recorded> calls, List<Recorded> groups) {
        for (int step = 0; step < STEPS; step++) {
            int number = step;
            check(
                    summary.at("/requests/" + List.of("log-in", "list", "order").get(step)),
                    calls.stream().filter(call -> call.number() == number).toList());
        }
        for (int group = 0; group < 2; group++) {
            int number = group;
            check(
                    summary.at("/journeys/" + List.of("buy", "shopping").get(group)),
                    groups.stream().filter(each -> each.number() == number).toList());
        }
        JsonNode steps = summary.at("/journeys/buy/steps");
        assertThat(steps).hasSize(STEPS);
        steps.forEach(step -> assertThat(step.get("left").asInt()).isEqualTo(USERS * EACH));
    }

    private static void check(JsonNode part, List<Recorded> recorded) {
        assertThat(part.at("/calls/ok").asInt()).isEqualTo(recorded.size());
        double[] sorted = recorded.stream()
                .mapToDouble(each -> each.latency() / 1e6)
                .sorted()
                .toArray();
        for (Map.Entry<String, Double> statistic :
                Map.of("p50", 0.5, "p95", 0.95, "max", 1.0).entrySet()) {
            int rank = (int) Math.ceil(statistic.getValue() * sorted.length) - 1;
            assertThat(part.at("/responseTime/" + statistic.getKey()).asDouble())
                    .as(statistic.getKey())
                    .isCloseTo(sorted[rank], org.assertj.core.data.Percentage.withPercentage(0.2));
        }
    }
}
