package org.diperf.plugins.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.JdkLoop;
import org.diperf.core.contract.NettyLoop;
import org.diperf.core.contract.PluginHarness;
import org.diperf.core.contract.TestCertificate;
import org.diperf.core.contract.TestLoop;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Fault;
import org.diperf.core.spi.Url;
import org.diperf.plugins.http.PathServer.Reply;
import org.diperf.plugins.http.PathServer.Seen;
import org.diperf.plugins.lib.netty.HttpTarget;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cookies and redirects as servers see them, which is the same over both versions of HTTP. */
@ParameterizedClass
@ValueSource(strings = {"1.1", "2"})
@Timeout(60)
class RedirectsAndCookiesTests {

    private final String version;

    @TempDir
    Path folder;

    RedirectsAndCookiesTests(String version) {
        this.version = version;
    }

    private PluginHarness harness(List<Url> targets, Map<String, ?> with, TestLoop loop) throws Exception {
        Map<String, Object> all = new HashMap<>(with);
        all.put("version", version);
        return new PluginHarness(new HttpPlugin(), targets, all, Duration.ofSeconds(5), folder, loop);
    }

    private PluginHarness harness(Url target, Map<String, ?> with, TestLoop loop) throws Exception {
        return harness(List.of(target), with, loop);
    }

    private PluginHarness harness(Url target, List<Map<String, ?>> requests) throws Exception {
        return new PluginHarness(
                new SeveralRequests(version, requests),
                List.of(target),
                Map.of(),
                Duration.ofSeconds(5),
                folder,
                new NettyLoop());
    }

    private CallProbe one(Url target, Map<String, ?> with) throws Exception {
        try (PluginHarness harness = harness(target, with, new NettyLoop());
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

    private PathServer server(Map<String, Reply> replies) throws Exception {
        return PathServer.of(version, PathServer.by(replies));
    }

    // ---- redirects ----

    @ParameterizedTest
    @ValueSource(strings = {"jdk", "nio", "epoll"})
    void redirectsAreFollowedOnTheSameConnectionAndCounted(String kind) throws Exception {
        Map<String, Reply> replies = Map.of(
                "/a/b", Reply.redirect(302, "../c?d=e#f"), "/c?d=e", Reply.redirect(301, "?x y"), "/c?x%20y", Reply.OK);
        try (PathServer server = server(replies);
                PluginHarness harness = harness(server.uri("/a/b"), Map.of("follow", 5, "expect", "200"), loop(kind));
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = client.call();
            assertThat(call.failure()).isNull();
            assertThat(call.ends()).isEqualTo(1);
            assertThat(call.bytes()).isEqualTo(4 + 4 + 2);
            assertThat(call.isFirst()).isTrue();
            assertThat(call.metrics())
                    .containsEntry("redirects", 2.0)
                    .containsKeys("redirect-time", "connect", "first-byte")
                    .doesNotContainKeys("tls", "stream-wait");
            assertThat(call.metrics().get("redirect-time"))
                    .isGreaterThan(call.metrics().get("connect"));
            assertThat(client.call().metrics()).containsEntry("redirects", 2.0).doesNotContainKey("connect");
            assertThat(server.connections()).isEqualTo(1);
            assertThat(server.requests().subList(0, 3).stream().map(Seen::line))
                    .containsExactly("GET /a/b", "GET /c?d=e", "GET /c?x%20y");
            assertThat(server.requests().get(2).fields())
                    .isEqualTo(server.requests().get(0).fields());
            assertThat(call.said(new HttpPlugin()))
                    .contains("> GET /a/b HTTP/" + version, "> GET /c?d=e HTTP/", "> GET /c?x%20y HTTP/", "< ok");
        }
    }

    /** Browsers leave them as they are; a URI may not hold them in its path. */
    @Test
    void aPlaceWithBracketsLeadsOn() throws Exception {
        try (PathServer elsewhere = server(Map.of("/b[2]", Reply.OK));
                PathServer server = server(Map.of(
                        "/a",
                        Reply.redirect(302, "/list[1]?page[]=2&q=[x]"),
                        "/list[1]?page[]=2&q=[x]",
                        Reply.redirect(302, "?only[]=3"),
                        "/list[1]?only[]=3",
                        Reply.redirect(302, elsewhere.uri("/") + "b[2]")))) {
            CallProbe call = one(server.uri("/a"), Map.of("follow", 3));
            assertThat(call.failure()).isNull();
            assertThat(call.metrics()).containsEntry("redirects", 3.0);
        }
    }

    /** By RFC 3986, section 5.2.4, as browsers and curl do. */
    @Test
    void aPlaceAboveTheRootIsBelowIt() throws Exception {
        try (PathServer server = server(Map.of(
                "/app?x",
                Reply.redirect(302, "../login"),
                "/login",
                Reply.redirect(302, "/a/%2e%2E/./../../in"),
                "/in",
                Reply.OK))) {
            CallProbe call = one(server.uri("/app?x"), Map.of("follow", 3));
            assertThat(call.failure()).isNull();
            assertThat(call.metrics()).containsEntry("redirects", 2.0);
        }
    }

    @Test
    void aPathThatIsEscapedOnItsWayLeadsOnToo() throws Exception {
        Map<String, Reply> replies = Map.of(
                "/s%C3%B6k/a%20b[1]{2}?q=red%20shoes%200",
                Reply.redirect(302, "?page=2", "set-cookie", "sid=1; Path=/s%C3%B6k"),
                "/s%C3%B6k/a%20b[1]{2}?page=2",
                Reply.redirect(302, "there"),
                "/s%C3%B6k/there",
                Reply.OK);
        for (String number : new String[] {"0", "${call}"}) {
            try (PathServer server = server(replies)) {
                CallProbe call = one(
                        server.uri("/"),
                        Map.of("path", "/s\u00f6k/a b[1]{2}?q=red shoes " + number, "follow", 2, "cookies", true));
                assertThat(call.failure()).isNull();
                assertThat(call.metrics()).containsEntry("redirects", 2.0);
                assertThat(server.requests().get(2).fields()).containsEntry("cookie", "sid=1");
            }
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
        boolean hasBody = method.equals("POST") || method.equals("PUT");
        for (String body : hasBody ? List.of("n=${call}", "n=0") : List.of("")) {
            Map<String, Object> with = new HashMap<>(
                    Map.of("method", method, "follow", 1, "headers", Map.of("Content-Type", "text/x", "X-Own", "y")));
            if (hasBody) {
                with.put("body", body);
            }
            try (PathServer server = server(Map.of("/", Reply.redirect(status, "/there"), "/there", Reply.OK))) {
                assertThat(one(server.uri("/"), with).failure()).isNull();
                Seen second = server.requests().get(1);
                assertThat(second.line()).isEqualTo(then + " /there");
                assertThat(second.fields()).containsEntry("x-own", "y");
                boolean keepsBody = hasBody && !then.equals("GET");
                assertThat(second.fields().containsKey("content-type")).isEqualTo(keepsBody || then.equals(method));
                assertThat(second.body()).isEqualTo(keepsBody ? "n=0" : "");
                assertThat(second.fields().get("content-length")).isEqualTo(keepsBody ? "3" : null);
            }
        }
    }

    @Test
    void moreRedirectsThanWantedAreAFailureOfTheirOwn() throws Exception {
        try (PathServer server = server(Map.of("/", Reply.redirect(302, "/")))) {
            CallProbe call = one(server.uri("/"), Map.of("follow", 3));
            assertThat(call.failure()).isEqualTo("more than 3 redirects");
            assertThat(server.requests()).hasSize(4);
            assertThat(call.metrics()).containsEntry("redirects", 3.0);
            assertThat(one(server.uri("/"), Map.of("follow", 1)).failure()).isEqualTo("more than 1 redirect");
            assertThat(one(server.uri("/"), Map.of()).failure())
                    .as("not followed")
                    .isNull();
        }
    }

    @Test
    void aRedirectWithoutAUsablePlaceIsAFailureAndOneWithoutAnyIsAnAnswer() throws Exception {
        for (String location :
                new String[] {"ftp://127.0.0.1/", "mailto:a@b", "http://", "http://h:99999/", "//[::1"}) {
            try (PathServer server = server(Map.of("/", Reply.redirect(302, location)))) {
                assertThat(one(server.uri("/"), Map.of("follow", 3)).failure())
                        .as(location)
                        .isEqualTo("redirect to no usable location");
            }
        }
        try (PathServer server = server(Map.of("/", Reply.of(302, "")))) {
            assertThat(one(server.uri("/"), Map.of("follow", 3)).failure()).isNull();
        }
        try (PathServer server = server(Map.of("/", Reply.redirect(302, "http://no-such-host.invalid/")))) {
            assertThat(one(server.uri("/"), Map.of("follow", 3)).failure()).isEqualTo("redirect to an unknown host");
        }
    }

    @Test
    void whatTheLastAnswerIsDecides() throws Exception {
        try (PathServer server = server(Map.of("/", Reply.redirect(302, "/there"), "/there", Reply.of(503, "")))) {
            CallProbe call = one(server.uri("/"), Map.of("follow", 1));
            assertThat(call.failure()).isEqualTo("status 503");
            assertThat(call.metrics()).containsEntry("redirects", 1.0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdk", "nio", "epoll"})
    void anotherServerSeesNoCredentialsNorTheCookiesOfTheFirst(String kind) throws Exception {
        Map<String, Object> with = Map.of(
                "follow",
                5,
                "cookies",
                true,
                "headers",
                Map.of("Authorization", "Bearer x", "Cookie", "own=1", "X-Client", "${client}", "Host", "me"));
        // One host by two names: cookies know hosts, not ports.
        try (PathServer other = server(Map.of("/in?a=b", Reply.OK));
                PathServer server = server(Map.of(
                        "/",
                        Reply.redirect(302, "http://localhost:" + other.port() + "/in?a=b", "set-cookie", "sid=1")));
                PluginHarness harness = harness(server.uri("/"), with, loop(kind));
                PluginHarness.Owned client = harness.client(7)) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.call().failure()).isNull();
            }
            assertThat(other.connections()).isEqualTo(1);
            assertThat(server.requests().get(1).fields())
                    .containsEntry("cookie", "sid=1; own=1")
                    .containsEntry("authorization", "Bearer x")
                    .containsEntry("host", "me");
            assertThat(other.requests().get(2).line()).isEqualTo("GET /in?a=b");
            assertThat(other.requests().get(2).fields())
                    .containsEntry("host", "localhost:" + other.port())
                    .containsEntry("x-client", "7")
                    .doesNotContainKeys("authorization", "cookie");
        }
    }

    @Test
    void aNewConnectionIsMadeForEachRequestWhereThatIsWanted() throws Exception {
        Map<String, Reply> replies = new ConcurrentHashMap<>(Map.of("/there", Reply.OK));
        try (PathServer other = server(Map.of("/", Reply.redirect(302, "/end"), "/end", Reply.OK));
                PathServer server = server(replies);
                PluginHarness harness =
                        harness(server.uri("/"), Map.of("follow", 2, "connection", "new"), new NettyLoop());
                PluginHarness.Owned client = harness.client(0)) {
            replies.put("/", Reply.redirect(302, other.uri("/").toString()));
            for (int i = 0; i < 2; i++) {
                CallProbe call = client.call();
                assertThat(call.isOk()).as(call.toString()).isTrue();
            }
            assertThat(List.of(server.connections(), other.connections())).containsExactly(2, 4);
        }
    }

    @Test
    void eachRequestSaysForItselfWhetherItsConnectionIsKept() throws Exception {
        for (int first = 0; first < 2; first++) {
            int keeping = first;
            List<Map<String, ?>> requests = keeping == 0
                    ? List.of(Map.of(), Map.of("connection", "new"))
                    : List.of(Map.of("connection", "new"), Map.of());
            try (PathServer server = server(Map.of("/", Reply.OK));
                    PluginHarness harness = harness(server.uri("/"), requests);
                    PluginHarness.Owned client = harness.client(0)) {
                List<Integer> connections = new ArrayList<>();
                for (boolean keeps : new boolean[] {true, true, false, true, false, false}) {
                    CallProbe probe = new CallProbe(0, connections.size(), server.uri("/"), 0);
                    int request = keeps ? keeping : 1 - keeping;
                    assertThat(new ChosenCall(probe, request).make(client).failure())
                            .isNull();
                    connections.add(server.connections());
                }
                // The one that is not kept is the kept one, if there is any.
                assertThat(connections).containsExactly(1, 1, 1, 2, 2, 3);
            }
        }
    }

    @Test
    void aRequestThatCannotBeMadeOfWhatWasCapturedIsTheExperimentsFault() throws Exception {
        Map<String, ?> with = Map.of("follow", 1, "headers", Map.of("X-Token", "${captured}"));
        try (PathServer server = server(Map.of("/", Reply.redirect(302, "/there"), "/there", Reply.OK));
                PluginHarness harness = harness(server.uri("/"), List.of(with));
                PluginHarness.Owned client = harness.client(0)) {
            String[][] captured = {{"two\nlines"}, {"fine", "two\r\nlines"}, {"fine", "fine"}};
            for (int i = 0; i < captured.length; i++) {
                CallProbe call = new ChosenCall(new CallProbe(0, i, server.uri("/"), 0), 0, captured[i]).make(client);
                boolean fine = i == 2;
                assertThat(call.failure()).isEqualTo(fine ? null : "header 'X-Token': the value has a line break");
                assertThat(call.fault()).isEqualTo(fine ? null : Fault.EXPERIMENT);
            }
            assertThat(server.requests().stream().map(Seen::line)).containsExactly("GET /", "GET /", "GET /there");
        }
    }

    @Test
    void theLastAnswerAloneIsReadAndMeasuredUnpacked() throws Exception {
        Map<String, Reply> replies =
                Map.of("/", Reply.redirect(302, "/there"), "/there", Reply.OK, "/lost", Reply.redirect(302, "/none"));
        for (String path : new String[] {"/", "/lost"}) {
            boolean found = path.equals("/");
            try (PathServer server = server(replies);
                    PluginHarness harness = harness(
                            server.uri(path),
                            Map.of("follow", 1, "compressed", true, "expect", "200"),
                            new NettyLoop());
                    PluginHarness.Owned client = harness.client(0)) {
                for (boolean also : new boolean[] {true, false}) {
                    CallProbe probe = new CallProbe(0, also ? 0 : 1, server.uri(path), 0);
                    ReadCall call = new ReadCall(probe, also);
                    client.onOwner(() -> {
                        ((AsyncClient) client.client()).call(call);
                        return true;
                    });
                    assertThat(probe.awaitEnd(5_000)).isTrue();
                    assertThat(probe.failure()).isEqualTo(found ? null : "status 404");
                    assertThat(call.answers()).isEqualTo(found || also ? 1 : 0);
                    if (call.answers() > 0) {
                        assertThat(call.status()).isEqualTo(found ? "200" : "404");
                        assertThat(call.body()).isEqualTo(found ? "ok" : "");
                    }
                    assertThat(probe.metrics()).containsEntry("body-size", found ? 2.0 : 0.0);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdk", "nio"})
    void anotherTargetIsAskedOnItsOwnConnection(String kind) throws Exception {
        Map<String, Reply> replies = new ConcurrentHashMap<>(Map.of("/here", Reply.OK));
        try (PathServer one = server(replies);
                PathServer two = server(Map.of("/there", Reply.OK));
                PluginHarness harness =
                        harness(List.of(one.uri("/here"), two.uri("/there")), Map.of("follow", 1), loop(kind));
                PluginHarness.Owned client = harness.client(0)) {
            replies.put("/here", Reply.redirect(302, two.uri("/there").toString()));
            assertThat(client.call(1).isOk()).isTrue();
            CallProbe call = client.call(0);
            assertThat(call.isOk()).as(call.toString()).isTrue();
            assertThat(client.call(1).isOk()).isTrue();
            assertThat(two.connections()).isEqualTo(1);
            assertThat(two.requests()).hasSize(3);
        }
    }

    @Test
    void aClientKeepsEightConnectionsElsewhereOfWhichTheLeastUsedMakesWay() throws Exception {
        Map<String, Reply> replies = new ConcurrentHashMap<>();
        List<PathServer> others = new ArrayList<>();
        try (PathServer server = server(replies);
                PluginHarness harness = harness(
                        server.uri("/"), Map.of("follow", 1, "path", "/${call}", "expect", "200"), new NettyLoop());
                PluginHarness.Owned client = harness.client(0)) {
            for (int i = 0; i < 9; i++) {
                others.add(server(Map.of("/", Reply.OK)));
            }
            // The first is used again before the ninth comes, so that the second makes way.
            int[] order = {0, 1, 2, 3, 4, 5, 6, 7, 0, 8, 0, 1};
            for (int i = 0; i < order.length; i++) {
                replies.put(
                        "/" + i,
                        Reply.redirect(302, others.get(order[i]).uri("/").toString()));
                CallProbe call = client.call();
                assertThat(call.isOk()).as(call.toString()).isTrue();
            }
            assertThat(others.stream().map(PathServer::connections)).containsExactly(1, 2, 1, 1, 1, 1, 1, 1, 1);
        } finally {
            for (PathServer other : others) {
                other.close();
            }
        }
    }

    @Test
    void aRedirectLeadsFromHttpToHttpsAndBack() throws Exception {
        TestCertificate certificate = TestCertificate.make(folder, "good", "ip:127.0.0.1");
        Map<String, Reply> back = new ConcurrentHashMap<>();
        try (PathServer secure = PathServer.of(version, certificate, PathServer.by(back));
                PathServer server = server(Map.of(
                        "/", Reply.redirect(307, "https://127.0.0.1:" + secure.port() + "/s"), "/end", Reply.OK))) {
            back.put("/s", Reply.redirect(302, server.uri("/end").toString()));
            Map<String, Object> with =
                    Map.of("follow", 2, "ca", certificate.pem().toString(), "expect", "200");
            CallProbe call = one(server.uri("/"), with);
            assertThat(call.failure()).isNull();
            assertThat(call.metrics()).containsEntry("redirects", 2.0).containsKeys("tls", "connect");
            assertThat(secure.requests().get(0).line()).isEqualTo("GET /s");
            // HTTP/1.1 does not say it.
            assertThat(secure.requests().get(0).fields().getOrDefault(":scheme", "https"))
                    .isEqualTo("https");
            assertThat(server.requests().get(1).line()).isEqualTo("GET /end");
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"jdk, true", "nio, true", "epoll, true", "jdk, false", "nio, false"})
    void aCallIsCancelledInItsSecondRequestHereOrElsewhere(String kind, boolean here) throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        PathServer.Replies silent = path -> {
            asked.countDown();
            return Reply.SILENCE;
        };
        Map<String, Reply> replies = new ConcurrentHashMap<>();
        PathServer.Replies known = PathServer.by(replies);
        try (PathServer other = PathServer.of(version, silent);
                PathServer server =
                        PathServer.of(version, path -> path.equals("/silent") ? silent.to(path) : known.to(path));
                PluginHarness harness = harness(server.uri("/"), Map.of("follow", 2, "expect", "200"), loop(kind));
                PluginHarness.Owned client = harness.client(0)) {
            replies.put(
                    "/",
                    Reply.redirect(302, (here ? server : other).uri("/silent").toString()));
            CallProbe call = client.begin(0);
            asked.await();
            client.cancel(call);
            assertThat(call.awaitEnd(5_000)).isTrue();
            assertThat(call.failure()).isEqualTo("cancelled");
            replies.put("/", Reply.OK);
            assertThat(client.call().isOk()).isTrue();
            assertThat(call.ends()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdk", "nio"})
    void aCallIsCancelledWhileAHostIsLookedUpAndEndsOnce(String kind) throws Exception {
        CountDownLatch lookedUp = new CountDownLatch(1);
        Map<String, Reply> replies = new ConcurrentHashMap<>();
        try (PathServer other = server(Map.of("/", Reply.OK));
                PathServer another = server(Map.of("/", Reply.OK));
                PathServer server = server(replies);
                PluginHarness harness = harness(server.uri("/"), Map.of("follow", 1), loop(kind));
                PluginHarness.Owned client = harness.client(0)) {
            RedirectHosts hosts = ((HttpSession) harness.session()).redirectHosts();
            for (String busy : new String[] {"http://127.0.0.1:1/", "http://127.0.0.1:2/"}) {
                // Its two threads wait in them.
                hosts.find(HttpTarget.of(Url.of(busy)), (addresses, failure) -> {
                    try {
                        lookedUp.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                });
            }
            replies.put("/", Reply.redirect(302, "http://localhost:" + other.port() + "/"));
            CallProbe call = client.begin(0);
            awaitSearch(client, call);
            client.cancel(call);
            assertThat(call.awaitEnd(5_000)).isTrue();
            assertThat(call.failure()).isEqualTo("cancelled");
            replies.put("/", Reply.redirect(302, "http://localhost:" + another.port() + "/"));
            CallProbe next = client.begin(0);
            awaitSearch(client, next);
            // What is found first is nobody's now.
            lookedUp.countDown();
            assertThat(next.awaitEnd(5_000)).isTrue();
            assertThat(next.isOk()).as(next.toString()).isTrue();
            assertThat(List.of(call.ends(), next.ends())).containsExactly(1, 1);
            assertThat(other.requests()).isEmpty();
            assertThat(another.requests()).hasSize(1);
        }
    }

    private static void awaitSearch(PluginHarness.Owned client, CallProbe call) throws Exception {
        while (!call.metrics().containsKey("first-byte")) {
            Thread.onSpinWait();
        }
        client.onOwner(() -> true); // so that what was told with the metric is done
        assertThat(call.ends()).isZero();
    }

    @Test
    void aCallThatIsCancelledWhenItsRedirectHasJustComeGoesNowhere() throws Exception {
        HttpPlugin plugin = new HttpPlugin();
        try (PathServer server = server(Map.of("/", Reply.redirect(302, "/there"), "/there", Reply.OK));
                PluginHarness harness = harness(server.uri("/"), Map.of("follow", 1), new JdkLoop());
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = new CallProbe(0, 0, server.uri("/"), 0);
            client.onOwner(() -> {
                AsyncClient async = (AsyncClient) client.client();
                async.call(call);
                // Its sockets' loop has read the answer, which the client hears of after this.
                while (!call.said(plugin).contains("gone")) {
                    Thread.onSpinWait();
                }
                async.cancel(call);
                return true;
            });
            assertThat(call.awaitEnd(5_000)).isTrue();
            assertThat(call.failure()).isEqualTo("cancelled");
            CallProbe next = client.call();
            assertThat(next.isOk()).as(next.toString()).isTrue();
            assertThat(call.ends()).isEqualTo(1);
            assertThat(server.requests()).hasSize(3);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdk", "nio"})
    void aCallIsCancelledWhileItConnectsElsewhere(String kind) throws Exception {
        Map<String, Reply> replies = new ConcurrentHashMap<>();
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                PathServer server = server(replies);
                PluginHarness harness = harness(server.uri("/"), Map.of("follow", 1, "expect", "200"), loop(kind));
                PluginHarness.Owned client = harness.client(0)) {
            replies.put("/", Reply.redirect(302, "https://127.0.0.1:" + silent.getLocalPort() + "/"));
            CallProbe call = client.begin(0);
            try (Socket socket = silent.accept()) {
                assertThat(socket.getInputStream().read()).as("of a handshake").isEqualTo(0x16);
                client.cancel(call);
                assertThat(call.awaitEnd(5_000)).isTrue();
                assertThat(call.failure()).isEqualTo("cancelled");
            }
            replies.put("/", Reply.OK);
            assertThat(client.call().isOk()).isTrue();
            assertThat(call.ends()).isEqualTo(1);
        }
    }

    // ---- cookies ----

    @Test
    void cookiesLastAsLongAsTheClientOrOneIteration() throws Exception {
        for (String cookies : new String[] {"false", "true", "per-iteration"}) {
            try (PathServer server = server(Map.of("/", Reply.of(200, "ok", "set-cookie", "sid=9; Path=/")));
                    PluginHarness harness = harness(server.uri("/"), Map.of("cookies", cookies), new NettyLoop());
                    PluginHarness.Owned client = harness.client(0);
                    PluginHarness.Owned other = harness.client(1)) {
                client.call();
                client.call();
                other.call();
                List<String> sent = new ArrayList<>();
                server.requests().forEach(request -> sent.add(request.fields().get("cookie")));
                assertThat(sent.get(0)).isNull();
                assertThat(sent.get(1)).isEqualTo(cookies.equals("true") ? "sid=9" : null);
                assertThat(sent.get(2)).as("another client").isNull();
            }
        }
    }

    @Test
    void aCookieOfARedirectGoesWithTheNextRequest() throws Exception {
        Map<String, Reply> replies =
                Map.of("/login", Reply.redirect(303, "/home", "set-cookie", "sid=9"), "/home", Reply.OK);
        try (PathServer server = server(replies)) {
            Map<String, Object> with = Map.of(
                    "follow", 1, "cookies", "per-iteration", "method", "POST", "form", Map.of("user", "ü &=${client}"));
            assertThat(one(server.uri("/login"), with).failure()).isNull();
            Seen login = server.requests().get(0);
            assertThat(login.fields()).containsEntry("content-type", "application/x-www-form-urlencoded");
            assertThat(login.body()).isEqualTo("user=%C3%BC+%26%3D0");
            Seen home = server.requests().get(1);
            assertThat(home.line()).isEqualTo("GET /home");
            assertThat(home.fields())
                    .containsEntry("cookie", "sid=9")
                    .doesNotContainKeys("content-type", "content-length");
        }
    }

    @Test
    void severalCookiesOfAnAnswerAreTakenAndGoByTheirPathsWithTheirOctets() throws Exception {
        String[] fields = Stream.of("a=1", "b=grüße", "c=3; Path=/deep", "d=4; Secure")
                .flatMap(cookie -> Stream.of("set-cookie", cookie))
                .toArray(String[]::new);
        Reply sets = Reply.of(200, "ok", fields);
        try (PathServer server = server(Map.of("/", sets, "/deep/er?x", Reply.OK));
                PluginHarness harness = harness(
                        List.of(server.uri("/"), server.uri("/deep/er?x")), Map.of("cookies", true), new NettyLoop());
                PluginHarness.Owned client = harness.client(0)) {
            client.call(0);
            client.call(1);
            client.call(0);
            List<Seen> requests = new ArrayList<>(server.requests());
            // Each target has a connection of its own.
            requests.sort(Comparator.comparing(Seen::line));
            assertThat(requests.get(2).fields()).containsEntry("cookie", "c=3; a=1; b=grüße");
            assertThat(requests.stream()
                            .map(request -> String.valueOf(request.fields().get("cookie"))))
                    .containsExactlyInAnyOrder("null", "a=1; b=grüße", "c=3; a=1; b=grüße");
        }
    }
}
