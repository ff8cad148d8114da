package org.diperf.plugins.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.JdkLoop;
import org.diperf.core.contract.NettyLoop;
import org.diperf.core.contract.PluginHarness;
import org.diperf.core.contract.TestCertificate;
import org.diperf.core.contract.TestLoop;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.http2.ScriptedHttp2Server;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class Http2ClientTests {

    @TempDir
    Path folder;

    private PluginHarness harness(Url target, Map<String, ?> with) throws Exception {
        return harness(
                target, with, Epoll.isAvailable() ? new NettyLoop(EpollIoHandler.newFactory()) : new NettyLoop());
    }

    private PluginHarness harness(Url target, Map<String, ?> with, TestLoop loop) throws Exception {
        Map<String, Object> all = new java.util.HashMap<>(with);
        all.put("version", 2);
        return new PluginHarness(new HttpPlugin(), List.of(target), all, Duration.ofSeconds(5), folder, loop);
    }

    private static TestLoop loop(String kind) {
        Assumptions.assumeTrue(!kind.equals("epoll") || Epoll.isAvailable(), "no epoll here");
        return switch (kind) {
            case "jdk" -> new JdkLoop();
            case "nio" -> new NettyLoop();
            default -> new NettyLoop(EpollIoHandler.newFactory());
        };
    }

    private static byte[] goAway(int last) {
        return ByteBuffer.allocate(17)
                .put(new byte[] {0, 0, 8, 7, 0, 0, 0, 0, 0})
                .putInt(last)
                .putInt(0)
                .array();
    }

    private static byte[] reset(int stream, int code) {
        return ByteBuffer.allocate(13)
                .put(new byte[] {0, 0, 4, 3, 0})
                .putInt(stream)
                .putInt(code)
                .array();
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdk", "nio", "epoll"})
    void callsShareOneKeptConnectionOnEveryKindOfLoop(String kind) throws Exception {
        try (ScriptedHttp2Server server = ScriptedHttp2Server.always("hello");
                PluginHarness harness = harness(server.uri("/a?b=c"), Map.of(), loop(kind));
                PluginHarness.Owned client = harness.client(0)) {
            for (int i = 0; i < 50; i++) {
                CallProbe call = client.call();
                assertThat(call.isOk()).as(call.toString()).isTrue();
                assertThat(call.ends()).isEqualTo(1);
                assertThat(call.bytes()).isEqualTo(5);
                assertThat(call.isFirst()).isEqualTo(i == 0);
                assertThat(call.metrics()).containsKey("first-byte").doesNotContainKeys("stream-wait", "resent");
                assertThat(call.metrics().containsKey("connect")).isEqualTo(i == 0);
            }
            assertThat(server.connections()).isEqualTo(1);
            assertThat(server.requests())
                    .allSatisfy(request -> assertThat(request.fields())
                            .isEqualTo(":method: GET\n:scheme: http\n:path: /a?b=c\n:authority: 127.0.0.1:"
                                    + server.port() + "\nuser-agent: diperf\naccept: */*\n"));
            assertThat(harness.recorder().observations()).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdk", "nio", "epoll"})
    void soManyClientsShareAConnectionAsIsSaid(String kind) throws Exception {
        CountDownLatch all = new CountDownLatch(7);
        try (ScriptedHttp2Server server = new ScriptedHttp2Server((request, socket, out) -> {
                    out.write(ScriptedHttp2Server.response(request.stream(), "x"));
                    all.countDown();
                });
                PluginHarness harness = harness(server.uri("/"), Map.of("streams", 3), loop(kind))) {
            List<PluginHarness.Owned> clients = new ArrayList<>();
            List<CallProbe> calls = new ArrayList<>();
            for (int i = 0; i < 7; i++) {
                clients.add(harness.client(i));
            }
            for (PluginHarness.Owned client : clients) {
                calls.add(client.begin(0));
            }
            for (CallProbe call : calls) {
                assertThat(call.awaitEnd(5_000)).isTrue();
                assertThat(call.isOk()).as(call.toString()).isTrue();
            }
            assertThat(server.connections()).isEqualTo(3);
            assertThat(calls.stream().filter(CallProbe::isFirst)).hasSize(3);
            // Others waited for a connection that one of them made, unless it was there when they began.
            assertThat(calls.stream().filter(call -> call.metrics().containsKey("stream-wait")))
                    .hasSizeLessThanOrEqualTo(4)
                    .noneMatch(CallProbe::isFirst);
            for (PluginHarness.Owned client : clients) {
                client.close();
            }
        }
    }

    @Test
    void aStreamIsWaitedForWhereTheServerAllowsFewer() throws Exception {
        Map<Integer, CountDownLatch> answers = new ConcurrentHashMap<>();
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch asked = new CountDownLatch(1);
        try (ScriptedHttp2Server server = new ScriptedHttp2Server(
                        (request, socket, out) -> {
                            if (request.number() == 1) {
                                asked.countDown();
                                first.await();
                            }
                            out.write(ScriptedHttp2Server.response(request.stream(), "x"));
                        },
                        3,
                        1);
                PluginHarness harness = harness(server.uri("/"), Map.of("streams", 2));
                PluginHarness.Owned one = harness.client(0);
                PluginHarness.Owned two = harness.client(1)) {
            assertThat(one.call().isOk()).isTrue();
            CallProbe held = one.begin(0);
            asked.await();
            CallProbe waiting = two.begin(0);
            two.onOwner(() -> true);
            assertThat(server.requests()).hasSize(2);
            first.countDown();
            assertThat(held.awaitEnd(5_000)).isTrue();
            assertThat(waiting.awaitEnd(5_000)).isTrue();
            assertThat(waiting.metrics().get("stream-wait")).isPositive();
            assertThat(held.metrics()).doesNotContainKey("stream-wait");
            assertThat(server.connections()).isEqualTo(1);
            assertThat(answers).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdk", "nio", "epoll"})
    void aServerThatGoesAwayAgainAndAgainLosesNoCallAndDoublesNone(String kind) throws Exception {
        try (ScriptedHttp2Server server = new ScriptedHttp2Server((request, socket, out) -> {
                    // As nginx does after keepalive_requests: it says so with its last answer, reads no more and
                    // closes.
                    byte[] answer = ScriptedHttp2Server.response(request.stream(), "hello");
                    if (request.stream() < 19) {
                        out.write(answer);
                    } else {
                        // In one write, or the client may have sent its next request meanwhile.
                        byte[] goodbye = goAway(request.stream());
                        out.write(ByteBuffer.allocate(answer.length + goodbye.length)
                                .put(answer)
                                .put(goodbye)
                                .array());
                        out.flush();
                        socket.shutdownOutput();
                    }
                });
                PluginHarness harness = harness(server.uri("/"), Map.of(), loop(kind));
                PluginHarness.Owned client = harness.client(0)) {
            for (int i = 0; i < 95; i++) {
                CallProbe call = client.call();
                assertThat(call.isOk()).as(call.toString()).isTrue();
                assertThat(call.isFirst()).isEqualTo(i % 10 == 0);
            }
            assertThat(server.connections()).isEqualTo(10);
            assertThat(server.requests()).hasSize(95);
        }
    }

    @Test
    void aRequestThatWasNotBegunWithIsSentAgainAndSaysSo() throws Exception {
        try (ScriptedHttp2Server server = new ScriptedHttp2Server((request, socket, out) -> {
                    if (request.number() == 1) {
                        out.write(goAway(request.stream() - 2));
                    } else {
                        out.write(ScriptedHttp2Server.response(request.stream(), request.body()));
                    }
                });
                PluginHarness harness = harness(server.uri("/"), Map.of("method", "POST", "body", "b${call}"));
                PluginHarness.Owned client = harness.client(0)) {
            assertThat(client.call().metrics()).doesNotContainKey("resent");
            CallProbe again = client.call();
            assertThat(again.isOk()).as(again.toString()).isTrue();
            assertThat(again.metrics()).containsEntry("resent", 1.0).containsKey("connect");
            assertThat(server.requests().stream().map(ScriptedHttp2Server.Request::body))
                    .containsExactly("b0", "b1", "b1");
            assertThat(server.requests().stream().map(ScriptedHttp2Server.Request::connection))
                    .containsExactly(0, 0, 1);
        }
    }

    @Test
    void aServerThatRefusesAllIsGivenUp() throws Exception {
        try (ScriptedHttp2Server server =
                        new ScriptedHttp2Server((request, socket, out) -> out.write(reset(request.stream(), 7)));
                PluginHarness harness = harness(server.uri("/"), Map.of());
                PluginHarness.Owned client = harness.client(0)) {
            for (int i = 1; i <= 2; i++) {
                CallProbe call = client.call();
                assertThat(call.failure()).isEqualTo("refused by the server");
                assertThat(call.metrics()).containsEntry("resent", 3.0);
                assertThat(server.requests()).hasSize(4 * i);
            }
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdk", "nio", "epoll"})
    void aConnectionThatIsLostFailsItsCallsAndTheNextMakesAnother(String kind) throws Exception {
        try (ScriptedHttp2Server server = new ScriptedHttp2Server((request, socket, out) -> {
                    switch (request.number() % 3) {
                        case 0 -> socket.close();
                        case 1 -> {
                            out.write(ScriptedHttp2Server.response(request.stream(), "hello"), 0, 12);
                            out.flush();
                            socket.close();
                        }
                        default -> out.write(ScriptedHttp2Server.response(request.stream(), "hello"));
                    }
                });
                PluginHarness harness = harness(server.uri("/"), Map.of(), loop(kind));
                PluginHarness.Owned client = harness.client(0)) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.call().failure()).isEqualTo("closed before the response");
                assertThat(client.call().failure()).isEqualTo("closed within the response");
                assertThat(client.call().failure()).isNull();
            }
            assertThat(server.connections()).isEqualTo(7);
        }
    }

    @Test
    void aCallThatIsGivenUpLeavesTheOthersOnItsConnectionAlone() throws Exception {
        CountDownLatch asked = new CountDownLatch(2);
        try (ScriptedHttp2Server server = new ScriptedHttp2Server((request, socket, out) -> {
                    if (request.fields().contains(":path: /slow")) {
                        asked.countDown();
                    } else {
                        out.write(ScriptedHttp2Server.response(request.stream(), "x"));
                        asked.countDown();
                    }
                });
                PluginHarness harness = harness(server.uri("/"), Map.of("streams", 2, "path", "/${random:1..1}"));
                PluginHarness slow = harness(server.uri("/slow"), Map.of());
                PluginHarness.Owned one = slow.client(0);
                PluginHarness.Owned two = harness.client(1)) {
            CallProbe held = one.begin(0);
            assertThat(two.call().isOk()).isTrue();
            asked.await();
            one.cancel(held);
            assertThat(held.awaitEnd(5_000)).isTrue();
            assertThat(held.failure()).isEqualTo("cancelled");
            assertThat(two.call().isOk()).isTrue();
        }
    }

    @Test
    void aServerThatCannotBeReachedOrTrustedIsRemarkedOn() throws Exception {
        int port;
        try (ScriptedHttp2Server server = ScriptedHttp2Server.always("hello")) {
            port = server.port();
        }
        try (PluginHarness harness = harness(Url.of("http://127.0.0.1:" + port + "/"), Map.of());
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = client.call();
            assertThat(call.said(new HttpPlugin())).isEqualTo("* " + call.failure() + " (127.0.0.1:" + port + ")\n");
        }
        TestCertificate certificate = TestCertificate.make(folder, "other", "dns:elsewhere.example");
        try (ServerSocket secured = certificate.listen();
                PluginHarness harness = harness(Url.of("https://127.0.0.1:" + secured.getLocalPort() + "/"), Map.of());
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = client.begin(0);
            try (Socket socket = secured.accept()) {
                assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(IOException.class);
            }
            assertThat(call.awaitEnd(10_000)).isTrue();
            assertThat(call.failure()).startsWith("tls: ");
            assertThat(call.said(new HttpPlugin()))
                    .startsWith("* TLS handshake with 127.0.0.1:" + secured.getLocalPort() + " failed: ")
                    .contains("* its certificate: CN=other, of CN=other, for [elsewhere.example], valid from ");
        }
    }

    @Test
    void methodPathHeadersAndBodyAreFilledInForEveryCall() throws Exception {
        try (ScriptedHttp2Server server = ScriptedHttp2Server.always("hello");
                PluginHarness harness = harness(
                        server.uri("/base/x"),
                        Map.of(
                                "method", "POST",
                                "path", "item ${call}",
                                "headers",
                                        Map.of(
                                                "X-Client",
                                                "${client}",
                                                "user-agent",
                                                "mine",
                                                "Connection",
                                                "close",
                                                "Host",
                                                "b.example"),
                                "body", "grüße ${call}"));
                PluginHarness.Owned client = harness.client(3)) {
            client.call();
            CallProbe call = client.call();
            assertThat(call.bytes()).isEqualTo(9 + 5);
            assertThat(call.said(new HttpPlugin()))
                    .startsWith("> POST /base/item%201 HTTP/2\n> host: b.example\n")
                    .contains("> x-client: 3\n", "> grüße 1\n< HTTP/2 200\n")
                    .endsWith("< \n< hello\n");
            ScriptedHttp2Server.Request second = server.requests().get(1);
            assertThat(second.fields())
                    .startsWith(":method: POST\n:scheme: http\n:path: /base/item%201\n:authority: b.example\n")
                    .contains("x-client: 3\n", "user-agent: mine\n", "content-length: 9\n")
                    .doesNotContain("connection", "diperf");
            assertThat(second.body()).isEqualTo("grüße 1");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdk", "nio", "epoll"})
    void aLargeBodyGoesOutAsTheServersWindowsLetIt(String kind) throws Exception {
        Path file = Files.writeString(folder.resolve("body"), "x".repeat(3_000_000));
        try (ScriptedHttp2Server server =
                        new ScriptedHttp2Server((request, socket, out) -> out.write(ScriptedHttp2Server.response(
                                request.stream(), String.valueOf(request.body().length()))));
                PluginHarness harness =
                        harness(server.uri("/"), Map.of("method", "PUT", "body-file", file.toString()), loop(kind));
                PluginHarness.Owned client = harness.client(0)) {
            for (int i = 0; i < 3; i++) {
                CallProbe call = client.call();
                assertThat(call.isOk()).as(call.toString()).isTrue();
                assertThat(call.bytes()).isEqualTo(3_000_007);
            }
            assertThat(server.requests()).allMatch(request -> request.body().length() == 3_000_000);
        }
    }

    @Test
    void aNewConnectionIsMadeForEachCallWhereThatIsWanted() throws Exception {
        try (ScriptedHttp2Server server = ScriptedHttp2Server.always("hello");
                PluginHarness harness = harness(server.uri("/"), Map.of("connection", "new"));
                PluginHarness.Owned client = harness.client(0)) {
            for (int i = 0; i < 5; i++) {
                CallProbe call = client.call();
                assertThat(call.isOk()).as(call.toString()).isTrue();
                assertThat(call.isFirst()).isTrue();
            }
            assertThat(server.connections()).isEqualTo(5);
        }
    }

    @Test
    void aServerThatSpeaksHttp11IsAFailureThatSaysSo() throws Exception {
        try (ScriptedServer server = ScriptedServer.always("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
                PluginHarness harness = harness(server.uri("/"), Map.of());
                PluginHarness.Owned client = harness.client(0)) {
            assertThat(client.call().failure()).isEqualTo("http/2: the server speaks HTTP/1.1");
        }
    }

    @Test
    void anUnexpectedStatusIsAFailureAndKeepsTheConnection() throws Exception {
        byte[] busy = {(byte) 0x48, 3, '5', '0', '3'};
        try (ScriptedHttp2Server server =
                        new ScriptedHttp2Server((request, socket, out) -> out.write(ByteBuffer.allocate(14)
                                .put(new byte[] {0, 0, 5, 1, 5})
                                .putInt(request.stream())
                                .put(busy)
                                .array()));
                PluginHarness harness = harness(server.uri("/"), Map.of());
                PluginHarness.Owned client = harness.client(0)) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.call().failure()).isEqualTo("status 503");
            }
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    @Test
    void overTlsTheServerHasToOfferIt() throws Exception {
        TestCertificate certificate = TestCertificate.make(folder, "good", "ip:127.0.0.1");
        for (boolean offered : new boolean[] {true, false}) {
            SSLServerSocket listener = (SSLServerSocket) certificate.listen();
            SSLParameters parameters = listener.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {offered ? "h2" : "http/1.1"});
            listener.setSSLParameters(parameters);
            try (ScriptedHttp2Server server = new ScriptedHttp2Server(
                            listener,
                            (request, socket, out) ->
                                    out.write(ScriptedHttp2Server.response(request.stream(), "hello")));
                    PluginHarness harness = harness(
                            Url.of("https://127.0.0.1:" + server.port()),
                            Map.of("ca", certificate.pem().toString()));
                    PluginHarness.Owned client = harness.client(0)) {
                CallProbe first = client.call();
                if (offered) {
                    assertThat(first.isOk()).as(first.toString()).isTrue();
                    assertThat(first.metrics()).containsKeys("connect", "tls", "first-byte");
                    assertThat(client.call().isOk()).isTrue();
                    assertThat(server.requests().get(1).fields()).contains(":scheme: https");
                } else {
                    assertThat(first.failure()).startsWith("tls: ");
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdk", "nio", "epoll"})
    void clientsThatShareAConnectionShareItElsewhereToo(String kind) throws Exception {
        try (ScriptedHttp2Server other = ScriptedHttp2Server.always("there");
                ScriptedHttp2Server server = new ScriptedHttp2Server((request, socket, out) ->
                        out.write(redirect(request.stream(), other.uri("/").toString())));
                PluginHarness harness =
                        harness(server.uri("/"), Map.of("streams", 2, "follow", 1, "expect", 200), loop(kind));
                PluginHarness.Owned one = harness.client(0);
                PluginHarness.Owned two = harness.client(1);
                PluginHarness.Owned three = harness.client(2)) {
            for (PluginHarness.Owned client : List.of(one, two, three, one, two, three)) {
                CallProbe call = client.call();
                assertThat(call.isOk()).as(call.toString()).isTrue();
            }
            assertThat(List.of(server.connections(), other.connections())).containsExactly(2, 2);
        }
    }

    private static byte[] redirect(int stream, String location) {
        return ScriptedHttp2Server.response(stream, "", List.of(":status", "302", "location", location));
    }

    @Test
    void whatWasSentAgainIsCountedOverAllRequestsOfACall() throws Exception {
        try (ScriptedHttp2Server server = new ScriptedHttp2Server((request, socket, out) -> {
                    boolean isHome = request.fields().contains(":path: /home\n");
                    out.write(
                            request.number() % 2 == 0
                                    ? reset(request.stream(), 7) // REFUSED_STREAM
                                    : isHome
                                            ? ScriptedHttp2Server.response(request.stream(), "hello")
                                            : redirect(request.stream(), "/home"));
                });
                PluginHarness harness = harness(server.uri("/"), Map.of("follow", 1));
                PluginHarness.Owned client = harness.client(0)) {
            for (int i = 0; i < 2; i++) {
                CallProbe call = client.call();
                assertThat(call.isOk()).as(call.toString()).isTrue();
                assertThat(call.metrics()).containsEntry("resent", 2.0).containsEntry("redirects", 1.0);
            }
        }
    }

    @Test
    void aRedirectThatDidNotComeWholeIsNotFollowed() throws Exception {
        try (ScriptedHttp2Server server = new ScriptedHttp2Server((request, socket, out) -> {
                    byte[] head = ScriptedHttp2Server.response(
                            request.stream(), "x", List.of(":status", "302", "location", "/there"));
                    byte[] cut = Arrays.copyOf(head, head.length - 10); // without the frame of the body
                    out.write(cut);
                    out.write(reset(request.stream(), 2));
                });
                PluginHarness harness = harness(server.uri("/"), Map.of("follow", 1, "cookies", true));
                PluginHarness.Owned client = harness.client(0)) {
            assertThat(client.call().failure()).isEqualTo("reset by the server: INTERNAL_ERROR");
            assertThat(server.requests()).hasSize(1);
        }
    }

    @Test
    void aRedirectToAServerThatDoesNotSpeakItIsAFailureThatSaysSo() throws Exception {
        TestCertificate certificate = TestCertificate.make(folder, "good", "ip:127.0.0.1");
        SSLServerSocket listener = (SSLServerSocket) certificate.listen();
        SSLParameters parameters = listener.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"http/1.1"});
        listener.setSSLParameters(parameters);
        String bad = "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n";
        try (ScriptedServer plain = ScriptedServer.always(bad);
                ScriptedServer secured = new ScriptedServer(listener, (request, head, socket, out) -> {});
                ScriptedHttp2Server server = new ScriptedHttp2Server((request, socket, out) -> out.write(redirect(
                        request.stream(),
                        request.number() == 0
                                ? plain.uri("/").toString()
                                : "https://127.0.0.1:" + secured.port() + "/")));
                PluginHarness harness = harness(
                        server.uri("/"),
                        Map.of("follow", 1, "ca", certificate.pem().toString()));
                PluginHarness.Owned client = harness.client(0)) {
            assertThat(client.call().failure()).isEqualTo("http/2: the server speaks HTTP/1.1");
            assertThat(client.call().failure()).startsWith("tls: ");
        }
    }

    @Test
    void whatCannotBeTogetherIsRefused() {
        Url target = Url.of("http://127.0.0.1:1");
        assertThatThrownBy(() -> harness(target, Map.of("proxy", "http://127.0.0.1:3128")))
                .hasMessageStartingWith("proxy: expected version: 1.1, got version: 2");
        assertThatThrownBy(() -> harness(target, Map.of("connection", "new", "streams", 2)))
                .hasMessageStartingWith("connection: expected keep");
        assertThatThrownBy(() -> harness(target, Map.of("streams", 0)))
                .hasMessageStartingWith("streams: expected 1 to 1000");
        assertThatThrownBy(() -> new PluginHarness(
                        new HttpPlugin(),
                        List.of(target),
                        Map.of("streams", 2),
                        Duration.ofSeconds(5),
                        folder,
                        new NettyLoop()))
                .hasMessageStartingWith("streams: expected version: 2");
    }

    @Test
    void theStandInAnswers() throws Exception {
        HttpPlugin plugin = new HttpPlugin();
        var with = org.diperf.core.spi.Parameters.read(plugin.parameters(), Map.of("version", 2), 1);
        try (var standIn = plugin.standIn(with).orElseThrow();
                PluginHarness harness = harness(standIn.target(), Map.of("streams", 2));
                PluginHarness.Owned one = harness.client(0);
                PluginHarness.Owned two = harness.client(1)) {
            for (int i = 0; i < 20; i++) {
                assertThat(one.call().bytes()).isEqualTo(6);
                assertThat(two.call().isOk()).isTrue();
            }
        }
    }
}
