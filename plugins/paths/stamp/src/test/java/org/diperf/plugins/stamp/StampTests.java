package org.diperf.plugins.stamp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.epoll.EpollIoHandler;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.clock.WallClock;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.JdkLoop;
import org.diperf.core.contract.NettyLoop;
import org.diperf.core.contract.PluginHarness;
import org.diperf.core.contract.TestLoop;
import org.diperf.core.ports.FreePorts;
import org.diperf.core.spi.Url;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The client against the plugin's own reflector. */
@Timeout(60)
class StampTests {

    @TempDir
    Path folder;

    static Stream<TestLoop> loops() {
        return Stream.of(new JdkLoop(), new NettyLoop(), new NettyLoop(EpollIoHandler.newFactory()));
    }

    /** @param ahead of its clocks against this machine's, in seconds */
    private static Reflector reflector(double ahead) throws IOException {
        return reflector(ahead, InetAddress.getLoopbackAddress());
    }

    private static Reflector reflector(double ahead, InetAddress listen) throws IOException {
        return new Reflector(
                new InetSocketAddress(listen, FreePorts.take()),
                NanoClock.SYSTEM,
                () -> WallClock.SYSTEM.unixSeconds() + ahead);
    }

    private CallProbe call(Url target, Map<String, ?> with, TestLoop loop) throws Exception {
        try (PluginHarness harness = new PluginHarness(
                        new StampPlugin(), List.of(target), with, Duration.ofSeconds(20), folder, loop);
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe first = client.call();
            assertThat(first.failure()).isNull();
            return client.call();
        }
    }

    @ParameterizedTest
    @MethodSource("loops")
    void everyDatagramIsAnsweredAndTheClocksOfTheTwoNeedNotAgree(TestLoop loop) throws Exception {
        try (Reflector reflector = reflector(10_000)) {
            CallProbe call = call(reflector.target(), Map.of("count", 50, "interval", "1ms", "size", 200), loop);

            assertThat(call.metrics()).containsEntry("lost", 0.0).containsEntry("duplicates", 0.0);
            assertThat(call.bytes()).isEqualTo(2 * 50 * 200);
            // The truth is that a datagram takes more than nothing, and less than the round trip.
            double bound = call.metrics().get("bound");
            assertThat(call.metrics().get("there.min") + bound).isPositive();
            assertThat(call.metrics().get("back.min") + bound).isPositive();
            assertThat(call.metrics().get("there.min") - bound)
                    .isLessThan(call.metrics().get("round-trip.max"));
        }
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1, 28", "::1, 48"})
    void theLargestPacketOfTheLoopbackIsFound(String address, int headerBytes) throws Exception {
        InetAddress listen = InetAddress.getByName(address);
        assumeTrue(NetworkInterface.getByInetAddress(listen) != null, "this machine has no " + address);
        try (Reflector reflector = reflector(0, listen)) {
            Map<String, ?> with = Map.of("count", 2, "interval", "1ms", "mtu", true);
            CallProbe call = call(reflector.target(), with, new NettyLoop(EpollIoHandler.newFactory()));
            // The loopback takes more than is looked for.
            assertThat(call.metrics()).containsEntry("mtu", 9_216.0 + headerBytes);
        }
    }

    /** A reflector counts by the sender's port, which the system gives to many trains in a long run. */
    @Test
    void aTrainWhosePortAnotherHadBeforeLosesNothing() throws Exception {
        try (Reflector reflector = reflector(0);
                DatagramSocket here = new DatagramSocket(FreePorts.take(), InetAddress.getLoopbackAddress());
                DatagramSocket there = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            forward(here, there, reflector, 0, 0);
            Url target = Url.of("stamp://127.0.0.1:" + here.getLocalPort());
            try (PluginHarness harness = new PluginHarness(
                            new StampPlugin(),
                            List.of(target),
                            Map.of("count", 10, "interval", "1ms"),
                            Duration.ofSeconds(20),
                            folder,
                            new NettyLoop());
                    PluginHarness.Owned client = harness.client(0)) {
                for (int train = 0; train < 5; train++) {
                    CallProbe call = client.call();
                    assertThat(call.failure()).as("train %d", train).isNull();
                    assertThat(call.metrics())
                            .as("train %d", train)
                            .containsEntry("lost", 0.0)
                            .containsEntry("lost.back", 0.0)
                            .containsEntry("reordered.there", 0.0);
                }
            }
        }
    }

    /** Holds datagrams for known times, different in each direction. */
    @Test
    void theTruthIsWithinTheBoundOverAsymmetricWays() throws Exception {
        try (Reflector reflector = reflector(-77);
                DatagramSocket here = new DatagramSocket(FreePorts.take(), InetAddress.getLoopbackAddress());
                DatagramSocket there = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            forward(here, there, reflector, 20, 4);
            Url target = Url.of("stamp://127.0.0.1:" + here.getLocalPort());
            Map<String, Double> metrics = call(
                            target, Map.of("count", 10, "interval", "40ms"), new NettyLoop(EpollIoHandler.newFactory()))
                    .metrics();
            double bound = metrics.get("bound");
            assertThat(metrics.get("there.min") - bound).isLessThanOrEqualTo(20 + metrics.get("round-trip.min") - 24);
            assertThat(metrics.get("there.min") + bound).isGreaterThanOrEqualTo(20);
            assertThat(metrics.get("back.min") + bound).isGreaterThanOrEqualTo(4);
        }
    }

    /** Passes datagrams on, one at a time, each after so many milliseconds, until the sockets are closed. */
    private static void forward(
            DatagramSocket here, DatagramSocket there, Reflector reflector, int thereMillis, int backMillis) {
        SocketAddress to = new InetSocketAddress("127.0.0.1", reflector.target().port());
        Thread way = new Thread(() -> {
            DatagramPacket packet = new DatagramPacket(new byte[2_000], 2_000);
            try {
                while (true) {
                    packet.setLength(2_000);
                    here.receive(packet);
                    SocketAddress from = packet.getSocketAddress();
                    hold(thereMillis);
                    there.send(new DatagramPacket(packet.getData(), packet.getLength(), to));
                    packet.setLength(2_000);
                    there.receive(packet);
                    hold(backMillis);
                    here.send(new DatagramPacket(packet.getData(), packet.getLength(), from));
                }
            } catch (IOException closed) {
                // the test is over
            }
        });
        way.setDaemon(true);
        way.start();
    }

    private static void hold(int millis) {
        long until = System.nanoTime() + millis * 1_000_000L;
        while (System.nanoTime() < until) {
            Thread.onSpinWait();
        }
    }

    @Test
    void whatCannotBeIsToldBeforeTheRun() {
        Url any = Url.of("stamp://127.0.0.1");
        assertThatThrownBy(() -> call(any, Map.of("size", 20), new JdkLoop()))
                .hasMessageContaining("size: expected 44 to 65507, got 20");
        assertThatThrownBy(() -> call(any, Map.of("count", 10_000), new JdkLoop()))
                .hasMessageContaining("raise load.timeout");
    }
}
