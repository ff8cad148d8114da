package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.BufferedWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Samples for other programs, and theirs for us, with those programs themselves. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ExchangeIT {

    private static final double MILLI = 1e6;
    /** From one line that is no terminal's to the next. */
    private static final int PROGRESS_SECONDS = 5;

    private static final int MANY = 10_000_000;

    static {
        // Else each answer waits for an acknowledgement, 40 ms.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    @TempDir
    Path work;

    /** Answers, but every 50th request with 503; and 404 to {@code /missing}. */
    private static final class Service implements AutoCloseable {

        private final AtomicInteger requests = new AtomicInteger();
        private final ExecutorService threads = Executors.newFixedThreadPool(4);
        private final HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);

        Service() throws IOException {
            server.setExecutor(threads);
            server.createContext("/", exchange -> {
                byte[] body = "hello".repeat(100).getBytes(StandardCharsets.US_ASCII);
                boolean missing = exchange.getRequestURI().getPath().equals("/missing");
                int status = missing ? 404 : requests.incrementAndGet() % 50 == 0 ? 503 : 200;
                exchange.sendResponseHeaders(status, body.length);
                exchange.getResponseBody().write(body);
                exchange.close();
            });
            server.start();
        }

        int port() {
            return server.getAddress().getPort();
        }

        @Override
        public void close() {
            server.stop(0);
            threads.shutdownNow();
        }
    }

    private String diperf(int exitCode, String... arguments) throws IOException, InterruptedException {
        try (Command diperf = Command.diperf(work, arguments)) {
            assertThat(diperf.exitCode()).as(diperf.output()).isEqualTo(exitCode);
            return diperf.output();
        }
    }

    private RunFolder run() throws Exception {
        try (Service service = new Service()) {
            diperf(
                    0,
                    "run",
                    "--no-report",
                    "http://127.0.0.1:" + service.port() + "/",
                    "--clients",
                    "4",
                    "--for",
                    "2s",
                    "--out",
                    "run");
        }
        return new RunFolder(work.resolve("run"));
    }

    @Tag("quick")
    @Test
    void whatWasExportedComesBackToTheLastDigit() throws Exception {
        JsonNode one = run().summary();
        diperf(0, "export", "run", "--format", "csv", "--out", "one.csv");
        diperf(0, "import", "one.csv", "--out", "imported");
        diperf(0, "export", "imported", "--format", "csv", "--out", "two.csv");
        JsonNode two = new RunFolder(work.resolve("imported")).summary();

        assertThat(Files.readAllLines(work.resolve("two.csv")))
                .containsExactlyInAnyOrderElementsOf(Files.readAllLines(work.resolve("one.csv")));
        assertThat(two.get("calls").get("outcomes")).isEqualTo(one.get("calls").get("outcomes"));
        assertThat(two.get("calls").get("bytes")).isEqualTo(one.get("calls").get("bytes"));
        assertThat(two.get("startedAt")).isEqualTo(one.get("startedAt"));
        for (String times : List.of("responseTime", "responseTimeFailed", "serviceTime", "sendLag")) {
            assertThat(two.get(times).get("p99"))
                    .as(times)
                    .isEqualTo(one.get(times).get("p99"));
            assertThat(two.get(times).get("mean"))
                    .as(times)
                    .isEqualTo(one.get(times).get("mean"));
        }
        diperf(0, "verify", "imported");
    }

    @Test
    void duckdbReadsParquetAndCountsWhatTheSummarySays() throws Exception {
        JsonNode summary = run().summary();
        diperf(0, "export", "run", "--format", "parquet", "--out", "calls.parquet");

        JsonNode all = Duckdb.rows(
                        work,
                        "select count(*), sum(bytes) filter (where outcome = 'ok'), min(intended_ns), max(intended_ns + response_ns) / 1e9"
                                + " from 'calls.parquet'")
                .get(0);
        assertThat(all.get(0).asLong())
                .isEqualTo(summary.get("calls").get("total").asLong());
        assertThat(all.get(1).asLong())
                .isEqualTo(summary.get("calls").get("bytes").asLong());
        assertThat(all.get(3).asDouble())
                .isCloseTo(summary.get("durationSeconds").asDouble(), within(1e-9));
        JsonNode outcomes = Duckdb.rows(
                work,
                "select outcome, count(*), avg(response_ns), min(response_ns), max(response_ns),"
                        + " quantile_disc(response_ns, 0.5), quantile_disc(response_ns, 0.99), avg(send_lag_ns)"
                        + " from 'calls.parquet' group by outcome order by count(*) desc");
        assertThat(outcomes.size()).isEqualTo(2);
        for (JsonNode row : outcomes) {
            assertThat(row.get(1).asLong())
                    .isEqualTo(summary.get("calls")
                            .get("outcomes")
                            .get(row.get(0).asString())
                            .asLong())
                    .isPositive();
        }
        JsonNode ok = outcomes.get(0);
        JsonNode response = summary.get("responseTime");
        assertThat(ok.get(0).asString()).isEqualTo("ok");
        assertThat(ok.get(2).asDouble() / MILLI).isCloseTo(response.get("mean").asDouble(), within(1e-6));
        assertThat(ok.get(3).asDouble() / MILLI).isEqualTo(response.get("min").asDouble());
        assertThat(ok.get(4).asDouble() / MILLI).isEqualTo(response.get("max").asDouble());
        double p50 = response.get("p50").asDouble();
        double p99 = response.get("p99").asDouble();
        assertThat(ok.get(5).asDouble() / MILLI).isCloseTo(p50, within(p50 * 0.01));
        assertThat(ok.get(6).asDouble() / MILLI).isCloseTo(p99, within(p99 * 0.01));
    }

    @Test
    void jmeterMakesItsReportOfOurResultsWithOurNumbers() throws Exception {
        assumeTrue(Boolean.getBoolean("diperf.long"), "a long check: ./check --long");
        JMeter jmeter = JMeter.at(Files.createDirectory(work.resolve("jmeter")));
        JsonNode summary = run().summary();
        diperf(0, "export", "run", "--format", "jtl", "--out", "calls.jtl");

        JsonNode all =
                jmeter.report(work.resolve("calls.jtl"), work.resolve("report")).get("Total");

        assertThat(work.resolve("report/index.html")).isNotEmptyFile();
        JsonNode calls = summary.get("calls");
        assertThat(all.get("sampleCount").asLong()).isEqualTo(calls.get("total").asLong());
        assertThat(all.get("errorCount").asLong())
                .isEqualTo(calls.get("failed").asLong())
                .isPositive();
        // Ok and failed calls together, in whole milliseconds.
        double mean = (summary.get("responseTime").get("mean").asDouble()
                                * calls.get("ok").asLong()
                        + summary.get("responseTimeFailed").get("mean").asDouble()
                                * calls.get("failed").asLong())
                / calls.get("total").asLong();
        assertThat(all.get("meanResTime").asDouble()).isCloseTo(mean, within(0.5));
    }

    @Test
    void resultsOfARealJmeterBecomeARunThatClaimsNoMoreThanTheySay() throws Exception {
        assumeTrue(Boolean.getBoolean("diperf.long"), "a long check: ./check --long");
        JMeter jmeter = JMeter.at(Files.createDirectory(work.resolve("jmeter")));
        Path results;
        try (Service service = new Service()) {
            results = jmeter.results(service.port());
        }
        JsonNode theirs = jmeter.report(results, work.resolve("report"));

        String output = diperf(0, "import", results.toString(), "--out", "imported");

        JsonNode ours = new RunFolder(work.resolve("imported")).summary();
        assertThat(ours.get("calls").get("total").asLong())
                .isEqualTo(2_000)
                .isEqualTo(theirs.get("Total").get("sampleCount").asLong());
        assertThat(ours.get("calls").get("failed").asLong())
                .isEqualTo(1_020)
                .isEqualTo(theirs.get("Total").get("errorCount").asLong());
        assertThat(ours.get("calls").get("outcomes").get("status 404").asLong()).isEqualTo(1_000);
        assertThat(ours.get("calls").get("outcomes").get("status 503").asLong()).isEqualTo(20);
        assertThat(Files.readString(work.resolve("imported/requests.csv"))).contains("get", "\"missing, always\"");
        assertThat(ours.get("load").get("model").asString()).isEqualTo("unknown");
        assertThat(ours.has("sendLag")).isFalse();
        assertThat(ours.has("serviceTime")).isFalse();
        assertThat(ours.has("clock")).isFalse();
        assertThat(output)
                .contains("as far as the file says", "from the start time in the file")
                .doesNotContain("lag p99");
        assertThat(Files.readString(work.resolve("imported/report.html")))
                .contains("the intended load is not known", "from the start time in the file")
                .doesNotContain("Open load: calls are due", "The numbers can be trusted", "send-lag");
    }

    @Test
    void tenMillionRowsAreImportedInLittleMemoryWithProgress() throws Exception {
        assumeTrue(Boolean.getBoolean("diperf.long"), "a long check: ./check --long");
        Path file = work.resolve("many.jtl");
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            out.write("timeStamp,elapsed,label,responseCode,responseMessage,threadName,success,bytes\n");
            for (int i = 0; i < MANY; i++) {
                // 20,000 calls a second of 1 to 100 ms: their mean is 50.5 ms.
                out.write((1_795_255_200_000L + i / 20) + "," + (1 + i % 100) + ",get,200,OK,users 1-" + i % 500
                        + ",true,512\n");
            }
        }
        List<String> command = Command.commandLine(Command.controllerJar(), "import", "many.jtl", "--out", "many");
        command.add(1, "-Xmx256m");
        long begin = System.nanoTime();
        try (Command diperf = Command.start(work, command)) {
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
            assertThat(diperf.output()).contains("10,000,000 calls of");
            double seconds = (System.nanoTime() - begin) / 1e9;
            System.err.printf("import of 10 M rows: %.1f s%n", seconds);
            if (seconds > 3 * PROGRESS_SECONDS) {
                // A fast machine has read them before there is anything to say.
                assertThat(diperf.output()).containsPattern("[0-9,]+ rows read, [0-9]+ %");
            }
        }
        JsonNode summary = new RunFolder(work.resolve("many")).summary();
        assertThat(summary.get("calls").get("ok").asLong()).isEqualTo(MANY);
        assertThat(summary.get("responseTime").get("mean").asDouble()).isEqualTo(50.5);
    }
}
