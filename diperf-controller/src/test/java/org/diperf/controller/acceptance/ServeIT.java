package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The page over all runs of a folder. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class ServeIT {

    private static final int MANY = 200;

    @TempDir
    Path work;

    private static String link(Command serve) throws InterruptedException {
        Pattern link = Pattern.compile("(?m)^(http://127\\.0\\.0\\.1:[0-9]+/)$");
        serve.awaitOutput(output -> link.matcher(output).find());
        Matcher matcher = link.matcher(serve.output());
        assertThat(matcher.find()).isTrue();
        return matcher.group(1);
    }

    private static HttpResponse<String> get(String address) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(address)).build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Makes a folder of runs of two names from one that was measured. */
    private void manyRuns() throws Exception {
        try (EchoServer server = new EchoServer()) {
            EchoPlugin.copyTo(Files.createDirectory(work.resolve("mine")));
            for (String run : List.of("a", "b")) {
                try (Command diperf = Command.diperf(
                        work,
                        "run",
                        server.url(),
                        "--plugins",
                        "mine",
                        "--clients",
                        "4",
                        "--for",
                        "2s",
                        "--out",
                        run)) {
                    assertThat(diperf.exitCode()).as(diperf.output()).isZero();
                }
            }
        }
        Path runs = Files.createDirectories(work.resolve("runs"));
        for (int i = 0; i < MANY; i++) {
            Path from = work.resolve(i % 2 == 0 ? "a" : "b");
            Path to = Files.createDirectory(runs.resolve("run-%03d".formatted(i)));
            boolean whole = i < 2;
            try (Stream<Path> files = Files.walk(from)) {
                for (Path file : files.toList()) {
                    Path relative = from.relativize(file);
                    if (Files.isDirectory(file)) {
                        Files.createDirectories(to.resolve(relative.toString()));
                    } else if (whole || relative.getNameCount() == 1) {
                        Files.copy(file, to.resolve(relative.toString()));
                    }
                }
            }
            String name = i % 10 == 0 ? "other" : "orders";
            for (String file : List.of("run.json", "summary.json")) {
                String text = Files.readString(to.resolve(file));
                Files.writeString(
                        to.resolve(file),
                        text.replaceFirst("\"experiment\" ?: ?\"[^\"]*\"", "\"experiment\" : \"" + name + "\"")
                                .replaceFirst(
                                        "\"startedAt\" ?: ?\"[^\"]*\"",
                                        "\"startedAt\" : \"2026-01-01T%02d:%02d:00Z\"".formatted(i / 60, i % 60)));
            }
        }
    }

    @Test
    void twoHundredRunsAreListedFollowedAndCompared() throws Exception {
        manyRuns();
        try (Command serve = Command.diperf(work, "serve")) {
            String link = link(serve);
            assertThat(get(link).body()).contains("runs.js");
            long asked = System.nanoTime();
            JsonNode list = JsonMapper.shared().readTree(get(link + "runs.json").body());
            double seconds = (System.nanoTime() - asked) / 1e9;
            System.out.printf("first list of %d runs: %.3f s%n", MANY, seconds);
            assertThat(list.get("runs").size()).isEqualTo(MANY);
            assertThat(list.get("runs").get(0).get(0).asString()).isEqualTo("run-199");

            JsonNode trend = JsonMapper.shared()
                    .readTree(get(link + "trend.json?name=orders&number=response.p99")
                            .body());
            assertThat(trend.get("points").size()).isEqualTo(MANY * 9 / 10);
            JsonNode summary = new RunFolder(work.resolve("runs/run-001")).summary();
            JsonNode part = summary.has("measured") ? summary.get("measured") : summary;
            assertThat(trend.get("points").get(0).get(0).asString()).isEqualTo("run-001");
            assertThat(trend.get("points").get(0).get(2).asDouble())
                    .isIn(
                            part.get("responseTime").get("p99").asDouble(),
                            summary.get("responseTime").get("p99").asDouble());
            assertThat(get(link + "trend.json?name=orders&number=response.nosuch")
                            .statusCode())
                    .isEqualTo(400);

            assertThat(get(link + "runs/run-000/report.html").body()).contains("DiPerF");
            assertThat(get(link + "runs/run-000/run.log").statusCode()).isEqualTo(200);
            assertThat(get(link + "runs/nosuch/report.html").statusCode()).isEqualTo(404);
            assertThat(get(link + "runs/%2e%2e/experiment.yml").statusCode()).isEqualTo(404);
            assertThat(get(link + "runs/run-000/control/token").statusCode()).isEqualTo(404);

            HttpResponse<String> compared = HttpClient.newBuilder()
                    .followRedirects(HttpClient.Redirect.NORMAL)
                    .build()
                    .send(
                            HttpRequest.newBuilder(URI.create(link + "compare?a=run-000&b=run-001"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertThat(compared.statusCode()).as(compared.body()).isEqualTo(200);
            assertThat(compared.body()).contains("run-000", "run-001");
            assertThat(get(link + "compare?a=run-000&b=../a").statusCode()).isEqualTo(400);

            serve.process().destroy();
            assertThat(serve.exitCode()).isZero();
        }
    }

    @Tag("quick")
    @Test
    void aBrowserSearchesSortsAndFollowsThem() throws Exception {
        assumeTrue(Browser.program().isPresent(), "chromium is not installed: apt-get install chromium");
        manyRuns();
        try (Command serve = Command.diperf(work, "serve");
                Browser browser = Browser.open(1280, 1400)) {
            String link = link(serve);
            browser.go(link);
            browser.await(
                    "(document.body && document.body.dataset.ready) || ''",
                    ready -> ready.asString().equals("yes"));
            assertThat(browser.ask("document.querySelectorAll('#rows tr').length")
                            .asInt())
                    .isEqualTo(MANY);
            assertThat(browser.ask("document.querySelector('#rows a').textContent")
                            .asString())
                    .isEqualTo("run-199");
            browser.ask(
                    "document.querySelector('#head button').click(); document.querySelector('#head button').click(); 0");
            assertThat(browser.ask("document.querySelector('#rows a').textContent")
                            .asString())
                    .isIn("run-000", "run-199");
            browser.ask("(function () { const s = document.getElementById('search'); s.value = 'run-00';"
                    + " s.dispatchEvent(new Event('input')); })()");
            assertThat(browser.ask("document.querySelectorAll('#rows tr').length")
                            .asInt())
                    .isEqualTo(10);
            assertThat(browser.ask("document.querySelectorAll('#trend-chart canvas').length")
                            .asInt())
                    .isEqualTo(1);
            Path pictures = Files.createDirectories(Path.of("target/live-page"));
            browser.picture(pictures.resolve("runs.png"));
            browser.ask("(function () { const asked = window.fetch; window.fetch = function () { window.fetch = asked;"
                    + " return Promise.reject(new Error('away')); }; })()");
            String said = "document.getElementById('said').textContent";
            browser.await(said, text -> text.asString().endsWith("is diperf serve still running?"));
            browser.await(said, text -> text.asString().isEmpty());
            browser.ask("document.getElementById('theme').click(); 0");
            browser.size(390, 1600);
            browser.picture(pictures.resolve("runs-narrow.png"));
            browser.ask(
                    "(function () { const boxes = document.querySelectorAll('#rows input');"
                            + " [...boxes].filter(b => /run-00[01]$/.test(b.getAttribute('aria-label'))).forEach(b => b.click()); })()");
            browser.ask("document.getElementById('compare').click(); 0");
            browser.await("location.pathname", path -> path.asString().endsWith("/compare.html"));
            assertThat(browser.complaints()).isEmpty();
            assertThat(browser.asked())
                    .allMatch(url -> url.startsWith(link) || url.startsWith("data:") || url.startsWith("about:"));
        }
    }
}
