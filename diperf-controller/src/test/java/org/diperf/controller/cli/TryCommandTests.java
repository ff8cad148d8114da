package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.diperf.core.contract.TestCertificate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One call, made and shown by {@code try}; what it shows of answers is held by {@code CheckCallTests} too. */
@Timeout(60)
class TryCommandTests {

    @TempDir
    private Path folder = Path.of("");

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 5);
        server.createContext("/", exchange -> {
            String path = exchange.getRequestURI().getPath();
            asked.add(path);
            byte[] body = (path.equals("/login") ? "{\"token\": \"t-42\"}" : "you asked for " + path)
                    .getBytes(StandardCharsets.UTF_8);
            if (path.equals("/old")) {
                exchange.getResponseHeaders().set("Location", "/new");
            }
            exchange.sendResponseHeaders(path.equals("/orders") ? 500 : path.equals("/old") ? 302 : 200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private String file() throws IOException {
        return Files.writeString(folder.resolve("a.yml"), """
                        target: http://127.0.0.1:%d
                        load: { clients: 1, run-for: 1s }
                        client:
                          requests:
                            - { name: browse, weight: 9, with: { path: /items } }
                            - { name: order, weight: 1, with: { path: /orders } }
                          before: [ { name: login, with: { path: /login }, capture: { token: json:/token } } ]
                        """.formatted(
                                server.getAddress().getPort()))
                .toString();
    }

    @Test
    void theRequestThatIsAskedForIsMadeAfterTheStepsBeforeIt() throws IOException {
        Outcome outcome = Outcome.of("try", file(), "--request", "order");

        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.code()).isEqualTo(ExitCode.NOT_CARRIED_OUT);
        assertThat(asked).containsExactly("/login", "/orders");
        assertThat(outcome.out())
                .containsSubsequence(
                        "  before       login\n",
                        "path: /login\n",
                        "  asks         order\n",
                        "path: /orders\n",
                        "  before       login: ok\n",
                        "  captured     token = t-42\n",
                        "  one call     status 500\n",
                        "    < HTTP/1.1 500",
                        "    < you asked for /orders\n")
                .doesNotContain("browse");
        Outcome.of("try", file(), "--request", "browse");
        assertThat(asked).endsWith("/login", "/items");
    }

    @Test
    void aUrlNeedsNoFile() {
        Outcome outcome =
                Outcome.of("try", "http://127.0.0.1:" + server.getAddress().getPort() + "/hello");

        assertThat(outcome.code()).as(outcome.err()).isZero();
        assertThat(outcome.out()).contains("  one call     ok\n", "    < you asked for /hello\n");
    }

    @Test
    void whoTriesAFileWithAServiceIsToldThatOnlyARunStartsIt() throws IOException {
        String service = "service: { start: sleep 60 }\n";
        String there = Files.writeString(folder.resolve("b.yml"), Files.readString(Path.of(file())) + service)
                .toString();
        Outcome answered = Outcome.of("try", there, "--request", "browse");
        assertThat(answered.code()).as(answered.err()).isZero();
        assertThat(answered.out()).doesNotContain("'run' starts it");
        server.stop(0);
        Outcome outcome = Outcome.of("try", there, "--request", "browse");
        assertThat(outcome.code()).isEqualTo(ExitCode.NOT_CARRIED_OUT);
        assertThat(outcome.out()).contains("  service      'run' starts it, 'try' does not: start it first\n");
    }

    /** The first call of a JVM takes several times as long as those of a run. */
    @Test
    void itsTimesAreSaidToBeThoseOfAProgramThatHasJustStarted() {
        Outcome outcome =
                Outcome.of("try", "http://127.0.0.1:" + server.getAddress().getPort() + "/hello");

        assertThat(outcome.out())
                .containsSubsequence(
                        "  times        measured right after program start, so calls take longer than in a run\n",
                        "  one call     ok\n",
                        "  response     ");
    }

    @Test
    void onlyWhatWasChosenIsShownOfARequest() throws IOException {
        Outcome outcome = Outcome.of("try", file(), "--request", "browse");

        assertThat(outcome.out().lines().takeWhile(line -> !line.isBlank()).skip(1))
                .containsExactly(
                        "  before       login",
                        "               path: /login",
                        "  asks         browse",
                        "               path: /items",
                        "  times        measured right after program start, so calls take longer than in a run");
    }

    /** The request that has it showed "***", and the line of the captured value all of it. */
    @Test
    void aCapturedValueThatIsHiddenWhereItIsSentIsHiddenWhereItCameFromToo() throws IOException {
        String file = Files.writeString(folder.resolve("token.yml"), """
                        target: http://127.0.0.1:%d
                        load: { clients: 1, run-for: 1s }
                        client:
                          with: { path: /items, headers: { Authorization: "Bearer ${token}" } }
                          before: [ { name: login, with: { path: /login }, capture: { token: json:/token } } ]
                        """.formatted(
                                server.getAddress().getPort()))
                .toString();
        Outcome outcome = Outcome.of("try", file);

        assertThat(outcome.code()).as(outcome.err()).isZero();
        assertThat(outcome.out())
                .containsSubsequence(
                        "    < {\"token\": \"***\"}\n",
                        "  captured     token = ***\n",
                        "    > Authorization: Bearer ***\n")
                .doesNotContain("t-42");
    }

    @Test
    void whatCanBeDoneAboutAFailureIsSaid() {
        server.stop(0);
        int port = server.getAddress().getPort();
        assertThat(Outcome.of("try", "http://127.0.0.1:" + port + "/").out().replaceAll("\\s+", " "))
                .contains("one call connection refused; start the service, or correct the host and port of the target");
    }

    @Test
    void aRequestThatIsNotThereIsToldWithThoseThatAre() throws IOException {
        Outcome outcome = Outcome.of("try", file(), "--request", "ordre");

        assertThat(outcome.code()).isEqualTo(ExitCode.USAGE);
        assertThat(outcome.err()).contains("[browse, order]", "'ordre'", "order");
        assertThat(asked).isEmpty();
        assertThat(Outcome.of("try").code()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void otherClientsShowTheirDialogueToo() throws IOException {
        Path exec = Files.writeString(
                folder.resolve("exec.yml"),
                "target: exec:local\nload: { clients: 1, run-for: 1s }\n"
                        + "client: { plugin: exec, with: { command: [sh, -c, 'cat; exit 3'], stdin: \"who is there\\n\" } }\n");
        Outcome outcome = Outcome.of("try", exec.toString());
        assertThat(outcome.code()).as(outcome.err()).isEqualTo(ExitCode.NOT_CARRIED_OUT);
        assertThat(outcome.out())
                .containsSubsequence("one call     exit 3", "    > who is there\n", "    < who is there\n");
    }

    @Test
    void aRedirectIsShownWithWhereItLeads() throws IOException {
        Outcome outcome =
                Outcome.of("try", "http://127.0.0.1:" + server.getAddress().getPort() + "/old");

        assertThat(outcome.code()).as(outcome.err()).isZero();
        assertThat(outcome.out()).containsSubsequence("    < HTTP/1.1 302", "    < Location: /new\n");
        assertThat(asked).containsExactly("/old");
    }

    @Test
    void aFailedCheckIsShownWithTheAnswerThatFailedIt() throws IOException {
        String file = Files.writeString(folder.resolve("check.yml"), """
                        target: http://127.0.0.1:%d
                        load: { clients: 1, run-for: 1s }
                        client:
                          requests: [ { name: login, with: { path: /login }, check: { "json:/token": t-43 } } ]
                        """.formatted(
                                server.getAddress().getPort()))
                .toString();
        Outcome outcome = Outcome.of("try", file);

        assertThat(outcome.code()).isEqualTo(ExitCode.NOT_CARRIED_OUT);
        assertThat(outcome.out())
                .containsSubsequence(
                        "  one call     check json:/token t-43\n",
                        "    < HTTP/1.1 200",
                        "    < {\"token\": \"t-42\"}\n");
    }

    @Test
    void aCertificateThatIsRefusedIsShown() throws Exception {
        HttpsServer secured = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 5);
        secured.setHttpsConfigurator(new HttpsConfigurator(
                TestCertificate.make(folder, "other", "dns:elsewhere.example").context()));
        secured.start();
        try {
            int port = secured.getAddress().getPort();
            Outcome outcome = Outcome.of("try", "https://127.0.0.1:" + port + "/");

            assertThat(outcome.code()).isEqualTo(ExitCode.NOT_CARRIED_OUT);
            assertThat(outcome.out())
                    .containsSubsequence(
                            "  one call     tls: ",
                            "    * TLS handshake with 127.0.0.1:" + port + " failed: ",
                            "    * its certificate: CN=other, of CN=other, for [elsewhere.example], valid from ");
        } finally {
            secured.stop(0);
        }
    }

    @Test
    void howLongANameTookToLookUpIsShownAndAnAddressHasNone() {
        int port = server.getAddress().getPort();
        assertThat(Outcome.of("try", "http://localhost:" + port + "/").out())
                .containsPattern("\n  name +[0-9.]+ (µs|ms|s) to look up localhost: .*127\\.0\\.0\\.1");
        assertThat(Outcome.of("try", "http://127.0.0.1:" + port + "/").out()).doesNotContain("to look up");
    }
}
