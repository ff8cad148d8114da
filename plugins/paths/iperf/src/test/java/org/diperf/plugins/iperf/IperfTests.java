package org.diperf.plugins.iperf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.epoll.EpollIoHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.JdkLoop;
import org.diperf.core.contract.NettyLoop;
import org.diperf.core.contract.PluginHarness;
import org.diperf.core.contract.TestLoop;
import org.diperf.core.ports.FreePorts;
import org.diperf.core.spi.Fault;
import org.diperf.core.spi.Url;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The client against the plugin's own server. */
@Timeout(60)
class IperfTests {

    private static final long BYTES = 20_000_001;

    @TempDir
    Path folder;

    static NettyLoop epoll() {
        return new NettyLoop(EpollIoHandler.newFactory());
    }

    static IperfServer server() throws IOException {
        return new IperfServer(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePorts.take()), NanoClock.SYSTEM);
    }

    private PluginHarness harness(Url target, Map<String, ?> with, TestLoop loop) throws Exception {
        return new PluginHarness(new IperfPlugin(), List.of(target), with, Duration.ofSeconds(30), folder, loop);
    }

    private CallProbe test(Url target, Map<String, ?> with, TestLoop loop) throws Exception {
        try (PluginHarness harness = harness(target, with, loop);
                PluginHarness.Owned client = harness.client(0)) {
            return client.call();
        }
    }

    static Stream<Arguments> directions() {
        return Stream.of(1, 3, 16)
                .flatMap(streams -> Stream.of(
                        Arguments.of(streams, Map.of()),
                        Arguments.of(streams, Map.of("reverse", true)),
                        Arguments.of(streams, Map.of("window", "128KiB", "no-delay", true))));
    }

    @ParameterizedTest
    @MethodSource("directions")
    void theNumberOfBytesIsExactAtTheOtherEndToo(int streams, Map<String, ?> more) throws Exception {
        Map<String, Object> with = new HashMap<>(more);
        with.put("bytes", BYTES);
        with.put("parallel", streams);
        try (IperfServer server = server()) {
            CallProbe call = test(server.target(), with, epoll());

            assertThat(call.failure()).isNull();
            assertThat(call.bytes()).isEqualTo(BYTES);
            assertThat(call.metrics())
                    .containsKeys("rate", "rate.remote", "retransmits", "cpu", "cpu.remote", "set-up");
        }
    }

    @Test
    void bytesThatComeBeforeTheWordThatTheTestRunsCountAndEndIt() throws Exception {
        try (IperfServer server = server();
                Way way = new Way(
                        new InetSocketAddress(
                                server.target().host(), server.target().port()),
                        datagram -> false,
                        200)) {
            CallProbe call = test(way.uri(), Map.of("bytes", "64KiB", "reverse", true), epoll());

            assertThat(call.failure()).isNull();
            assertThat(call.bytes()).isEqualTo(64 << 10);
            assertThat(call.metrics().get("rate"))
                    .as("the bytes are known to be here 200 ms after the first came, when the server's word came")
                    .isLessThan(64 * 1024 * 8 / 1e6 / 0.1);
        }
    }

    @Test
    void bothDirectionsAtOnceHaveTheirOwnNumbers() throws Exception {
        try (IperfServer server = server()) {
            CallProbe call = test(server.target(), Map.of("bytes", "4MB", "bidirectional", true), epoll());

            assertThat(call.failure()).isNull();
            assertThat(call.metrics()).containsKeys("rate", "rate.remote", "back.rate", "back.rate.remote");
            assertThat(call.bytes()).isGreaterThanOrEqualTo(4_000_000);
        }
    }

    static Stream<TestLoop> loops() {
        return Stream.of(new JdkLoop(), new NettyLoop(), epoll());
    }

    @ParameterizedTest
    @MethodSource("loops")
    void everyKindOfLoopMeasures(TestLoop loop) throws Exception {
        try (IperfServer server = server();
                PluginHarness harness = harness(server.target(), Map.of("bytes", "1MB"), loop);
                PluginHarness.Owned client = harness.client(0)) {
            for (int i = 0; i < 3; i++) {
                CallProbe call = client.call();
                assertThat(call.failure()).isNull();
                assertThat(call.bytes()).isEqualTo(1_000_000);
            }
        }
    }

    /** Or a client that has vanished would keep all others out for ever, where the test is the server's to end. */
    @Test
    void theKernelAsksWhetherAClientIsStillThere() throws Exception {
        Path table = Path.of("/proc/net/tcp");
        assumeTrue(Files.exists(table), "this system does not list its connections");
        try (IperfServer server = server();
                Socket client = new Socket(
                        InetAddress.getLoopbackAddress(), server.address().getPort())) {
            client.getOutputStream().write(Cookie.fresh());
            assertThat(client.getInputStream().read()).isEqualTo(State.PARAM_EXCHANGE);
            String from = String.format(":%04X", server.address().getPort());
            String to = String.format(":%04X", client.getLocalPort());
            List<String> connections = new ArrayList<>(Files.readAllLines(table));
            connections.addAll(Files.readAllLines(Path.of("/proc/net/tcp6")));
            // The columns local_address, rem_address and tr: 02 is a timer that keeps alive.
            assertThat(connections.stream().map(line -> line.strip().split("\\s+")))
                    .filteredOn(columns -> columns[1].endsWith(from) && columns[2].endsWith(to))
                    .singleElement()
                    .satisfies(columns -> assertThat(columns[5]).startsWith("02:"));
        }
    }

    @Test
    void blocksAreCountedToo() throws Exception {
        try (IperfServer server = server()) {
            CallProbe call = test(server.target(), Map.of("blocks", 37, "block", 1000), epoll());

            assertThat(call.failure()).isNull();
            assertThat(call.bytes()).isEqualTo(37_000);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "true"})
    void aLimitedStreamKeepsToItsRate(String reverse) throws Exception {
        try (IperfServer server = server()) {
            Map<String, ?> with = Map.of("time", "500ms", "rate", "8Mbit/s", "block", 1000, "reverse", reverse);
            CallProbe call = test(server.target(), with, epoll());

            assertThat(call.failure()).isNull();
            // A busy machine may be late, never early: one block may lead.
            assertThat(call.metrics().get("rate")).isBetween(0.1, 8.3);
        }
    }

    @Test
    void whatIsOmittedDoesNotCount() throws Exception {
        try (IperfServer server = server()) {
            Map<String, ?> with = Map.of("omit", "1s", "bytes", "100kB", "rate", "8Mbit/s", "block", 1000);
            CallProbe call = test(server.target(), with, epoll());

            assertThat(call.failure()).isNull();
            // A million bytes went before, of which a few may reach the other end after its second.
            assertThat(call.bytes()).isBetween(80_000L, 300_000L);
        }
    }

    /** The last are among them, which leave no gap in the numbers of those that arrive. */
    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void theDatagramsThatTheWayLosesAreThoseReported(int streams) throws Exception {
        int packets = 400 * streams;
        try (IperfServer server = server();
                Way way = new Way(server.address(), i -> i % 10 == 0 || i > packets - 3)) {
            Map<String, ?> with =
                    Map.of("protocol", "udp", "blocks", packets, "block", 500, "rate", "1Mbit/s", "parallel", streams);
            CallProbe call = test(way.uri(), with, epoll());

            assertThat(call.failure()).isNull();
            assertThat(way.dropped()).isEqualTo(packets / 10 + 2L);
            assertThat(call.metrics().get("packets")).isEqualTo(packets);
            assertThat(call.metrics().get("lost")).isEqualTo((double) way.dropped());
            assertThat(call.metrics()).containsKey("jitter");
        }
    }

    @Test
    void datagramsComeFromTheServerTooUntilEnoughHaveCome() throws Exception {
        try (IperfServer server = server()) {
            Map<String, ?> with =
                    Map.of("protocol", "udp", "blocks", 300, "block", 500, "rate", "8Mbit/s", "reverse", true);
            CallProbe call = test(server.target(), with, epoll());

            assertThat(call.failure()).isNull();
            assertThat(call.bytes()).isGreaterThanOrEqualTo(300 * 500);
            // More were sent until the server knew; on a busy machine some of those are behind the end.
            double arrived = call.metrics().get("packets") - call.metrics().get("lost");
            assertThat(arrived * 500).isEqualTo(call.bytes());
        }
    }

    @Test
    void aServerWithATestIsBusyForOthersAndFreeAfterwards() throws Exception {
        try (IperfServer server = server();
                PluginHarness harness = harness(server.target(), Map.of("time", "20s"), epoll());
                PluginHarness.Owned first = harness.client(0);
                PluginHarness.Owned second = harness.client(1)) {
            CallProbe running = first.begin(0);
            CallProbe refused = second.call();
            while (refused.isOk()) {
                refused = second.call();
            }
            assertThat(refused.failure()).isEqualTo("server busy");
            assertThat(refused.fault()).isEqualTo(Fault.SERVICE);
            first.cancel(running);
            assertThat(running.awaitEnd(5_000)).isTrue();
        }
    }

    /** Plays a server until it has the parameters, and then ends the test. */
    private CallProbe endedBy(byte... last) throws Exception {
        try (ServerSocket listening = new ServerSocket(FreePorts.take(), 5, InetAddress.getLoopbackAddress())) {
            Thread server = new Thread(() -> {
                try (Socket client = listening.accept()) {
                    client.getInputStream().readNBytes(Cookie.BYTES);
                    client.getOutputStream().write(State.PARAM_EXCHANGE);
                    int length = ByteBuffer.wrap(client.getInputStream().readNBytes(4))
                            .getInt();
                    client.getInputStream().readNBytes(length);
                    client.getOutputStream().write(last);
                    client.getInputStream().readAllBytes();
                } catch (IOException e) {
                    // the client has gone
                }
            });
            server.start();
            CallProbe call =
                    test(Url.of("iperf://127.0.0.1:" + listening.getLocalPort()), Map.of("bytes", 1000), epoll());
            server.join();
            return call;
        }
    }

    @Test
    void whyAServerEndsATestIsItsOwnOutcome() throws Exception {
        byte error = State.SERVER_ERROR;
        CallProbe refused =
                endedBy(error, (byte) 0, (byte) 0, (byte) 0, (byte) 27, (byte) 0, (byte) 0, (byte) 0, (byte) 0);
        assertThat(refused.failure()).isEqualTo("refused: rate above the server's limit");
        assertThat(refused.fault()).isEqualTo(Fault.EXPERIMENT);

        CallProbe other =
                endedBy(error, (byte) 0, (byte) 0, (byte) 0, (byte) 142, (byte) 0, (byte) 0, (byte) 0, (byte) 0);
        assertThat(other.failure()).isEqualTo("server error: authentication expected");
        assertThat(other.fault()).isEqualTo(Fault.SERVICE);

        assertThat(endedBy(State.SERVER_TERMINATE).failure()).isEqualTo("server terminated the test");
        assertThat(endedBy((byte) 99).failure()).isEqualTo("malformed: unknown state");
        assertThat(endedBy(State.DISPLAY_RESULTS).failure()).isEqualTo("malformed: test ended without results");
    }

    @Test
    void aTestThatWasGivenUpLeavesTheServerFree() throws Exception {
        try (IperfServer server = server()) {
            try (PluginHarness harness = harness(server.target(), Map.of("time", "20s"), epoll());
                    PluginHarness.Owned first = harness.client(0)) {
                CallProbe running = first.begin(0);
                first.awaitEntered();
                first.cancel(running);
                assertThat(running.awaitEnd(5_000)).isTrue();
            }
            CallProbe next = test(server.target(), Map.of("bytes", "1MB"), epoll());
            assertThat(next.failure()).isNull();
        }
    }

    @Test
    void whatThisMachineCannotSetIsItsOwnFault() throws Exception {
        try (IperfServer server = server()) {
            CallProbe call = test(server.target(), Map.of("congestion", "nosuch", "bytes", 1000), epoll());

            assertThat(call.failure()).isEqualTo("congestion: nosuch is not available on this tester");
            assertThat(call.fault()).isEqualTo(Fault.GENERATOR);
            assertThat(test(server.target(), Map.of("window", "500MiB", "bytes", 1000), epoll())
                            .failure())
                    .startsWith("window: above this tester's limit");
            assertThat(test(server.target(), Map.of("mss", 500, "bytes", 1000), epoll())
                            .failure())
                    .isNull();
        }
    }

    @Test
    void whatCannotBeIsToldBeforeTheRun() {
        Url any = Url.of("iperf://127.0.0.1");
        assertThatThrownBy(() -> harness(any, Map.of("bytes", 1, "blocks", 1), new JdkLoop()))
                .hasMessageContaining("expected either bytes or blocks");
        assertThatThrownBy(() -> harness(any, Map.of("rate", "fast"), new JdkLoop()))
                .hasMessageContaining("rate: expected bits per second such as 10Mbit/s or 1Gbit/s");
        assertThatThrownBy(() -> harness(any, Map.of("protocol", "udp", "mss", 1000), new JdkLoop()))
                .hasMessageContaining("expected tcp for mss");
        assertThatThrownBy(() -> harness(any, Map.of("time", "40s"), new JdkLoop()))
                .hasMessageContaining("raise load.timeout");
        assertThatThrownBy(() -> harness(any, Map.of("parallel", 200), new JdkLoop()))
                .hasMessageContaining("parallel: expected 1 to 128, got 200");
    }
}
