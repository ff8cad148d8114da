package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.Calls;
import org.diperf.core.sample.Outcome;
import org.diperf.core.sample.SampleReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A run, looked at by a real browser while it is under way. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class LivePageIT {

    private static final Pattern LINK = Pattern.compile("live +(http://127\\.0\\.0\\.1:[0-9]+/#\\S+)");
    private static final String NOW = "diperfLive.now()";
    private static final long SLOW_MILLIS = 250;

    @TempDir
    Path work;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HttpServer service;
    /** While the page is looked at answers take long, so that the calls of the run last until that is done, however long it takes. */
    private volatile boolean slow;

    /** Answers one of ten requests with 500. */
    @BeforeEach
    void serve() throws IOException {
        assumeTrue(Browser.program().isPresent(), "chromium is not installed: apt-get install chromium");
        AtomicLong count = new AtomicLong();
        service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 256);
        service.setExecutor(threads);
        service.createContext("/", exchange -> {
            byte[] body = "hello\n".getBytes(StandardCharsets.US_ASCII);
            if (slow) {
                pause();
            }
            exchange.sendResponseHeaders(count.incrementAndGet() % 10 == 0 ? 500 : 200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        service.start();
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(SLOW_MILLIS);
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @AfterEach
    void end() {
        if (service != null) {
            service.stop(0);
        }
        threads.shutdownNow();
    }

    private void experiment(String until, String threshold) throws IOException {
        Files.writeString(
                work.resolve("page.yml"), """
                name: page
                target: http://127.0.0.1:%d/
                client:
                  requests:
                    - { name: browse, weight: 3, with: { path: /items } }
                    - { name: order, weight: 1, with: { path: /orders } }
                testbed: { kind: local, testers: 2 }
                load: { clients: 8, start-every: 250ms, %s, think: 10ms }
                thresholds: [ "%s", "response.p99 < 10s", verdict == valid ]
                """.formatted(service.getAddress().getPort(), until, threshold));
    }

    private static String link(Command diperf) throws InterruptedException {
        diperf.awaitOutput(output -> LINK.matcher(output).find());
        Matcher matcher = LINK.matcher(diperf.output());
        assertThat(matcher.find()).isTrue();
        return matcher.group(1);
    }

    @Tag("quick")
    @Test
    void itShowsTheRunWhileItIsUnderWayAndTurnsIntoTheReport() throws Exception {
        experiment("calls: 3000", "failed < 1%");
        slow = true;
        List<JsonNode> looks = new ArrayList<>();
        try (Command diperf = Command.diperf(work, "run", "page.yml", "--live", "--out", "run");
                Browser browser = Browser.open(1280, 1500)) {
            URI link = URI.create(link(diperf));
            browser.always(
                    "setInterval(() => { const n = typeof diperfLive === 'undefined' ? {} : diperfLive.now();"
                            + " if (n.over && !window.told) { window.told = 1; console.info('LAST ' + JSON.stringify(n)); } }, 20)");
            browser.go(link.toString());
            browser.await("typeof diperfLive === 'undefined' ? null : location.hash", hash -> hash.isString());
            assertThat(browser.ask("location.href").asString()).doesNotContain("#");
            browser.await("(diperfLive.now().calls || {}).ok || 0", ok -> ok.asLong() > 100);
            browser.await("diperfLive.rows().length", rows -> rows.asInt() >= 4);
            int canvases =
                    browser.ask("document.querySelectorAll('canvas').length").asInt();
            assertThat(canvases).isEqualTo(2);
            String drawn =
                    browser.ask("document.querySelector('canvas').toDataURL()").asString();

            for (int i = 0; i < 3; i++) {
                int rows = browser.ask("diperfLive.rows().length").asInt();
                browser.await("diperfLive.rows().length", now -> now.asInt() > rows);
                looks.add(browser.ask(NOW));
                // What is read by people is what was told.
                assertThat(browser.ask(
                                        "(function () { const n = " + NOW + "; return document.querySelector("
                                                + "'#tiles div:nth-child(5) dd').textContent === n.calls.ok.toLocaleString('en-US'); })()")
                                .asBoolean())
                        .isTrue();
            }
            assertThat(browser.ask("document.querySelector('canvas').toDataURL()")
                            .asString())
                    .as("the curves move")
                    .isNotEqualTo(drawn);

            assertThat(browser.ask("document.getElementById('requests-table').textContent")
                            .asString())
                    .contains("browse", "order");
            assertThat(browser.ask("document.getElementById('testers-table').querySelectorAll('tbody tr').length")
                            .asInt())
                    .isEqualTo(2);
            assertThat(browser.ask("document.getElementById('thresholds').textContent")
                            .asString())
                    .contains("✗", "✓", "at the end");
            assertThat(browser.ask("document.getElementById('causes').textContent")
                            .asString())
                    .contains("500");
            assertThat(browser.ask("[...document.querySelectorAll('#calls-list details')].map(d => d.textContent)"
                                    + ".filter(t => t.startsWith('status 500')).join()")
                            .asString())
                    .contains("> GET /", "< HTTP/1.1 500", "< hello");
            byKeys(browser);
            inTheDark(browser);
            slow = false;

            browser.await("location.pathname", path -> path.asString().equals("/report.html"));
            assertThat(diperf.exitCode()).as(diperf.output()).isEqualTo(99);
            browser.await("document.title", title -> title.asString().equals("page · DiPerF"));
            browser.await("document.querySelectorAll('#chart canvas').length", canvas -> canvas.asInt() == 2);
            assertThat(browser.complaints()).isEmpty();
            assertThat(browser.asked())
                    .allMatch(url -> url.startsWith("http://127.0.0.1:" + link.getPort() + "/")
                            || url.startsWith("data:")
                            || url.startsWith("about:"));
            JsonNode last = browser.said().stream()
                    .filter(line -> line.startsWith("LAST "))
                    .map(line -> JsonMapper.shared().readTree(line.substring(5)))
                    .findFirst()
                    .orElseThrow();
            looks.add(last);
            JsonNode summary = new RunFolder(work.resolve("run")).summary();
            for (String kind : List.of("ok", "failed")) {
                assertThat(last.get("calls").get(kind).asLong())
                        .isEqualTo(summary.get("calls").get(kind).asLong());
            }
            for (String statistic : List.of("p50", "p99", "max")) {
                double wanted = summary.get("responseTime").get(statistic).asDouble();
                assertThat(last.get("response").get(statistic).asDouble()).isCloseTo(wanted, within(wanted * 0.001));
            }
        }
        for (JsonNode look : looks) {
            assertRecomputes(look);
        }
    }

    private static void byKeys(Browser browser) throws Exception {
        browser.ask("document.getElementById('chart').focus(); 0");
        browser.press("+");
        browser.press("+");
        browser.await(
                "document.getElementById('chart-view').textContent",
                text -> text.asString().startsWith("from"));
        browser.press("0");
        browser.await(
                "document.getElementById('chart-view').textContent",
                text -> text.asString().startsWith("the whole run"));
    }

    private static void inTheDark(Browser browser) throws Exception {
        Path pictures = Path.of("target/live-page");
        Files.createDirectories(pictures);
        for (String theme : List.of("light", "dark")) {
            if (!browser.ask("document.documentElement.dataset.theme")
                    .asString()
                    .equals(theme)) {
                browser.ask("document.getElementById('theme').click(); 0");
            }
            assertThat(browser.ask("document.documentElement.dataset.theme").asString())
                    .isEqualTo(theme);
            int[] ground = colours(browser.ask("getComputedStyle(document.body).backgroundColor")
                    .asString());
            assertThat(ground[0] < 128).isEqualTo(theme.equals("dark"));
            browser.picture(pictures.resolve(theme + ".png"));
        }
        browser.size(390, 1800);
        browser.await("document.documentElement.scrollWidth <= 390", narrow -> narrow.asBoolean());
        browser.picture(pictures.resolve("narrow.png"));
        browser.size(1280, 1500);
    }

    private static int[] colours(String rgb) {
        return Pattern.compile("[0-9]+")
                .matcher(rgb)
                .results()
                .mapToInt(found -> Integer.parseInt(found.group()))
                .toArray();
    }

    /** Counts the calls of the blocks that a look says it saw, from the samples as stored. */
    private void assertRecomputes(JsonNode look) throws IOException {
        List<Long> times = new ArrayList<>();
        long[] failed = new long[1];
        Calls calls = new Calls();
        SampleReader.read(work.resolve("run/samples"), new SampleReader.Visitor() {
            @Override
            public void block(Block header, ByteBuffer data) throws IOException {
                if (header.kind() != Block.CALLS || !saw(look, header)) {
                    return;
                }
                calls.decode(data, header);
                for (int row = 0; row < calls.rows(); row++) {
                    if (calls.outcome(row).equals(Outcome.OK)) {
                        times.add(calls.latencyNanos(row));
                    } else if (Outcome.isFailure(calls.outcome(row))) {
                        failed[0]++;
                    }
                }
            }

            @Override
            public void damaged(Path file, long offset, String reason) {
                throw new AssertionError(file + " at " + offset + ": " + reason);
            }
        });
        Collections.sort(times);
        assertThat(look.get("calls").get("ok").asLong()).isEqualTo(times.size()).isPositive();
        assertThat(look.get("calls").get("failed").asLong())
                .isEqualTo(failed[0])
                .isPositive();
        for (int percent : new int[] {50, 90, 99}) {
            double exact = times.get((int) Math.ceil(percent / 100.0 * times.size()) - 1) / 1e6;
            // A bucket of 2^10 in each power of two.
            assertThat(look.get("response")
                            .get(String.format(Locale.ROOT, "p%d", percent))
                            .asDouble())
                    .isCloseTo(exact, within(exact / 1024));
        }
        long inRows = 0;
        for (JsonNode tester : look.get("testers")) {
            inRows += tester.get(6).asLong();
        }
        assertThat(inRows).isEqualTo(times.size());
    }

    private static boolean saw(JsonNode look, Block block) {
        for (JsonNode tester : look.get("testers")) {
            if (tester.get(0).asInt() == block.tester()) {
                for (String range : tester.get(11).asString().split(",")) {
                    String[] ends = range.split("-");
                    if (!range.isEmpty()
                            && block.number() >= Long.parseLong(ends[0])
                            && block.number() <= Long.parseLong(ends[ends.length - 1])) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    @Test
    void whoStopsARunFromItsPageStandsInTheReport() throws Exception {
        experiment("run-for: 60s", "failed < 50%");
        try (Command diperf = Command.diperf(work, "run", "page.yml", "--live", "--out", "run");
                Browser browser = Browser.open(390, 1600)) {
            browser.go(link(diperf));
            browser.await(
                    "typeof diperfLive !== 'undefined' && (diperfLive.now().calls || {}).ok || 0",
                    ok -> ok.asLong() > 50);
            // Before all clients run there is nothing that thresholds could be judged by.
            browser.await("diperfLive.now().elapsed || 0", elapsed -> elapsed.asDouble() > 6);
            browser.ask("document.getElementById('stop').click(); 0");
            // Whoever hesitates has stopped nothing.
            browser.ask("document.getElementById('stop-no').click(); 0");
            browser.ask("document.getElementById('stop').click(); 0");
            browser.ask("document.getElementById('stop-yes').click(); 0");
            browser.await("location.pathname", path -> path.asString().equals("/report.html"));
            browser.await(
                    "(document.body || {}).textContent || ''",
                    text -> text.asString().contains("the run was stopped from its live page"));
            assertThat(diperf.exitCode()).as(diperf.output()).isEqualTo(3);
            assertThat(browser.complaints()).isEmpty();
        }
        JsonNode summary = new RunFolder(work.resolve("run")).summary();
        assertThat(summary.get("durationSeconds").asDouble()).isLessThan(55);
        assertThat(summary.get("events").get(0).get("text").asString())
                .isEqualTo("the run was stopped from its live page (127.0.0.1)");
        assertThat(Files.readString(work.resolve("run/run.log")))
                .contains("the run was stopped from its live page (127.0.0.1)");
    }
}
