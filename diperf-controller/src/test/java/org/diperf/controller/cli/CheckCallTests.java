package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code check --call} shows of the service's answers. */
@Timeout(60)
class CheckCallTests {

    @TempDir
    private Path folder = Path.of("");

    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 5);
        server.createContext("/login", exchange -> answer(exchange, 200, "{\"token\": \"t-42\"}"));
        server.createContext("/refused", exchange -> answer(exchange, 403, "not you\n"));
        server.createContext(
                "/orders",
                exchange -> answer(
                        exchange,
                        "Bearer t-42".equals(exchange.getRequestHeaders().getFirst("Authorization")) ? 500 : 401,
                        "no stock\n\u001b[31mline two\n"));
        server.createContext("/picture", exchange -> answer(exchange, 200, "GIF\0\0"));
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("X-Why", "because");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private Outcome check(String path, String client) throws IOException {
        String file = Files.writeString(
                        folder.resolve("a.yml"),
                        "target: http://127.0.0.1:" + server.getAddress().getPort() + path
                                + "\nload: { clients: 1, run-for: 1s }\n" + client)
                .toString();
        return Outcome.of("check", "--call", file);
    }

    @Test
    void aFailedCallIsShownWithStepsCapturesHeadersAndBody() throws IOException {
        Outcome outcome = check(
                "/orders",
                "client:\n  with: { headers: { Authorization: 'Bearer ${token}' } }\n"
                        + "  before: [ { name: login, with: { path: /login }, capture: { token: json:/token } } ]\n");

        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.code()).isEqualTo(ExitCode.NOT_CARRIED_OUT);
        assertThat(outcome.out())
                .containsSubsequence(
                        "  before       login: ok\n",
                        "  connect      ",
                        "    > GET /login HTTP/1.1\n",
                        "    < HTTP/1.1 200 OK\n",
                        "    < {\"token\": \"***\"}\n",
                        "  captured     token = ***\n",
                        "  one call     status 500\n",
                        "    > GET /orders HTTP/1.1\n",
                        "    > Authorization: Bearer ***\n",
                        "    < HTTP/1.1 500 Internal Server Error\n",
                        "    < no stock\n    < ·[31mline two\n")
                .containsIgnoringCase("x-why: because\n")
                .doesNotContain("\u001b");
    }

    @Test
    void aFailedStepIsShownAndTheCallIsNotMade() throws IOException {
        Outcome outcome = check(
                "/orders",
                "client:\n  before: [ { name: login, with: { path: /refused }, capture: { token: json:/token } } ]\n");

        assertThat(outcome.code()).isEqualTo(ExitCode.NOT_CARRIED_OUT);
        assertThat(outcome.out())
                .containsSubsequence(
                        "  before       login: status 403; check the credentials and the path\n",
                        "    < not you\n",
                        "  one call     login");
    }

    @Test
    void aBodyThatIsNoTextHasDotsForWhatNobodyCanRead() throws IOException {
        Outcome outcome = check("/picture", "");

        assertThat(outcome.code()).isZero();
        assertThat(outcome.out()).contains("  one call     ok\n", "    < GIF··\n");
    }

    @Test
    void whatASecretIsStaysHiddenInAnAnswerThatRepeatsIt() throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), "t-42\"}");
        Outcome outcome =
                check("/login", "client: { with: { headers: { X-Key: '${secret:file:" + secret + "}' } } }\n");

        assertThat(outcome.code()).isZero();
        assertThat(outcome.out()).contains("    < {\"token\": \"***\n").doesNotContain("t-42");
    }
}
