package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
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
            exchange.sendResponseHeaders(path.equals("/orders") ? 500 : 200, body.length);
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
}
