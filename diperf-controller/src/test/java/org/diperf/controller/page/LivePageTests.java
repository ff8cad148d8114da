package org.diperf.controller.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.diperf.controller.experiment.ExperimentFile;
import org.diperf.controller.progress.LiveSnapshot;
import org.diperf.controller.progress.LiveSource;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.run.RunRecord.Event;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The page as it is on the wire. */
@Timeout(60)
class LivePageTests {

    private static final int LARGE = 60_000;

    @TempDir
    Path folder;

    private final FakeRun run = new FakeRun();
    private LivePage page;
    private URI address;
    private String token;

    /** A run whose looks can be made long. */
    private static final class FakeRun implements LiveSource {
        private final Experiment experiment = parsed();
        private final AtomicInteger looks = new AtomicInteger();
        private final List<String> stops = new CopyOnWriteArrayList<>();
        private volatile String note = "note";

        private static Experiment parsed() {
            try {
                return ExperimentFile.parse(
                                "name: fake\ntarget: http://127.0.0.1:1/\nload: { clients: 1, run-for: 1s }\n",
                                "fake",
                                List.of(),
                                Plugins.bundled())
                        .experiment();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public Experiment experiment() {
            return experiment;
        }

        @Override
        public Path folder() {
            return Path.of("no-such-folder");
        }

        @Override
        public LiveSnapshot look(long since) {
            return new LiveSnapshot(
                    "look " + looks.incrementAndGet(),
                    null,
                    null,
                    List.of(),
                    List.of(),
                    List.of("<script>alert(1)</script>\n\nevent: forged"),
                    List.of(note),
                    List.of(new Event(1_000_000_000, "began", false)));
        }

        @Override
        public void stop(String who) {
            stops.add(who);
        }
    }

    @BeforeEach
    void begin() throws IOException {
        page = new LivePage("127.0.0.1", 0, Experiment::name);
        page.begins(run);
        URI link = URI.create(page.link());
        address = URI.create("http://127.0.0.1:" + link.getPort());
        token = link.getFragment();
    }

    @AfterEach
    void end() {
        page.close();
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket();
        socket.connect(new InetSocketAddress("127.0.0.1", address.getPort()), 10_000);
        socket.setSoTimeout(10_000);
        return socket;
    }

    /** Sends a request with these headers next to Host; gives the head and body of the answer. */
    private String ask(String request, String host, String... headers) throws IOException {
        try (Socket socket = connect()) {
            socket.getOutputStream()
                    .write((request + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n"
                                    + String.join(
                                            "",
                                            List.of(headers).stream()
                                                    .map(header -> header + "\r\n")
                                                    .toList())
                                    + "\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private String host() {
        return address.getAuthority();
    }

    private BufferedReader events(Socket socket) throws IOException {
        socket.getOutputStream()
                .write(("GET /events HTTP/1.1\r\nHost: " + host() + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    private static JsonNode next(BufferedReader events, String kind) throws IOException {
        for (String line = events.readLine(); line != null; line = events.readLine()) {
            if (line.equals("event: " + kind)) {
                return JsonMapper.shared().readTree(events.readLine().substring("data: ".length()));
            }
        }
        throw new AssertionError("The stream ended before an event " + kind);
    }

    @Test
    void thePageIsServedWithAStrictPolicyAndNothingOfOthers() throws IOException {
        String html = ask("GET /", host());
        assertThat(html).startsWith("HTTP/1.1 200").contains("default-src 'none'", "script-src 'self'", "nosniff");
        assertThat(html).doesNotContain("http://", "https://", "style=", "onclick");
        for (String part : List.of("/live.js", "/theme.js", "/chart.js", "/plot.js", "/page.css")) {
            assertThat(ask("GET " + part, host())).as(part).startsWith("HTTP/1.1 200");
        }
        assertThat(ask("GET /../../etc/passwd", host())).startsWith("HTTP/1.1 404");
        assertThat(ask("GET /summary.json", host())).startsWith("HTTP/1.1 404");
    }

    @Test
    void aForeignHostIsRefused() throws IOException {
        assertThat(ask("GET /events", "evil.example:" + address.getPort())).startsWith("HTTP/1.1 421");
        assertThat(ask("GET /", "evil.example")).startsWith("HTTP/1.1 421");
    }

    @Test
    void aForeignOriginIsRefused() throws IOException {
        assertThat(ask("GET /events", host(), "Origin: http://evil.example")).startsWith("HTTP/1.1 403");
        assertThat(ask("GET /events", host(), "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: cors"))
                .startsWith("HTTP/1.1 403");
        assertThat(ask("POST /stop", host(), "Origin: http://evil.example", "X-DiPerF-Token: " + token))
                .startsWith("HTTP/1.1 403");
        assertThat(run.stops).isEmpty();
    }

    @Test
    void stoppingWantsTheToken() throws IOException {
        String own = "Origin: " + address;
        assertThat(ask("POST /stop", host(), own)).startsWith("HTTP/1.1 403");
        assertThat(ask("POST /stop", host(), own, "X-DiPerF-Token: wrong")).startsWith("HTTP/1.1 403");
        assertThat(ask("POST /stop", host(), "X-DiPerF-Token: " + token)).startsWith("HTTP/1.1 403");
        assertThat(ask("GET /stop", host(), own, "X-DiPerF-Token: " + token)).startsWith("HTTP/1.1 404");
        assertThat(run.stops).isEmpty();
        assertThat(ask("POST /stop", host(), own, "X-DiPerF-Token: " + token)).startsWith("HTTP/1.1 202");
        assertThat(run.stops).containsExactly("127.0.0.1");
    }

    @Test
    void requestsThatAreTooLongOrNoneAreRefused() throws IOException {
        assertThat(ask("GET /" + "a".repeat(5_000), host())).startsWith("HTTP/1.1 400");
        assertThat(ask("GET /", host(), "X: " + "a".repeat(9_000))).startsWith("HTTP/1.1 400");
        assertThat(ask("POST /stop", host(), "Content-Length: 1000000")).startsWith("HTTP/1.1 413");
    }

    @Test
    void aViewerGetsEverythingAndThenWhatIsNew() throws IOException {
        try (Socket socket = connect()) {
            BufferedReader events = events(socket);
            JsonNode whole = next(events, "snapshot");
            assertThat(whole.get("name").asString()).isEqualTo("fake");
            assertThat(whole.get("events").get(0).get(1).asString()).isEqualTo("began");
            // A line break in a text makes no event.
            assertThat(whole.get("doubts").get(0).asString()).contains("event: forged");
            next(events, "snapshot");
            next(events, "tick");
        }
    }

    @Test
    void nobodyIsLookedForWhereNobodyLooks() throws Exception {
        page.begins(run);
        int before = run.looks.get();
        Thread.sleep(Duration.ofMillis(2_500).toMillis());
        assertThat(run.looks.get()).isEqualTo(before);
    }

    @Test
    void manyViewersCostOneLookASecond() throws IOException {
        List<Socket> sockets = new ArrayList<>();
        try {
            BufferedReader first = null;
            for (int i = 0; i < 10; i++) {
                Socket socket = connect();
                sockets.add(socket);
                first = first == null ? events(socket) : first;
                if (i > 0) {
                    events(socket);
                }
            }
            next(first, "snapshot");
            next(first, "tick");
            int before = run.looks.get();
            next(first, "tick");
            next(first, "tick");
            assertThat(run.looks.get() - before).isLessThanOrEqualTo(3);
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    @Test
    void aViewerThatDoesNotReadIsPassedOverAndOthersGoOn() throws IOException {
        run.note = "n".repeat(LARGE);
        try (Socket stalled = new Socket();
                Socket reading = connect()) {
            stalled.setReceiveBufferSize(4_096);
            stalled.connect(new InetSocketAddress("127.0.0.1", address.getPort()), 10_000);
            events(stalled);
            BufferedReader events = events(reading);
            next(events, "snapshot");
            for (int i = 0; i < 4; i++) {
                next(events, "tick");
            }
            assertThat(page.link()).isNotEmpty();
        }
    }

    /** Reads the rest of an answer's head and as much of its body as the head announces. */
    private static String body(BufferedReader answer) throws IOException {
        int length = 0;
        for (String line = answer.readLine(); line != null && !line.isEmpty(); line = answer.readLine()) {
            String[] field = line.toLowerCase(Locale.ROOT).split(": *", 2);
            length = field[0].equals("content-length") ? Integer.parseInt(field[1]) : length;
        }
        char[] body = new char[length];
        for (int at = 0, read; at < length; at += read) {
            read = answer.read(body, at, length - at);
            assertThat(read).as("of %d characters, after %d", length, at).isPositive();
        }
        return new String(body);
    }

    @Test
    void aConnectionTooManyIsToldSoInFull() throws Exception {
        List<Socket> idle = new ArrayList<>();
        try {
            for (int i = 0; i < PageServer.MAX_CONNECTIONS; i++) {
                idle.add(connect());
            }
            try (Socket last = connect()) {
                BufferedReader answer =
                        new BufferedReader(new InputStreamReader(last.getInputStream(), StandardCharsets.US_ASCII));
                assertThat(answer.readLine()).isEqualTo("HTTP/1.1 503 Service Unavailable");
                assertThat(body(answer)).isEqualTo("Too many viewers have this page open.\n");
                assertThat(answer.read()).as("after the body").isEqualTo(-1);
            }
        } finally {
            for (Socket socket : idle) {
                socket.close();
            }
        }
    }

    @Test
    void aThousandConnectionsAreRefusedInGoodOrder() throws Exception {
        List<Socket> sockets = new ArrayList<>();
        int served = 0;
        int refused = 0;
        try (Socket looking = connect()) {
            BufferedReader events = events(looking);
            next(events, "snapshot");
            for (int i = 0; i < 1_000; i++) {
                Socket socket = connect();
                sockets.add(socket);
                socket.getOutputStream()
                        .write(("GET /events HTTP/1.1\r\nHost: " + host() + "\r\n\r\n")
                                .getBytes(StandardCharsets.US_ASCII));
            }
            for (Socket socket : sockets) {
                BufferedReader answer =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
                String head = answer.readLine();
                served += "HTTP/1.1 200 OK".equals(head) ? 1 : 0;
                if ("HTTP/1.1 503 Service Unavailable".equals(head)) {
                    refused++;
                    assertThat(body(answer)).isEqualTo("Too many viewers have this page open.\n");
                }
            }
            assertThat(served).isEqualTo(Viewers.MOST - 1);
            assertThat(served + refused).isEqualTo(1_000);
            // Who was there first goes on.
            next(events, "tick");
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
        // And when they have gone there is room again.
        for (int i = 0; i < 100; i++) {
            if (ask("GET /", host()).startsWith("HTTP/1.1 200")) {
                return;
            }
            Thread.sleep(50);
        }
        throw new AssertionError("there is no room again");
    }

    @Test
    void anIdleConnectionDoesNotKeepItsPlaceForEver() throws IOException {
        try (Socket idle = connect()) {
            idle.setSoTimeout(30_000);
            idle.getOutputStream().write("GET / HT".getBytes(StandardCharsets.US_ASCII));
            assertThat(idle.getInputStream().read()).isEqualTo(-1);
        } catch (SocketTimeoutException e) {
            throw new AssertionError("still connected", e);
        }
    }

    @Test
    void atTheEndItTurnsIntoTheReport() throws Exception {
        Files.writeString(folder.resolve("report.html"), "<p>the report</p>");
        Files.writeString(folder.resolve("secret.txt"), "no");
        try (Socket socket = connect()) {
            BufferedReader events = events(socket);
            next(events, "snapshot");
            page.ends();
            assertThat(next(events, "tick").get("over").asBoolean()).isTrue();
            Thread fetching = new Thread(() -> {
                try {
                    next(events, "report");
                    ask("GET /report.html", host());
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            fetching.start();
            long began = System.nanoTime();
            page.turnIntoReport(folder);
            assertThat(System.nanoTime() - began).isLessThan(9_000_000_000L);
            fetching.join();
            assertThat(ask("GET /", host())).startsWith("HTTP/1.1 303").contains("location: /report.html");
            assertThat(ask("GET /report.html", host()))
                    .contains("the report", "sandbox allow-scripts")
                    .startsWith("HTTP/1.1 200");
            assertThat(ask("GET /secret.txt", host())).startsWith("HTTP/1.1 404");
            assertThat(ask("GET /figures/%2e%2e/secret.txt", host())).startsWith("HTTP/1.1 404");
        }
    }

    @Test
    void thePageDoesNotEndBeforeAViewerHasTheWholeReport() throws Exception {
        // More than the sockets of both sides hold.
        long length = 32 << 20;
        try (RandomAccessFile report =
                new RandomAccessFile(folder.resolve("report.html").toFile(), "rw")) {
            report.setLength(length);
        }
        Thread ending = new Thread(() -> {
            try {
                page.turnIntoReport(folder);
                page.close();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        try (Socket watching = connect();
                Socket reading = connect()) {
            BufferedReader events = events(watching);
            next(events, "snapshot");
            ending.start();
            next(events, "report");
            reading.getOutputStream()
                    .write(("GET /report.html HTTP/1.1\r\nHost: " + host() + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            InputStream answer = reading.getInputStream();
            assertThat(answer.read()).isEqualTo('H');
            assertThat(ending.isAlive()).isTrue();
            assertThat(answer.transferTo(OutputStream.nullOutputStream())).isGreaterThan(length);
            ending.join();
        }
    }

    /** It came without its styles, and its stream of events found no server. */
    @Test
    void whoOpensThePageAsTheRunEndsStillGetsItsPartsAndTheReport() throws Exception {
        Files.writeString(folder.resolve("report.html"), "<p>the report</p>");
        assertThat(ask("GET /", host())).startsWith("HTTP/1.1 200").contains("page.css");
        page.ends();
        Thread ending = new Thread(() -> {
            try {
                page.turnIntoReport(folder);
                page.close();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        ending.start();
        while (!ask("GET /", host()).startsWith("HTTP/1.1 303")) {
            Thread.onSpinWait();
        }
        assertThat(ask("GET /page.css", host())).startsWith("HTTP/1.1 200");
        assertThat(ask("GET /live.js", host())).startsWith("HTTP/1.1 200");
        try (Socket socket = connect()) {
            next(events(socket), "report");
        }
        assertThat(ask("GET /report.html", host())).startsWith("HTTP/1.1 200").contains("the report");
        ending.join();
    }

    @Test
    void withoutAReportViewersAreToldSo() throws IOException {
        try (Socket socket = connect()) {
            BufferedReader events = events(socket);
            next(events, "snapshot");
            page.close();
            next(events, "end");
        }
    }
}
