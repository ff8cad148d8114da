package org.diperf.plugins.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.zip.GZIPOutputStream;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.JdkLoop;
import org.diperf.core.contract.NettyLoop;
import org.diperf.core.contract.PluginHarness;
import org.diperf.core.contract.TestCertificate;
import org.diperf.core.contract.TestLoop;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cookies, redirects, forms, uploads and packed answers, as a server sees them. */
@Timeout(60)
class BrowsingTests {

    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    @TempDir
    Path folder;

    private PluginHarness harness(URI target, Map<String, ?> with, TestLoop loop) throws Exception {
        return new PluginHarness(new HttpPlugin(), List.of(target), with, Duration.ofSeconds(5), folder, loop);
    }

    private CallProbe one(URI target, Map<String, ?> with) throws Exception {
        try (PluginHarness harness = harness(target, with, new NettyLoop());
                PluginHarness.Owned client = harness.client(0)) {
            return client.call();
        }
    }

    private static String redirect(int status, String location) {
        return "HTTP/1.1 " + status + " Go\r\nLocation: " + location + "\r\nContent-Length: 4\r\n\r\ngone";
    }

    /** Answers by the path of a request: what is not known is not found. */
    private static ScriptedServer server(Map<String, String> answers) throws Exception {
        return new ScriptedServer((request, head, socket, out) -> {
            String path = head.split(" ")[1];
            String answer = answers.getOrDefault(path, "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n");
            out.write(answer.getBytes(StandardCharsets.UTF_8));
        });
    }

    private static String first(String request) {
        return request.substring(0, request.indexOf(" HTTP/"));
    }

    // ---- redirects ----

    @ParameterizedTest
    @ValueSource(strings = {"jdk", "nio"})
    void redirectsAreFollowedOnTheSameConnectionAndCounted(String kind) throws Exception {
        TestLoop loop = kind.equals("jdk") ? new JdkLoop() : new NettyLoop();
        try (ScriptedServer server = server(
                        Map.of("/a/b", redirect(302, "../c?d=e#f"), "/c?d=e", redirect(301, "?x y"), "/c?x%20y", OK));
                PluginHarness harness = harness(server.uri("/a/b"), Map.of("follow", 5, "expect", "200"), loop);
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = client.call();
            assertThat(call.failure()).isNull();
            assertThat(call.ends()).isEqualTo(1);
            assertThat(call.bytes()).isEqualTo(4 + 4 + 2);
            assertThat(call.metrics()).containsEntry("redirects", 2.0).containsKeys("redirect-time", "connect");
            assertThat(client.call().metrics()).containsEntry("redirects", 2.0).doesNotContainKey("connect");
            assertThat(server.connections()).isEqualTo(1);
            assertThat(server.requests().subList(0, 3).stream().map(BrowsingTests::first))
                    .containsExactly("GET /a/b", "GET /c?d=e", "GET /c?x%20y");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "301, POST, GET",
        "302, POST, GET",
        "303, POST, GET",
        "303, PUT, GET",
        "303, DELETE, GET",
        "301, PUT, PUT",
        "302, DELETE, DELETE",
        "307, POST, POST",
        "308, PUT, PUT",
        "303, HEAD, HEAD",
        "302, GET, GET"
    })
    void theMethodFollowsTheRules(int status, String method, String then) throws Exception {
        Map<String, Object> with = new HashMap<>(
                Map.of("method", method, "follow", 1, "headers", Map.of("Content-Type", "text/x", "X-Own", "y")));
        boolean hasBody = method.equals("POST") || method.equals("PUT");
        if (hasBody) {
            with.put("body", "n=${call}");
        }
        String there = "HTTP/1.1 " + status + " Go\r\nLocation: /there\r\nContent-Length: 0\r\n\r\n";
        String here = method.equals("HEAD") ? "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n" : OK;
        try (ScriptedServer server = server(Map.of("/", there, "/there", here))) {
            assertThat(one(server.uri("/"), with).failure()).isNull();
            String second = server.requests().get(1);
            assertThat(second).startsWith(then + " /there HTTP/1.1\r\n").contains("X-Own: y\r\n");
            boolean keepsBody = hasBody && !then.equals("GET");
            assertThat(second.contains("Content-Type: text/x\r\n")).isEqualTo(keepsBody || then.equals(method));
            assertThat(second.endsWith("\r\n\r\nn=0")).isEqualTo(keepsBody);
            assertThat(second.contains("Content-Length: ")).isEqualTo(keepsBody);
        }
    }

    @Test
    void moreRedirectsThanWantedAreAFailureOfTheirOwn() throws Exception {
        try (ScriptedServer server = server(Map.of("/", redirect(302, "/")))) {
            CallProbe call = one(server.uri("/"), Map.of("follow", 3));
            assertThat(call.failure()).isEqualTo("more than 3 redirects");
            assertThat(server.requests()).hasSize(4);
            assertThat(call.metrics()).containsEntry("redirects", 3.0);
            assertThat(one(server.uri("/"), Map.of("follow", 1)).failure()).isEqualTo("more than 1 redirect");
        }
    }

    @Test
    void aRedirectWithoutAUsablePlaceIsAFailureAndOneWithoutAnyIsAnAnswer() throws Exception {
        for (String location : new String[] {"ftp://127.0.0.1/", "mailto:a@b", "http://", "http:///x", "//[::1"}) {
            try (ScriptedServer server = server(Map.of("/", redirect(302, location)))) {
                assertThat(one(server.uri("/"), Map.of("follow", 3)).failure())
                        .as(location)
                        .isEqualTo("redirect to no usable location");
            }
        }
        try (ScriptedServer server = server(Map.of("/", "HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n"))) {
            assertThat(one(server.uri("/"), Map.of("follow", 3)).failure()).isNull();
        }
        try (ScriptedServer server = server(Map.of("/", redirect(302, "http://no-such-host.invalid/")))) {
            assertThat(one(server.uri("/"), Map.of("follow", 3)).failure()).isEqualTo("redirect to an unknown host");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdk", "nio"})
    void anotherServerSeesNoCredentialsNorTheCookiesOfTheFirst(String kind) throws Exception {
        TestLoop loop = kind.equals("jdk") ? new JdkLoop() : new NettyLoop();
        Map<String, Object> with = Map.of(
                "follow",
                5,
                "cookies",
                true,
                "headers",
                Map.of("Authorization", "Bearer x", "Cookie", "own=1", "X-Client", "${client}", "Host", "me"));
        // One host by two names: cookies know hosts, not ports.
        try (ScriptedServer other = server(Map.of("/in?a=b", OK));
                ScriptedServer server = server(Map.of(
                        "/",
                        "HTTP/1.1 302 Go\r\nLocation: http://localhost:" + other.port()
                                + "/in?a=b\r\nSet-Cookie: sid=1\r\nContent-Length: 0\r\n\r\n"));
                PluginHarness harness = harness(server.uri("/"), with, loop);
                PluginHarness.Owned client = harness.client(7)) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.call().failure()).isNull();
            }
            assertThat(other.connections()).isEqualTo(1);
            assertThat(server.requests().get(1)).contains("Cookie: sid=1; own=1\r\n", "Authorization: Bearer x\r\n");
            assertThat(other.requests().get(2))
                    .contains("Host: localhost:" + other.port() + "\r\n", "X-Client: 7\r\n")
                    .doesNotContain("Authorization", "Cookie", "Host: me");
        }
    }

    @Test
    void aRedirectLeadsFromHttpToHttpsAndBack() throws Exception {
        TestCertificate certificate = TestCertificate.make(folder, "good", "ip:127.0.0.1");
        String[] back = {""};
        try (ScriptedServer secure = new ScriptedServer(
                        certificate.listen(),
                        (request, head, socket, out) -> out.write(back[0].getBytes(StandardCharsets.UTF_8)));
                ScriptedServer server =
                        server(Map.of("/", redirect(307, "https://127.0.0.1:" + secure.port() + "/s"), "/end", OK))) {
            back[0] = redirect(302, server.uri("/end").toString());
            Map<String, Object> with =
                    Map.of("follow", 2, "ca", certificate.pem().toString(), "expect", "200");
            CallProbe call = one(server.uri("/"), with);
            assertThat(call.failure()).isNull();
            assertThat(call.metrics()).containsEntry("redirects", 2.0).containsKey("tls");
            assertThat(first(server.requests().get(1))).isEqualTo("GET /end");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdk", "nio"})
    void aCallIsCancelledInItsSecondRequest(String kind) throws Exception {
        TestLoop loop = kind.equals("jdk") ? new JdkLoop() : new NettyLoop();
        CountDownLatch asked = new CountDownLatch(1);
        try (ScriptedServer server = new ScriptedServer((request, head, socket, out) -> {
                    if (request == 0) {
                        out.write(redirect(302, "/silent").getBytes(StandardCharsets.UTF_8));
                    } else if (request == 1) {
                        asked.countDown();
                    } else {
                        out.write(OK.getBytes(StandardCharsets.UTF_8));
                    }
                });
                PluginHarness harness = harness(server.uri("/"), Map.of("follow", 2), loop);
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = client.begin(0);
            asked.await();
            client.cancel(call);
            assertThat(call.awaitEnd(5_000)).isTrue();
            assertThat(call.failure()).isEqualTo("cancelled");
            assertThat(client.call().isOk()).isTrue();
        }
    }

    // ---- cookies ----

    @Test
    void cookiesLastAsLongAsTheClientOrOneIteration() throws Exception {
        String sets = "HTTP/1.1 200 OK\r\nSet-Cookie: sid=9; Path=/\r\nContent-Length: 2\r\n\r\nok";
        for (String cookies : new String[] {"false", "true", "per-iteration"}) {
            try (ScriptedServer server = ScriptedServer.always(sets);
                    PluginHarness harness = harness(server.uri("/"), Map.of("cookies", cookies), new NettyLoop());
                    PluginHarness.Owned client = harness.client(0);
                    PluginHarness.Owned other = harness.client(1)) {
                client.call();
                client.call();
                other.call();
                assertThat(server.requests().get(0)).doesNotContain("Cookie");
                assertThat(server.requests().get(1).contains("\r\nCookie: sid=9\r\n"))
                        .isEqualTo(cookies.equals("true"));
                assertThat(server.requests().get(2)).as("another client").doesNotContain("Cookie");
            }
        }
    }

    @Test
    void aCookieOfARedirectGoesWithTheNextRequest() throws Exception {
        String login = "HTTP/1.1 303 Go\r\nLocation: /home\r\nSet-Cookie: sid=9\r\nContent-Length: 0\r\n\r\n";
        try (ScriptedServer server = server(Map.of("/login", login, "/home", OK))) {
            Map<String, Object> with = Map.of(
                    "follow", 1, "cookies", "per-iteration", "method", "POST", "form", Map.of("user", "ü &=${client}"));
            assertThat(one(server.uri("/login"), with).failure()).isNull();
            assertThat(server.requests().get(0))
                    .contains("Content-Type: application/x-www-form-urlencoded\r\n")
                    .endsWith("\r\n\r\nuser=%C3%BC+%26%3D0");
            assertThat(server.requests().get(1)).startsWith("GET /home ").contains("Cookie: sid=9\r\n");
        }
    }

    // ---- bodies ----

    @Test
    void partsAndFilesAreUploaded() throws Exception {
        Path file = Files.writeString(folder.resolve("scan.png"), "\u0001PNG");
        try (ScriptedServer server = ScriptedServer.always(OK)) {
            Map<String, Object> with = Map.of(
                    "method",
                    "POST",
                    "multipart",
                    Map.of("number", "n${call}", "at", "@@home", "scan", "@" + file + ";type=image/x"));
            CallProbe call = one(server.uri("/"), with);
            assertThat(call.failure()).isNull();
            String request = server.requests().get(0);
            String boundary = request.replaceFirst("(?s).*boundary=(\\S+).*", "$1");
            assertThat(request)
                    .contains("Content-Type: multipart/form-data; boundary=" + boundary + "\r\n")
                    .contains("--" + boundary + "\r\nContent-Disposition: form-data; name=\"number\"\r\n\r\nn0\r\n")
                    .contains("form-data; name=\"at\"\r\n\r\n@home\r\n")
                    .contains(
                            "form-data; name=\"scan\"; filename=\"scan.png\"\r\nContent-Type: image/x\r\n\r\n\u0001PNG\r\n")
                    .endsWith("\r\n--" + boundary + "--\r\n");
            assertThat(one(server.uri("/"), Map.of("method", "POST", "body", "@" + file))
                            .bytes())
                    .isEqualTo(4 + 2);
            one(server.uri("/"), Map.of("method", "POST", "body", "@@x"));
            assertThat(server.requests().get(2)).endsWith("\r\n\r\n@x");
        }
    }

    @Test
    void packedAnswersAreAskedForAndCountedInBothSizes() throws Exception {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(new byte[100_000]);
        }
        String head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: " + packed.size() + "\r\n\r\n";
        try (ScriptedServer server = new ScriptedServer((request, asked, socket, out) -> {
            out.write(head.getBytes(StandardCharsets.UTF_8));
            out.write(packed.toByteArray());
        })) {
            CallProbe call = one(server.uri("/"), Map.of("compressed", true));
            assertThat(call.failure()).isNull();
            assertThat(call.metrics())
                    .containsEntry("wire-size", (double) packed.size())
                    .containsEntry("body-size", 100_000.0);
            assertThat(call.bytes()).isEqualTo(packed.size());
            assertThat(server.requests().get(0)).contains("Accept-Encoding: gzip, deflate\r\n");
            assertThat(one(server.uri("/"), Map.of()).metrics()).doesNotContainKey("body-size");
            assertThat(server.requests().get(1)).doesNotContain("Accept-Encoding");
        }
    }
}
