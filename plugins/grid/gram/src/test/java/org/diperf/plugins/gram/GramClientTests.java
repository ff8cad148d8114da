package org.diperf.plugins.gram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.JdkLoop;
import org.diperf.core.contract.NettyLoop;
import org.diperf.core.contract.PluginHarness;
import org.diperf.core.contract.TestLoop;
import org.diperf.core.spi.Fault;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.gsi.GsiWorld;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Against a gatekeeper in this process, which behaves, or does not. */
@Timeout(120)
class GramClientTests {

    private static final String CONTACT = "https://127.0.0.1:1/1/";

    @TempDir
    static Path home;

    @TempDir
    Path folder;

    private static GsiWorld world;
    private static final Changing CONDUCT = new Changing();
    private static GramStandIn gatekeeper;

    /** One gatekeeper does for all, as each test wants it. */
    @BeforeAll
    static void makeWorld() throws Exception {
        world = GsiWorld.make(home);
        gatekeeper = GramStandIn.start(world.credentials("proxy.pem"), CONDUCT);
    }

    @AfterAll
    static void closeGatekeeper() {
        gatekeeper.close();
    }

    /** Another conduct for each test. */
    private static final class Changing extends GramStandIn.Behaviour {
        private volatile GramStandIn.Behaviour now = new GramStandIn.Behaviour();

        @Override
        byte @Nullable [] asksForProxy(byte[] usual) {
            return now.asksForProxy(usual);
        }

        @Override
        @Nullable
        String replies(String path, String message, String usual) {
            return now.replies(path, message, usual);
        }

        @Override
        List<String> tells(List<String> usual) {
            return now.tells(usual);
        }

        @Override
        boolean tellsFirst() {
            return now.tellsFirst();
        }

        @Override
        boolean waitsForCommits() {
            return now.waitsForCommits();
        }
    }

    /** A conduct that remembers what it was asked. */
    private static class Told extends GramStandIn.Behaviour {
        final List<String> messages = new CopyOnWriteArrayList<>();

        @Override
        @Nullable
        String replies(String path, String message, String usual) {
            messages.add(message);
            return usual;
        }

        long count(String part) {
            return messages.stream().filter(message -> message.contains(part)).count();
        }
    }

    private PluginHarness harness(Url target, Map<String, ?> with, TestLoop loop) throws Exception {
        return new PluginHarness(new GramPlugin(), List.of(target), with, Duration.ofSeconds(20), folder, loop);
    }

    private CallProbe one(GramStandIn.Behaviour conduct, Map<String, ?> with) throws Exception {
        CONDUCT.now = conduct;
        return one(gatekeeper.target(), with);
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

    @ParameterizedTest
    @ValueSource(strings = {"jdk", "nio", "epoll"})
    void aJobIsFollowedToItsEndAndItsStatesAreTimed(String kind) throws Exception {
        CONDUCT.now = new GramStandIn.Behaviour();
        try (PluginHarness harness = harness(gatekeeper.target(), world.with(), loop(kind));
                PluginHarness.Owned client = harness.client(0)) {
            for (int i = 0; i < 5; i++) {
                CallProbe call = client.call();
                assertThat(call.isOk()).as(call.toString()).isTrue();
                assertThat(call.metrics())
                        .containsKeys("connect", "authenticate", "delegate", "submit", "state.active", "done")
                        .doesNotContainKeys("cancel", "state.pending");
                assertThat(call.bytes()).isEqualTo("&(executable=/bin/true)".length());
            }
        }
    }

    @Test
    void aPollSeesTheSameEndAsACallback() throws Exception {
        Told told = new Told();
        CallProbe call = one(told, world.with("states", "poll", "poll-every", "20ms"));
        assertThat(call.isOk()).as(call.toString()).isTrue();
        assertThat(call.metrics()).containsKeys("state.active", "done");
        assertThat(told.messages.get(0)).contains("callback-url: \"\"");
        assertThat(told.count("\"status\"")).isEqualTo(2);
    }

    @Test
    void aJobThatItsManagerHasForgottenHasEnded() throws Exception {
        GramStandIn.Behaviour forgets = new GramStandIn.Behaviour() {
            @Override
            String replies(String path, String message, String usual) {
                return message.contains("\"status\"")
                        ? GramStandIn.reply(
                                "protocol-version: 2\r\nstatus: 0\r\nfailure-code: 156\r\njob-failure-code: 0\r\n")
                        : usual;
            }
        };
        CallProbe call = one(forgets, world.with("states", "poll", "poll-every", "20ms"));
        assertThat(call.isOk()).as(call.toString()).isTrue();
    }

    @Test
    void aPingAndASubmissionEndWithTheAnswer() throws Exception {
        Told told = new Told();
        CallProbe ping = one(told, world.with("until", "ping"));
        assertThat(ping.isOk()).as(ping.toString()).isTrue();
        assertThat(ping.metrics()).containsKeys("authenticate", "submit").doesNotContainKeys("delegate", "done");
        assertThat(told.messages).containsExactly("");
        CallProbe submission = one(told, world.with("until", "submitted"));
        assertThat(submission.isOk()).as(submission.toString()).isTrue();
        assertThat(submission.metrics()).containsKeys("delegate", "submit").doesNotContainKeys("done");
        assertThat(told.messages.get(1))
                .contains("rsl: \"&(executable=/bin/true)\"")
                .contains("callback-url: \"\"");
    }

    @Test
    void outputComesBackAndIsCounted() throws Exception {
        CallProbe call = one(new GramStandIn.Behaviour(), world.with("output", true));
        assertThat(call.isOk()).as(call.toString()).isTrue();
        assertThat(call.bytes()).isEqualTo("&(executable=/bin/true)".length() + "hello\n".length());
    }

    @Test
    void aCancelledJobIsACallThatWentWell() throws Exception {
        Told told = new Told();
        CallProbe call = one(told, world.with("until", "cancelled", "rsl", "&(executable=/bin/sleep)(arguments=99)"));
        assertThat(call.isOk()).as(call.toString()).isTrue();
        assertThat(call.metrics()).containsKeys("cancel", "state.active", "done");
        assertThat(told.count("\"cancel\"")).isEqualTo(1);
    }

    private static Map<String, Object> cancelsAndPolls() {
        return world.with(
                "until", "cancelled", "states", "poll", "poll-every", "20ms", "rsl", "&(executable=/bin/sleep)");
    }

    @Test
    void aJobThatWasCancelledAndForgottenIsACallThatWentWell() throws Exception {
        Told told = new Told();
        CallProbe call = one(told, cancelsAndPolls());
        assertThat(call.isOk()).as(call.toString()).isTrue();
        assertThat(call.metrics()).containsKeys("cancel", "state.active", "done");
        assertThat(told.count("\"cancel\"")).isEqualTo(1);
    }

    @Test
    void whetherAForgottenJobWasCancelledIsForTheAnswerToSay() throws Exception {
        GramStandIn.Behaviour forgetsFirst = new GramStandIn.Behaviour() {
            @Override
            @Nullable
            String replies(String path, String message, String usual) {
                return message.contains("\"cancel\"") ? null : usual;
            }
        };
        hangs(forgetsFirst, cancelsAndPolls(), "cancel: no answer");
    }

    @Test
    void aJobThatEndsBeforeItIsCancelledIsAFailure() throws Exception {
        GramStandIn.Behaviour quick = new GramStandIn.Behaviour() {
            @Override
            List<String> tells(List<String> usual) {
                return List.of(GramStandIn.stateMessage(CONTACT, 8, 0));
            }
        };
        assertThat(one(quick, world.with("until", "cancelled")).failure())
                .isEqualTo("cancel: the job had already ended");
    }

    @Test
    void theJobOfACallThatIsGivenUpIsCancelled() throws Exception {
        Told told = new Told();
        CONDUCT.now = told;
        try (PluginHarness harness = harness(
                        gatekeeper.target(),
                        world.with("rsl", "&(executable=/bin/sleep)(arguments=99)"),
                        new NettyLoop());
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = client.begin(0);
            await(call, () -> told.count("rsl:") == 1);
            assertThat(call.ends()).as("a job that sleeps goes on").isZero();
            client.cancel(call);
            assertThat(call.awaitEnd(5_000)).isTrue();
            assertThat(call.failure()).isEqualTo("cancelled");
            await(call, () -> told.count("\"cancel\"") == 1);
        }
    }

    /** Waits next to a call. */
    private static void await(CallProbe call, java.util.function.BooleanSupplier condition)
            throws InterruptedException {
        long until = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(call.toString()).isLessThan(until);
            call.awaitEnd(10);
            Thread.onSpinWait();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aManagerThatWaitsForCommitsGetsEachOnce(boolean tellsFirst) throws Exception {
        Told told = new Told() {
            @Override
            boolean waitsForCommits() {
                return true;
            }

            @Override
            boolean tellsFirst() {
                return tellsFirst;
            }
        };
        CallProbe call = one(told, world.with());
        assertThat(call.isOk()).as(call.toString()).isTrue();
        assertThat(told.count("signal 5 ")).isEqualTo(1);
        assertThat(told.count("signal 10 ")).isEqualTo(1);
    }

    @Test
    void aReplyThatIsLongerThanItSaysIsRefused() throws Exception {
        Told told = new Told() {
            @Override
            String replies(String path, String message, String usual) {
                super.replies(path, message, usual);
                return message.contains("rsl:") ? usual.replace("status: 0", "status: 110") : usual;
            }
        };
        assertThat(one(told, world.with()).failure()).isNotNull();
    }

    static Stream<Arguments> replies() {
        return Stream.of(
                Arguments.of("HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n", "submit: 7 AUTHORIZATION"),
                Arguments.of("HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n", "submit: 93 SERVICE_NOT_FOUND"),
                Arguments.of(
                        "HTTP/1.1 500 Internal Server Error\r\nConnection: close\r\n\r\n",
                        "submit: 47 GATEKEEPER_MISCONFIGURED"),
                Arguments.of("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n", "submit: 10 PROTOCOL_FAILED"),
                Arguments.of("HTTP/1.1 302 Found\r\nConnection: close\r\n\r\n", "submit: status 302"),
                Arguments.of(GramStandIn.reply("protocol-version: 2\r\nstatus: 48\r\n"), "submit: 48 BAD_RSL"),
                Arguments.of(
                        GramStandIn.reply("protocol-version: 2\r\nstatus: 167\r\n"), "submit: 167 INVALID_USER_NAME"),
                Arguments.of(GramStandIn.reply("protocol-version: 2\r\nstatus: 999\r\n"), "submit: 999"),
                Arguments.of(GramStandIn.reply("protocol-version: 3\r\nstatus: 0\r\n"), "submit: 49 VERSION_MISMATCH"),
                Arguments.of(GramStandIn.reply("status: 0\r\n"), "submit: 91 HTTP_UNPACK_FAILED"),
                Arguments.of(
                        GramStandIn.reply("protocol-version: 2\r\nstatus: zero\r\n"), "submit: 91 HTTP_UNPACK_FAILED"),
                Arguments.of(
                        GramStandIn.reply("protocol-version: 2\r\nstatus: 0\r\n"), "submit: 91 HTTP_UNPACK_FAILED"),
                Arguments.of(
                        GramStandIn.reply("protocol-version: 2\r\nstatus: 0\r\njob-manager-url: nonsense\r\n"),
                        "submit: 91 HTTP_UNPACK_FAILED"),
                Arguments.of(GramStandIn.reply("no line of GRAM"), "submit: 91 HTTP_UNPACK_FAILED"),
                Arguments.of("", "submit: closed before the answer"),
                Arguments.of("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nhalf", "submit: closed before the answer"),
                Arguments.of("SMTP ready\r\n\r\n", "submit: 89 HTTP_UNFRAME_FAILED"),
                Arguments.of(
                        "HTTP/1.1 200 OK\r\nContent-Length: 999999\r\n\r\n" + "x".repeat(999_999),
                        "submit: answer too large"));
    }

    @ParameterizedTest
    @MethodSource("replies")
    void anAnswerThatIsNoAcceptanceIsItsOwnOutcome(String reply, String failure) throws Exception {
        GramStandIn.Behaviour conduct = new GramStandIn.Behaviour() {
            @Override
            String replies(String path, String message, String usual) {
                return reply;
            }
        };
        CallProbe call = one(conduct, world.with());
        assertThat(call.failure()).isEqualTo(failure);
        assertThat(call.fault()).isEqualTo(Fault.SERVICE);
    }

    static Stream<Arguments> callbacks() {
        return Stream.of(
                Arguments.of(GramStandIn.stateMessage(CONTACT, 4, 17), "job: 17 JOB_EXECUTION_FAILED"),
                Arguments.of(GramStandIn.stateMessage(CONTACT, 4, 8), "job: 8 USER_CANCELLED"),
                Arguments.of(GramStandIn.stateMessage(CONTACT, 8, 0) + "exit-code: 3\r\n", "job: exit 3"),
                Arguments.of(GramStandIn.stateMessage(CONTACT, 77, 0), "callback: 91 HTTP_UNPACK_FAILED"),
                Arguments.of("garbage", "callback: 91 HTTP_UNPACK_FAILED"),
                Arguments.of("protocol-version: 7\r\nstatus: 8\r\n", "callback: 49 VERSION_MISMATCH"));
    }

    @ParameterizedTest
    @MethodSource("callbacks")
    void whatAManagerTellsOfAJobIsItsOutcome(String callback, String failure) throws Exception {
        GramStandIn.Behaviour conduct = new GramStandIn.Behaviour() {
            @Override
            List<String> tells(List<String> usual) {
                return List.of(callback);
            }
        };
        assertThat(one(conduct, world.with()).failure()).isEqualTo(failure);
    }

    @Test
    void allStatesOfAJobAreMetricsOfItsCall() throws Exception {
        GramStandIn.Behaviour conduct = new GramStandIn.Behaviour() {
            @Override
            List<String> tells(List<String> usual) {
                List<String> all = new ArrayList<>();
                for (int state : new int[] {64, 1, 2, 16, 2, 128, 8}) {
                    all.add(GramStandIn.stateMessage(CONTACT, state, 0));
                }
                return all;
            }
        };
        CallProbe call = one(conduct, world.with());
        assertThat(call.isOk()).as(call.toString()).isTrue();
        assertThat(call.metrics())
                .containsKeys(
                        "state.unsubmitted",
                        "state.stage-in",
                        "state.pending",
                        "state.active",
                        "state.suspended",
                        "state.stage-out");
        double sum = call.metrics().entrySet().stream()
                .filter(metric -> metric.getKey().startsWith("state."))
                .mapToDouble(Map.Entry::getValue)
                .sum();
        assertThat(sum).isCloseTo(call.metrics().get("done"), org.assertj.core.data.Offset.offset(0.001));
    }

    @Test
    void aGatekeeperThatHangsIsToldByTheStep() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Url target = Url.of("gram://127.0.0.1:" + silent.getLocalPort() + "/jobmanager");
            assertThat(one(target, world.with("step-timeout", "100ms")).failure())
                    .isEqualTo("authenticate: no answer");
        }
        GramStandIn.Behaviour asksNothing = new GramStandIn.Behaviour() {
            @Override
            byte @Nullable [] asksForProxy(byte[] usual) {
                return null;
            }
        };
        hangs(asksNothing, world.with(), "delegate: no answer");
        for (String until : List.of("submitted", "ping")) {
            GramStandIn.Behaviour answersNothing = new GramStandIn.Behaviour() {
                @Override
                @Nullable
                String replies(String path, String message, String usual) {
                    return null;
                }
            };
            hangs(
                    answersNothing,
                    world.with("until", until),
                    (until.equals("ping") ? "ping" : "submit") + ": no answer");
        }
        GramStandIn.Behaviour cancelsNothing = new GramStandIn.Behaviour() {
            @Override
            @Nullable
            String replies(String path, String message, String usual) {
                return message.contains("\"cancel\"") || message.contains("\"status\"") ? null : usual;
            }
        };
        Map<String, Object> sleeps = world.with("rsl", "&(executable=/bin/sleep)");
        sleeps.put("until", "cancelled");
        hangs(cancelsNothing, sleeps, "cancel: no answer");
        sleeps.putAll(Map.of("until", "done", "states", "poll", "poll-every", "10ms"));
        hangs(cancelsNothing, sleeps, "status: no answer");
    }

    /** Expects a failure at a time limit that is short, but not too short for the steps before on a busy machine. */
    private void hangs(GramStandIn.Behaviour conduct, Map<String, Object> with, String failure) throws Exception {
        @Nullable String seen = "";
        for (int millis = 100; !failure.equals(seen) && millis < 10_000; millis *= 2) {
            with.put("step-timeout", millis + "ms");
            seen = one(conduct, with).failure();
        }
        assertThat(seen).isEqualTo(failure);
    }

    @Test
    void aJobOfWhichNothingIsToldIsToldByThat() throws Exception {
        CountDownLatch cancelled = new CountDownLatch(1);
        CONDUCT.now = new GramStandIn.Behaviour() {
            @Override
            List<String> tells(List<String> usual) {
                return List.of();
            }

            @Override
            String replies(String path, String message, String usual) {
                if (message.contains("\"cancel\"")) {
                    cancelled.countDown();
                }
                return usual;
            }
        };
        try (PluginHarness harness = new PluginHarness(
                        new GramPlugin(),
                        List.of(gatekeeper.target()),
                        world.with("step-timeout", "60s"),
                        Duration.ofMillis(400),
                        folder,
                        new NettyLoop());
                PluginHarness.Owned client = harness.client(0)) {
            assertThat(client.call().failure())
                    .isEqualTo("callback: none received; can job managers reach callback-host?");
            assertThat(cancelled.await(20, TimeUnit.SECONDS))
                    .as("its job is not left to run")
                    .isTrue();
        }
    }

    @Test
    void aCallWaitsForAPortThatIsTaken() throws Exception {
        CONDUCT.now = new GramStandIn.Behaviour();
        CallProbe waits = waitsForPort();
        // It waits for a second: on a machine that stands still for as long, the port is left too late.
        for (int again = 0; again < 5 && !waits.isOk(); again++) {
            waits = waitsForPort();
        }
        assertThat(waits.isOk()).as(waits.toString()).isTrue();
    }

    /** Makes a call that finds no port, and another one that waits until there is one. */
    private CallProbe waitsForPort() throws Exception {
        ServerSocket other = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        String range = other.getLocalPort() + "-" + other.getLocalPort();
        try (other;
                PluginHarness harness =
                        harness(gatekeeper.target(), world.with("callback-ports", range), new NettyLoop());
                PluginHarness.Owned client = harness.client(0)) {
            assertThat(client.call().failure())
                    .isEqualTo("callback-ports: none of " + range + " is free; a tester needs one per event loop");
            CallProbe waits = client.begin(0);
            assertThat(waits.awaitEnd(100)).as("it would be followed at once").isFalse();
            other.close();
            assertThat(waits.awaitEnd(20_000)).isTrue();
            return waits;
        }
    }

    @Test
    void aGatekeeperThatHangsUpOrTalksNonsenseIsToldByTheStep() throws Exception {
        for (boolean talks : new boolean[] {true, false}) {
            try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
                Thread answering = new Thread(() -> hangUp(server, talks), "hangs-up");
                answering.setDaemon(true);
                answering.start();
                Url target = Url.of("gram://127.0.0.1:" + server.getLocalPort() + "/jobmanager");
                assertThat(one(target, world.with()).failure())
                        .isEqualTo(talks ? "GSI: the server does not speak TLS" : "GSI: closed during the handshake");
            }
        }
        for (byte[] asked : new byte[][] {{}, "nonsense".getBytes(StandardCharsets.US_ASCII), {0x30, 3, 1, 1, 1}}) {
            GramStandIn.Behaviour conduct = new GramStandIn.Behaviour() {
                @Override
                byte[] asksForProxy(byte[] usual) {
                    return asked;
                }
            };
            assertThat(one(conduct, world.with()).failure())
                    .isEqualTo(asked.length == 0 ? "delegate: closed before the answer" : "delegate: no proxy request");
        }
    }

    private static void hangUp(ServerSocket server, boolean talks) {
        try (Socket accepted = server.accept();
                OutputStream out = accepted.getOutputStream()) {
            if (talks) {
                out.write("220 hello, this is no GRAM\r\n".getBytes(StandardCharsets.US_ASCII));
            } else {
                accepted.getInputStream().read();
            }
        } catch (java.io.IOException e) {
            // The test sees what came of it.
        }
    }

    @Test
    void anotherSubjectThanTheTargetsIsRefused() throws Exception {
        CONDUCT.now = new GramStandIn.Behaviour();
        assertThat(Url.decoded(gatekeeper.target().path())).endsWith(":" + GsiWorld.USER);
        assertThat(one(gatekeeper.target("/O=Grid/OU=test/CN=Other User"), world.with())
                        .failure())
                .isEqualTo("GSI: authenticated as a different identity");
        Url byHost = Url.of("gram://127.0.0.1:" + gatekeeper.target().port() + "/jobmanager-stand-in");
        assertThat(one(byHost, world.with()).failure()).isEqualTo("GSI: certificate is for another host");
    }

    @Test
    void aCredentialOfNoKnownAuthorityIsRefused() throws Exception {
        CONDUCT.now = new GramStandIn.Behaviour();
        String stranger = home.resolve("stranger.pem").toString();
        assertThat(one(gatekeeper.target(), world.with("proxy-file", stranger)).failure())
                .startsWith("GSI: ")
                .isNotEqualTo("GSI: authenticated as a different identity");
    }

    @Test
    void anExpiredProxyIsRefusedBeforeTheRun() {
        String ended = home.resolve("ended.pem").toString();
        assertThatThrownBy(
                        () -> harness(Url.of("gram://127.0.0.1:1/"), world.with("proxy-file", ended), new NettyLoop())
                                .close())
                .hasMessageContaining("proxy-file: expected a valid credential, got one that expired at")
                .hasMessageContaining("grid-proxy-init -out " + ended);
    }

    @Test
    void aManagerThatIsSomebodyElseIsNotBelieved() throws Exception {
        // A job manager acts for the user by the proxy that it got; this gatekeeper is another user.
        try (GramStandIn other = GramStandIn.start(world.credentials("other.pem"))) {
            Map<String, Object> polls = world.with("states", "poll", "poll-every", "10ms");
            assertThat(one(other.target(), polls).failure()).isEqualTo("GSI: authenticated as a different identity");
            try (PluginHarness harness = harness(other.target(), world.with(), new NettyLoop());
                    PluginHarness.Owned client = harness.client(0)) {
                CallProbe call = client.begin(0);
                assertThat(call.awaitEnd(500)).as("its callbacks are not taken").isFalse();
                client.cancel(call);
                assertThat(call.awaitEnd(2_000)).isTrue();
            }
        }
    }
}
