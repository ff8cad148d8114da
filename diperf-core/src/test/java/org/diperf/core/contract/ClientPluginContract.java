package org.diperf.core.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.BlockingClient;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.ClientTrait;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Url;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The contract of {@code org.diperf.core.spi} for client plugins; the tests of a plugin extend it and say what to call.
 */
@Timeout(120)
@ExtendWith(SkipReasons.class)
public abstract class ClientPluginContract {

    /** The two kinds of loop that an asynchronous client may meet; the second where the tests have Netty. */
    public enum LoopKind {
        JDK,
        NETTY;

        TestLoop open() {
            return this == JDK ? new JdkLoop() : new NettyLoop();
        }
    }

    static List<LoopKind> loops() {
        return isThere("io.netty.channel.EventLoopGroup") ? List.of(LoopKind.values()) : List.of(LoopKind.JDK);
    }

    private static final int CALLS = 20;
    private static final int CALLS_AFTER_CLOSE = 3;
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration LET_GO = Duration.ofSeconds(1);
    private static final String RESERVED = "ok|timeout|unfinished|dropped";

    @TempDir
    Path folder;

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    /** Keeps a server of the test until the test is over, and then closes it. */
    protected final <T extends AutoCloseable> T untilTheEnd(T server) {
        opened.push(server);
        return server;
    }

    @AfterEach
    void closeWhatWasKept() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }

    /** Makes the plugin under test. */
    protected abstract ClientPlugin plugin();

    /** Names a service that answers well; it must live until the test is over. */
    protected abstract Url goodTarget() throws Exception;

    /** Returns parameters with which calls to {@link #goodTarget} succeed. */
    protected Map<String, ?> goodParameters() {
        return Map.of();
    }

    /** Names a target at which calls fail, such as a port that refuses connections. */
    protected abstract Url failingTarget() throws Exception;

    /** Returns parameters with which calls to {@link #failingTarget} fail. */
    protected Map<String, ?> failingParameters() {
        return goodParameters();
    }

    /** Names a service that accepts calls and never answers. */
    protected abstract Url silentTarget() throws Exception;

    /** Returns parameters with which calls to {@link #silentTarget} hang. */
    protected Map<String, ?> silentParameters() {
        return goodParameters();
    }

    private static boolean isThere(String type) {
        try {
            Class.forName(type);
            return true;
        } catch (ClassNotFoundException absent) {
            return false;
        }
    }

    private PluginHarness harness(Url target, Map<String, ?> with, LoopKind loop) throws Exception {
        return harness(target, with, loop.open());
    }

    private PluginHarness harness(Url target, Map<String, ?> with, TestLoop loop) throws Exception {
        return new PluginHarness(plugin(), List.of(target), with, TIMEOUT, folder, loop);
    }

    @Test
    void itDeclaresItselfAsTheContractWants() {
        ClientPlugin plugin = plugin();
        assertThat(plugin.id()).matches("[a-z0-9][a-z0-9-]{0,31}");
        assertThat(plugin.summary()).isNotBlank().doesNotContain("\n");
        assertThat(plugin.schemes()).allMatch(scheme -> scheme.matches("[a-z][a-z0-9+.-]*"));
        assertThat(Url.of(plugin.exampleTarget()).scheme()).isNotBlank();
        assertThat(plugin.parameters()).isEqualTo(plugin().parameters());
        ParameterContract.check(plugin.parameters());
        assertThat(plugin.traits()).isEqualTo(plugin().traits());
        assertThat(plugin.metrics()).isEqualTo(plugin().metrics()).hasSizeLessThanOrEqualTo(100);
        assertThat(plugin.metrics().stream().map(Metric::name)).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("org.diperf.core.contract.ClientPluginContract#loops")
    void everyCallEndsOnceAndReportsDeclaredMetricsAlone(LoopKind loop) throws Exception {
        Assumptions.assumeFalse(timesItself(), "a client that times its calls itself is invoked once in its life");
        List<String> declared = plugin().metrics().stream().map(Metric::name).toList();
        try (PluginHarness harness = harness(goodTarget(), goodParameters(), loop);
                PluginHarness.Owned client = harness.client(0)) {
            List<CallProbe> calls = new ArrayList<>();
            for (int i = 0; i < CALLS; i++) {
                CallProbe call = client.call();
                assertThat(call.failure()).as(call.toString()).isNull();
                assertThat(declared).containsAll(call.metrics().keySet());
                calls.add(call);
            }
            assertThat(calls).allSatisfy(call -> assertThat(call.ends()).isEqualTo(1));
        }
    }

    @ParameterizedTest
    @MethodSource("org.diperf.core.contract.ClientPluginContract#loops")
    void aClientConnectsAheadOfItsCallsOrFailsToAndEndsThatOnce(LoopKind loop) throws Exception {
        try (PluginHarness harness = harness(goodTarget(), goodParameters(), loop);
                PluginHarness.Owned client = harness.client(0)) {
            Assumptions.assumeTrue(
                    client.client() instanceof AsyncClient, "only asynchronous clients connect ahead of their calls");
            CallProbe ahead = client.connect();
            assertThat(ahead.failure()).as(ahead.toString()).isNull();
            assertThat(ahead.bytes()).as("bytes sent or received for no call").isZero();
            CallProbe call = client.call();
            assertThat(call.failure()).as(call.toString()).isNull();
            assertThat(List.of(ahead.ends(), call.ends())).containsExactly(1, 1);
        }
        try (PluginHarness harness = harness(failingTarget(), failingParameters(), loop);
                PluginHarness.Owned client = harness.tryClient(0)) {
            CallProbe ahead = client.connect();
            assertThat(client.call().failure()).isNotBlank().doesNotMatch(RESERVED);
            assertThat(ahead.ends()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @MethodSource("org.diperf.core.contract.ClientPluginContract#loops")
    void theSessionMakesNewClientsOfTheKindThatItSays(LoopKind loop) throws Exception {
        try (PluginHarness harness = harness(goodTarget(), goodParameters(), loop);
                PluginHarness.Owned first = harness.client(0);
                PluginHarness.Owned second = harness.client(1)) {
            Class<? extends Client> kind = harness.session().kind();
            assertThat(kind).isIn(AsyncClient.class, BlockingClient.class);
            assertThat(first.client()).isInstanceOf(kind).isNotSameAs(second.client());
            assertThat(second.client()).isInstanceOf(kind);
        }
    }

    @ParameterizedTest
    @MethodSource("org.diperf.core.contract.ClientPluginContract#loops")
    void aFailureIsAFailedCallEachTimeWithTheSameKindAndTheClientCloses(LoopKind loop) throws Exception {
        try (PluginHarness harness = harness(failingTarget(), failingParameters(), loop)) {
            PluginHarness.Owned client = harness.tryClient(0);
            try (client) {
                CallProbe first = client.call();
                CallProbe second = client.call();
                assertThat(first.failure()).isNotBlank().doesNotMatch(RESERVED);
                assertThat(second.failure()).isEqualTo(first.failure());
                assertThat(first.ends()).isEqualTo(1);
                assertThat(second.ends()).isEqualTo(1);
            }
        }
    }

    /** As when the service is started anew: calls that were about to use such a connection may fail, later ones do not. */
    @ParameterizedTest
    @MethodSource("org.diperf.core.contract.ClientPluginContract#loops")
    void afterTheServiceClosedItsConnectionsCallsSoonSucceedAgain(LoopKind loop) throws Exception {
        Assumptions.assumeFalse(timesItself(), "a client that times its calls itself is invoked once in its life");
        Url target = goodTarget();
        List<InetSocketAddress> servers =
                plugin().servers(target, Parameters.read(plugin().parameters(), goodParameters(), 0));
        Assumptions.assumeTrue(
                servers.stream().anyMatch(server -> server.getPort() == target.port()),
                "its clients do not connect by TCP to the port of the target");
        try (CuttableRelay relay = new CuttableRelay(servers.get(0));
                PluginHarness harness = harness(relay.inFrontOf(target), goodParameters(), loop);
                PluginHarness.Owned client = harness.client(0)) {
            assertThat(client.call().failure()).isNull();
            relay.closeConnections();
            CallProbe call = client.call();
            for (int again = 1; again < CALLS_AFTER_CLOSE && !call.isOk(); again++) {
                call = client.call();
            }
            assertThat(call.failure())
                    .as("call %d after the service closed the connection: a client connects anew", CALLS_AFTER_CLOSE)
                    .isNull();
        }
    }

    /** On a loop that takes no socket, as where no descriptor is free. A client that has none of the loop's goes on as ever. */
    @Test
    void whereNoSocketCanBeMadeEachCallEndsAndTheClientCloses() throws Exception {
        Assumptions.assumeTrue(
                isThere("io.netty.channel.epoll.EpollSocketChannel"),
                "epoll for Netty is not on the class path of these tests");
        Assumptions.assumeFalse(timesItself(), "a client that times its calls itself is invoked once in its life");
        try (PluginHarness harness = harness(goodTarget(), goodParameters(), NettyLoop.withoutSockets());
                PluginHarness.Owned client = harness.tryClient(0)) {
            for (int i = 0; i < 2; i++) {
                CallProbe call = client.call();
                client.onOwner(() -> true);
                assertThat(call.ends()).as(call.toString()).isEqualTo(1);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("org.diperf.core.contract.ClientPluginContract#loops")
    void aCallThatIsGivenUpEndsSoonAndOnce(LoopKind loop) throws Exception {
        try (PluginHarness harness = harness(silentTarget(), silentParameters(), loop);
                PluginHarness.Owned client = harness.client(0)) {
            Assumptions.assumeTrue(
                    harness.session().kind() == AsyncClient.class || blockingCallsObeyInterrupts(),
                    "the plugin says that its calls bound their own waits");
            CallProbe call = client.begin(0);
            client.awaitEntered();
            client.cancel(call);
            assertThat(call.awaitEnd(PluginHarness.patience(LET_GO)))
                    .as("ended within 1 s")
                    .isTrue();
            client.onOwner(() -> true);
            assertThat(call.ends()).isEqualTo(1);
        }
    }

    @Test
    void aClientThatTimesItsCallsReportsThemAndEndsWithItsClientAlone() throws Exception {
        try (PluginHarness harness = harness(goodTarget(), goodParameters(), LoopKind.JDK);
                PluginHarness.Owned client = harness.client(0)) {
            boolean selfTimed = client.client() instanceof BlockingClient blocking && blocking.selfTimed();
            assertThat(selfTimed)
                    .as("the trait TIMES_ITSELF says what selfTimed() says")
                    .isEqualTo(timesItself());
            Assumptions.assumeTrue(selfTimed, "the framework times its calls");
            CallProbe life = client.begin(0);
            harness.recorder().awaitCall(PluginHarness.patience(TIMEOUT));
            assertThat(life.ends()).as("ends before its client does").isZero();
            client.cancel(life);
            assertThat(life.awaitEnd(PluginHarness.patience(LET_GO)))
                    .as("ended within 1 s")
                    .isTrue();
        }
    }

    private boolean timesItself() {
        return plugin().traits().contains(ClientTrait.TIMES_ITSELF);
    }

    /** Returns whether a blocking call ends at an interrupt; one that does not bounds its own waits by the timeout. */
    protected boolean blockingCallsObeyInterrupts() {
        return true;
    }

    @Test
    void aClientThatWasNeverOpenedCloses() throws Exception {
        try (PluginHarness harness = harness(goodTarget(), goodParameters(), LoopKind.JDK)) {
            harness.session().newClient().close();
        }
    }
}
