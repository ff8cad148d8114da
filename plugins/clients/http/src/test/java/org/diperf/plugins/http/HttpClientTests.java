package org.diperf.plugins.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.JdkLoop;
import org.diperf.core.contract.NettyLoop;
import org.diperf.core.contract.PluginHarness;
import org.diperf.core.contract.RecorderProbe;
import org.diperf.core.contract.TestLoop;
import org.diperf.core.ports.FreePorts;
import org.diperf.core.spi.Fault;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Url;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class HttpClientTests {

    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

    /** Responses that have begun and not ended. */
    private static final String HALF_HEAD = "HTTP/1.1 200 OK\r\nContent-Le";

    private static final String HALF_BODY = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc";
    private static final String HALF_CHUNK = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab";
    private static final String NO_LAST_CHUNK = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n";

    @TempDir
    Path folder;

    private PluginHarness harness(Url target, Map<String, ?> with) throws Exception {
        return harness(target, with, new NettyLoop());
    }

    private PluginHarness harness(Url target, Map<String, ?> with, TestLoop loop) throws Exception {
        return new PluginHarness(new HttpPlugin(), List.of(target), with, Duration.ofSeconds(5), folder, loop);
    }

    private CallProbe one(Url target, Map<String, ?> with) throws Exception {
        try (PluginHarness harness = harness(target, with);
                PluginHarness.Owned client = harness.client(0)) {
            return client.call();
        }
    }

    private static TestLoop loop(String kind) {
        Assumptions.assumeTrue(!kind.equals("epoll") || Epoll.isAvailable(), "no epoll here");
        return switch (kind) {
            case "jdk" -> new JdkLoop();
            case "nio" -> new NettyLoop();
            default -> new NettyLoop(EpollIoHandler.newFactory());
        };
    }

    /** One in five was never heard of again on epoll, and timed out. */
    @ParameterizedTest
    @ValueSource(strings = {"nio", "epoll"})
    void aConnectionThatIsClosedAsSoonAsItIsThereEndsItsCall(String kind) throws Exception {
        try (ServerSocket closing = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread server = new Thread(() -> {
                try {
                    while (true) {
                        closing.accept().close();
                    }
                } catch (IOException e) {
                    // the test is over
                }
            });
            server.setDaemon(true);
            server.start();
            Url target = Url.of("http://127.0.0.1:" + closing.getLocalPort() + "/");
            try (PluginHarness harness = harness(target, Map.of(), loop(kind));
                    PluginHarness.Owned client = harness.client(0)) {
                for (int i = 0; i < 100; i++) {
                    assertThat(client.call().failure()).isIn("closed before the response", "connection reset");
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdk", "nio", "epoll"})
    void callsShareOneKeptConnectionOnEveryKindOfLoop(String kind) throws Exception {
        try (ScriptedServer server = ScriptedServer.always(OK);
                PluginHarness harness = harness(server.uri("/a?b=c"), Map.of(), loop(kind));
                PluginHarness.Owned client = harness.client(0)) {
            for (int i = 0; i < 50; i++) {
                CallProbe call = client.call();
                assertThat(call.isOk()).as(call.toString()).isTrue();
                assertThat(call.ends()).isEqualTo(1);
                assertThat(call.bytes()).isEqualTo(5);
                assertThat(call.isFirst()).isEqualTo(i == 0);
                assertThat(call.metrics()).containsKey("first-byte");
                assertThat(call.metrics().containsKey("connect")).isEqualTo(i == 0);
            }
            assertThat(server.connections()).isEqualTo(1);
            assertThat(server.requests().get(0))
                    .startsWith("GET /a?b=c HTTP/1.1\r\nHost: 127.0.0.1:" + server.port() + "\r\n");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdk", "nio", "epoll"})
    void theRoundTripIsKnownBeforeTheServiceAnswersAndOnceForAKeptConnection(String kind) throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        try (ScriptedServer server = new ScriptedServer((request, head, socket, out) -> {
                    asked.countDown();
                    answer.await();
                    out.write(OK.getBytes(StandardCharsets.UTF_8));
                });
                PluginHarness harness = harness(server.uri("/"), Map.of(), loop(kind));
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = client.begin(0);
            asked.await();
            List<RecorderProbe.Observed> seen = harness.recorder().observations();
            assertThat(seen).hasSize(1);
            assertThat(seen.get(0).metric().name()).isEqualTo("network.rtt");
            assertThat(seen.get(0).value()).isPositive();
            answer.countDown();
            assertThat(call.awaitEnd(5_000)).isTrue();
            client.call();
            assertThat(harness.recorder().observations()).isEqualTo(seen);
        }
    }

    @Test
    void aNewConnectionIsMadeForEachCallWhereThatIsWanted() throws Exception {
        try (ScriptedServer server = ScriptedServer.always(OK);
                PluginHarness harness = harness(server.uri("/"), Map.of("connection", "new"));
                PluginHarness.Owned client = harness.client(0)) {
            for (int i = 0; i < 5; i++) {
                assertThat(client.call().isFirst()).isTrue();
            }
            assertThat(server.connections()).isEqualTo(5);
            assertThat(server.requests().get(0)).contains("Connection: close\r\n");
        }
    }

    @Test
    void methodPathHeadersAndBodyAreFilledInForEveryCall() throws Exception {
        try (ScriptedServer server = ScriptedServer.always(OK);
                PluginHarness harness = harness(
                        server.uri("/base/x"),
                        Map.of(
                                "method", "POST",
                                "path", "item ${call}",
                                "headers", Map.of("X-Client", "${client}", "user-agent", "mine"),
                                "body", "grüße ${call}"));
                PluginHarness.Owned client = harness.client(3)) {
            client.call();
            CallProbe second = client.call();
            assertThat(second.bytes()).isEqualTo("grüße 1".getBytes(StandardCharsets.UTF_8).length + 5);
            assertThat(server.requests().get(1))
                    .startsWith("POST /base/item%201 HTTP/1.1\r\n")
                    .contains("X-Client: 3\r\n")
                    .contains("user-agent: mine\r\n")
                    .contains("Content-Length: 9\r\n")
                    .doesNotContain("User-Agent: diperf")
                    .endsWith("\r\n\r\ngrüße 1");
        }
    }

    @Test
    void aBodyComesFromAFile() throws Exception {
        Path file = Files.write(folder.resolve("body"), new byte[200_000]);
        try (ScriptedServer server = ScriptedServer.always(OK)) {
            CallProbe call = one(server.uri("/"), Map.of("method", "PUT", "body-file", file.toString()));
            assertThat(call.isOk()).isTrue();
            assertThat(call.bytes()).isEqualTo(200_005);
        }
    }

    @Test
    void aStatusOutsideTheExpectedOnesIsAFailureAndKeepsTheConnection() throws Exception {
        try (ScriptedServer server = ScriptedServer.always("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n");
                PluginHarness harness = harness(server.uri("/"), Map.of());
                PluginHarness.Owned client = harness.client(0)) {
            assertThat(client.call().failure()).isEqualTo("status 503");
            assertThat(client.call().failure()).isEqualTo("status 503");
            assertThat(server.connections()).isEqualTo(1);
        }
        try (ScriptedServer server = ScriptedServer.always("HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n")) {
            assertThat(one(server.uri("/"), Map.of("expect", List.of("200", "400-404")))
                            .isOk())
                    .isTrue();
        }
    }

    @Test
    void aRedirectIsAResponseAndIsNotFollowed() throws Exception {
        try (ScriptedServer server =
                ScriptedServer.always("HTTP/1.1 302 Found\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n")) {
            assertThat(one(server.uri("/"), Map.of()).isOk()).isTrue();
            assertThat(server.requests()).hasSize(1);
        }
    }

    @Test
    void interimResponsesAreSkippedAndHeadHasNoBody() throws Exception {
        try (ScriptedServer server = ScriptedServer.always("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
                        + "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n");
                PluginHarness harness = harness(server.uri("/"), Map.of("method", "HEAD"));
                PluginHarness.Owned client = harness.client(0)) {
            assertThat(client.call().isOk()).isTrue();
            assertThat(client.call().isOk()).isTrue();
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    @Test
    void aRefusedConnectionIsAFailedCallAndTheNextCallTriesAgain() throws Exception {
        ScriptedServer server = ScriptedServer.always(OK);
        Url target = server.uri("/");
        server.close();
        try (PluginHarness harness = harness(target, Map.of());
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = client.call();
            assertThat(call.failure()).isEqualTo("connection refused");
            assertThat(call.isFirst()).isFalse();
            assertThat(client.call().failure()).isEqualTo("connection refused");
        }
    }

    @Test
    void aConnectionClosedBeforeOrWithinTheResponseIsAFailureAndTheNextCallConnectsAnew() throws Exception {
        try (ScriptedServer server = new ScriptedServer((request, head, socket, out) -> {
                    if (request == 0) {
                        socket.close();
                    } else if (request == 1) {
                        out.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc".getBytes(StandardCharsets.UTF_8));
                        out.flush();
                        socket.close();
                    } else {
                        out.write(OK.getBytes(StandardCharsets.UTF_8));
                    }
                });
                PluginHarness harness = harness(server.uri("/"), Map.of());
                PluginHarness.Owned client = harness.client(0)) {
            assertThat(client.call().failure()).isEqualTo("closed before the response");
            CallProbe half = client.call();
            assertThat(half.failure()).isEqualTo("closed within the response");
            assertThat(half.bytes()).isEqualTo(3);
            assertThat(client.call().isOk()).isTrue();
        }
    }

    /** Nothing is resent, so that what is counted is what was sent: the cause has to say whose time was over. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aKeptConnectionThatTheServerClosedIsSaidToBeOne(boolean resets) throws Exception {
        try (ScriptedServer server = new ScriptedServer((request, head, socket, out) -> {
                    if (request == 0) {
                        out.write(OK.getBytes(StandardCharsets.UTF_8));
                    } else {
                        socket.setSoLinger(resets, 0);
                        socket.close();
                    }
                });
                PluginHarness harness = harness(server.uri("/"), Map.of());
                PluginHarness.Owned client = harness.client(0)) {
            assertThat(client.call().isOk()).isTrue();
            assertThat(client.call().failure()).isEqualTo("kept connection closed by the server");
            assertThat(client.call().failure())
                    .as("a new one")
                    .isEqualTo(resets ? "connection reset" : "closed before the response");
        }
    }

    /** RFC 9112, section 9.6: who sends it sends nothing more on that connection. */
    @Test
    void aRequestThatSaysCloseIsTheLastOnItsConnection() throws Exception {
        try (ScriptedServer server = ScriptedServer.always(OK)) {
            for (String field : List.of("close", "TE, Close")) {
                int before = server.connections();
                try (PluginHarness harness = harness(server.uri("/"), Map.of("headers", Map.of("connection", field)));
                        PluginHarness.Owned client = harness.client(0)) {
                    assertThat(client.call().isOk()).isTrue();
                    assertThat(client.call().isOk()).isTrue();
                }
                assertThat(server.connections() - before).as(field).isEqualTo(2);
            }
        }
    }

    @Test
    void theTargetsUserIsWhoAsks() throws Exception {
        try (ScriptedServer server = ScriptedServer.always(OK)) {
            Url target = Url.of("http://ann:p%40ss@127.0.0.1:" + server.port() + "/private#top");
            assertThat(one(target, Map.of()).isOk()).isTrue();
            assertThat(one(target, Map.of("headers", Map.of("authorization", "Bearer t"), "path", "/page?a#top"))
                            .isOk())
                    .isTrue();
            assertThat(server.requests().get(0))
                    .startsWith("GET /private HTTP/1.1\r\n")
                    .contains("\r\nAuthorization: Basic YW5uOnBAc3M=\r\n");
            assertThat(server.requests().get(1))
                    .startsWith("GET /page?a HTTP/1.1\r\n")
                    .contains("\r\nauthorization: Bearer t\r\n")
                    .doesNotContain("Basic");
        }
    }

    @Test
    void theProxysUserIsToldToTheProxyAlone() throws Exception {
        try (ScriptedServer proxy = new ScriptedServer((request, head, socket, out) ->
                out.write((request == 0 ? OK : "HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n")
                        .getBytes(StandardCharsets.UTF_8)))) {
            Map<String, ?> with = Map.of("proxy", "http://ann:pw@127.0.0.1:" + proxy.port());
            assertThat(one(Url.of("http://bob@shop.invalid/"), with).isOk()).isTrue();
            assertThat(one(Url.of("https://bob:b@shop.invalid/"), with).failure())
                    .isEqualTo("proxy: status 407");
            assertThat(proxy.requests().get(0))
                    .startsWith("GET http://shop.invalid/ HTTP/1.1\r\n")
                    .contains("\r\nAuthorization: Basic Ym9iOg==\r\nProxy-Authorization: Basic YW5uOnB3\r\n");
            assertThat(proxy.requests().get(1))
                    .isEqualTo("CONNECT shop.invalid:443 HTTP/1.1\r\nHost: shop.invalid:443\r\n"
                            + "Proxy-Authorization: Basic YW5uOnB3\r\n\r\n");
        }
    }

    @Test
    void aFormUnderAnotherTypeIsRefused() {
        Map<String, ?> form = Map.of(
                "method",
                "POST",
                "form",
                Map.of("user", "ann"),
                "headers",
                Map.of("content-type", "multipart/form-data"));
        assertThatThrownBy(() -> check(form))
                .hasMessage("form: expected Content-Type: application/x-www-form-urlencoded, got 'multipart/form-data';"
                        + " drop that header, or use multipart or body");
        assertThatThrownBy(() -> check(Map.of(
                        "method",
                        "POST",
                        "multipart",
                        Map.of("user", "ann"),
                        "headers",
                        Map.of("Content-Type", "multipart/form-data"))))
                .hasMessageContaining("multipart: expected no Content-Type in headers");
        check(Map.of(
                "method",
                "POST",
                "form",
                Map.of("user", "ann"),
                "headers",
                Map.of("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")));
    }

    private static void check(Map<String, ?> with) {
        HttpPlugin plugin = new HttpPlugin();
        plugin.check(Url.of("http://h/"), Parameters.read(plugin.parameters(), with, 0));
    }

    @Test
    void aResetIsAFailure() throws Exception {
        try (ScriptedServer server = new ScriptedServer((request, head, socket, out) -> {
            socket.setSoLinger(true, 0);
            socket.close();
        })) {
            assertThat(one(server.uri("/"), Map.of()).failure()).isEqualTo("connection reset");
        }
    }

    @Test
    void whatIsNoHttpIsABadResponse() throws Exception {
        try (ScriptedServer server = ScriptedServer.always("SSH-2.0-OpenSSH_9.2\r\n")) {
            assertThat(one(server.uri("/"), Map.of()).failure()).isEqualTo("bad response: status line");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {HALF_HEAD, HALF_BODY, HALF_CHUNK, NO_LAST_CHUNK})
    void aConnectionClosedAnywhereWithinTheResponseIsThatFailure(String half) throws Exception {
        try (ScriptedServer server = new ScriptedServer((request, head, socket, out) -> {
            out.write(half.getBytes(StandardCharsets.UTF_8));
            out.flush();
            socket.close();
        })) {
            assertThat(one(server.uri("/"), Map.of()).failure()).isEqualTo("closed within the response");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", HALF_HEAD, HALF_BODY, HALF_CHUNK, NO_LAST_CHUNK})
    void whoFallsSilentAnywhereIsGivenUpAndTheNextCallConnectsAnew(String half) throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        try (ScriptedServer server = new ScriptedServer((request, head, socket, out) -> {
                    out.write((request > 0 ? OK : half).getBytes(StandardCharsets.UTF_8));
                    out.flush();
                    asked.countDown();
                });
                PluginHarness harness = harness(server.uri("/"), Map.of());
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = client.begin(0);
            asked.await();
            assertThat(call.ends()).isZero();
            client.cancel(call);
            assertThat(call.awaitEnd(5_000)).isTrue();
            assertThat(call.failure()).isEqualTo("cancelled");
            assertThat(client.call().isFirst()).isTrue();
            assertThat(call.ends()).isEqualTo(1);
        }
    }

    @Test
    void clientsTakeSourceAddressesInTurns() throws Exception {
        List<String> peers = new java.util.concurrent.CopyOnWriteArrayList<>();
        try (ScriptedServer server = new ScriptedServer((request, head, socket, out) -> {
                    peers.add(socket.getInetAddress().getHostAddress());
                    out.write(OK.getBytes(StandardCharsets.UTF_8));
                });
                PluginHarness harness =
                        harness(server.uri("/"), Map.of("source-addresses", List.of("127.0.0.2", "127.0.0.3")))) {
            for (int i = 0; i < 3; i++) {
                try (PluginHarness.Owned client = harness.client(i)) {
                    assertThat(client.call().isOk()).isTrue();
                }
            }
        }
        assertThat(peers).containsExactly("127.0.0.2", "127.0.0.3", "127.0.0.2");
    }

    @Test
    void aProxyIsAskedForTheWholeUrlAndItsRefusalsAreStatuses() throws Exception {
        Url target = Url.of("http://service.example:8080/base/x?y");
        try (ForwardProxy proxy = new ForwardProxy();
                PluginHarness harness = harness(target, Map.of("proxy", proxy.url(), "path", "item/${call}"));
                PluginHarness.Owned client = harness.client(0)) {
            assertThat(client.call().isOk()).isTrue();
            assertThat(client.call().isFirst()).isFalse();
            assertThat(proxy.requests().get(1))
                    .startsWith("GET http://service.example:8080/base/item/1 HTTP/1.1\r\n"
                            + "Host: service.example:8080\r\n");
        }
        for (int status : new int[] {407, 502}) {
            String refusal = "HTTP/1.1 " + status + " No\r\nContent-Length: 0\r\n\r\n";
            try (ScriptedServer proxy = ScriptedServer.always(refusal)) {
                CallProbe call = one(target, Map.of("proxy", "http://127.0.0.1:" + proxy.port()));
                assertThat(call.failure()).isEqualTo("status " + status);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "epoll"})
    void anAddressThatThisMachineDoesNotHaveIsNotTheServersFault(String kind) throws Exception {
        try (ScriptedServer server = ScriptedServer.always(OK);
                PluginHarness harness =
                        harness(server.uri("/"), Map.of("source-addresses", List.of("192.0.2.7")), loop(kind));
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = client.call();
            assertThat(call.failure()).isEqualTo("no free local port or address");
            assertThat(call.fault()).isEqualTo(Fault.GENERATOR);
        }
    }

    @Test
    void aServerThatRefusesTheConnectionIsToBlame() throws Exception {
        CallProbe call = one(Url.of("http://127.0.0.1:" + FreePorts.take() + "/"), Map.of());
        assertThat(call.failure()).isEqualTo("connection refused");
        assertThat(call.fault()).isEqualTo(Fault.SERVICE);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void answersGiveTheirMemoryBackAndAreTheGeneratorsFaultWhereThereIsNone(boolean cookies) throws Exception {
        String large = "HTTP/1.1 200 OK\r\nSet-Cookie: a=" + "x".repeat(4_000) + "; Max-Age=" + (cookies ? 9 : 0)
                + "\r\nX: " + "y".repeat(20_000) + "\r\nContent-Length: 0\r\n\r\n";
        try (ScriptedServer server = ScriptedServer.always(large);
                PluginHarness harness = harness(server.uri("/"), Map.of("cookies", true), loop("nio"));
                PluginHarness.Owned client = harness.client(0)) {
            assertThat(client.call().isOk()).isTrue();
            long kept = harness.memory().kept();
            assertThat(kept).isBetween(20_000L, 50_000L);
            assertThat(client.call().isOk()).isTrue();
            assertThat(harness.memory().kept()).isEqualTo(kept);
            assertThat(harness.memory().resize(0, (16 << 20) - kept - 100)).isTrue();
            CallProbe call = client.call();
            assertThat(call.failure()).isEqualTo("no memory left for answers");
            assertThat(call.fault()).isEqualTo(Fault.GENERATOR);
            harness.memory().resize((16 << 20) - kept - 100, 0);
            assertThat(client.call().isOk()).isTrue();
            client.close();
            assertThat(harness.memory().kept()).isZero();
        }
    }
}
