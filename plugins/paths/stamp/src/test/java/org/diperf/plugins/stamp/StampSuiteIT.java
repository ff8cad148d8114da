package org.diperf.plugins.stamp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.epoll.EpollIoHandler;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.clock.WallClock;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.NettyLoop;
import org.diperf.core.contract.PluginHarness;
import org.diperf.core.ports.FreePorts;
import org.diperf.core.spi.Url;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * With another implementation of the protocol at the other end, over a way with known delays that loses known datagrams: stamp-suite
 * ({@code cargo install stamp-suite}), whose clock is this machine's, so that its one-way delays are the truth.
 */
@Timeout(60)
class StampSuiteIT {

    private static final int COUNT = 60;
    private static final int THERE_MILLIS = 20;
    private static final int BACK_MILLIS = 4;
    /** Each way's datagrams are counted from 1; the last ones arrive, so that both ends can tell on which way others were lost. */
    private static final IntPredicate LOST_THERE = number -> number % 9 == 0;

    private static final IntPredicate LOST_BACK = number -> number % 11 == 0 && number < 50;

    private static String program = "";

    @TempDir
    Path folder;

    @BeforeAll
    static void isThere() {
        program = Stream.concat(
                        Stream.of(System.getenv("PATH").split(":")).map(Path::of),
                        Stream.of(Path.of(System.getProperty("user.home"), ".cargo", "bin")))
                .map(each -> each.resolve("stamp-suite"))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst()
                .orElse("");
        assumeTrue(!program.isEmpty(), "needs stamp-suite (cargo install stamp-suite)");
    }

    /** Holds datagrams for a time in each direction, and loses some; for one sender. */
    private static final class Way implements AutoCloseable {

        private final DatagramSocket here = new DatagramSocket(FreePorts.take(), InetAddress.getLoopbackAddress());
        private final DatagramSocket there = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        private final ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();
        private volatile SocketAddress sender = here.getLocalSocketAddress();
        private final boolean loses;

        Way(int port, boolean loses) throws IOException {
            this.loses = loses;
            SocketAddress reflector = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            start(() -> forward(here, there, LOST_THERE, THERE_MILLIS, from -> {
                sender = from;
                return reflector;
            }));
            start(() -> forward(there, here, LOST_BACK, BACK_MILLIS, from -> sender));
        }

        private interface Onward {
            SocketAddress to(SocketAddress from);
        }

        private interface Task {
            void run() throws IOException;
        }

        private static void start(Task task) {
            Thread thread = new Thread(() -> {
                try {
                    task.run();
                } catch (IOException closed) {
                    // the way is closed
                }
            });
            thread.setDaemon(true);
            thread.start();
        }

        private void forward(DatagramSocket from, DatagramSocket to, IntPredicate lost, int millis, Onward onward)
                throws IOException {
            AtomicInteger number = new AtomicInteger();
            byte[] buffer = new byte[2_000];
            while (true) {
                DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
                from.receive(packet);
                SocketAddress target = onward.to(packet.getSocketAddress());
                if (loses && lost.test(number.incrementAndGet())) {
                    continue;
                }
                byte[] bytes = new byte[packet.getLength()];
                System.arraycopy(buffer, 0, bytes, 0, bytes.length);
                later.schedule(
                        () -> {
                            to.send(new DatagramPacket(bytes, bytes.length, target));
                            return null;
                        },
                        millis,
                        TimeUnit.MILLISECONDS);
            }
        }

        int port() {
            return here.getLocalPort();
        }

        @Override
        public void close() {
            here.close();
            there.close();
            later.shutdownNow();
        }
    }

    private Map<String, Double> ours(int port) throws Exception {
        try (PluginHarness harness = new PluginHarness(
                        new StampPlugin(),
                        List.of(Url.of("stamp://127.0.0.1:" + port)),
                        Map.of("count", COUNT, "interval", "20ms", "size", 100, "wait", "1s"),
                        Duration.ofSeconds(20),
                        folder,
                        new NettyLoop(EpollIoHandler.newFactory()));
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = client.call();
            assertThat(call.failure()).isNull();
            return call.metrics();
        }
    }

    private static Process start(String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of(program));
        command.addAll(List.of(options));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Returns what its sender says of a train. */
    private static String theirs(int port) throws Exception {
        Process sender = start(
                "--remote-addr",
                "127.0.0.1",
                "--remote-port",
                String.valueOf(port),
                "--count",
                String.valueOf(COUNT),
                "--send-delay",
                "20ms",
                "--timeout",
                "1",
                "--output-format",
                "json");
        String said = new String(sender.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(sender.waitFor(20, TimeUnit.SECONDS)).as(said).isTrue();
        return said;
    }

    private static double number(String json, String name) {
        Matcher found = Pattern.compile("\"" + name + "\":([-0-9.eE]+)").matcher(json);
        assertThat(found.find()).as("%s in %s", name, json).isTrue();
        return Double.parseDouble(found.group(1));
    }

    private static long lost(IntPredicate which, long of) {
        return Stream.iterate(1, number -> number + 1)
                .limit(of)
                .filter(which::test)
                .count();
    }

    private static Reflector reflector() throws IOException {
        return new Reflector(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePorts.take()),
                NanoClock.SYSTEM,
                WallClock.SYSTEM);
    }

    @Tag("quick")
    @Test
    void itsReflectorAndOurClientCountWhatEachWayLost() throws Exception {
        int port = FreePorts.take();
        Process itsReflector = start(
                "--is-reflector",
                "--stateful-reflector",
                "--local-addr",
                "127.0.0.1",
                "--local-port",
                String.valueOf(port));
        try {
            awaitAnswer(port);
            try (Way way = new Way(port, true)) {
                Map<String, Double> found = ours(way.port());
                long there = lost(LOST_THERE, COUNT);
                long back = lost(LOST_BACK, COUNT - there);
                assertThat(found)
                        .containsEntry("lost.there", (double) there)
                        .containsEntry("lost.back", (double) back)
                        .containsEntry("lost", (double) (there + back));
                assertThat(found.get("round-trip.min")).isGreaterThanOrEqualTo(THERE_MILLIS + BACK_MILLIS);
                assertThat(found.get("there.min") + found.get("bound")).isGreaterThanOrEqualTo(THERE_MILLIS);
                assertThat(found.get("back.min") + found.get("bound")).isGreaterThanOrEqualTo(BACK_MILLIS);
            }
        } finally {
            itsReflector.destroy();
            itsReflector.waitFor();
        }
    }

    @Test
    void itsSenderFindsWhatOursFindsWithOurReflector() throws Exception {
        try (Reflector reflector = reflector()) {
            int port = reflector.target().port();
            String said;
            try (Way way = new Way(port, true)) {
                said = theirs(way.port());
            }
            Map<String, Double> found;
            try (Way way = new Way(port, true)) {
                found = ours(way.port());
            }
            assertThat(number(said, "packets_sent")).isEqualTo(COUNT);
            assertThat(number(said, "packets_lost")).isEqualTo(found.get("lost"));
            // Timers add to both, on a busy machine more; the fastest datagrams saw least of that.
            assertThat(found.get("round-trip.min")).isCloseTo(number(said, "min_rtt_ms"), within(1.0));
            double bound = found.get("bound");
            assertThat(number(said, "forward_min_ms"))
                    .isBetween(found.get("there.min") - bound - 1, found.get("there.min") + bound + 1);
            assertThat(number(said, "reverse_min_ms"))
                    .isBetween(found.get("back.min") - bound - 1, found.get("back.min") + bound + 1);
            assertThat(number(said, "forward_min_ms")).isCloseTo(THERE_MILLIS, within(2.0));
        }
    }

    /** It says when it listens only in its log, so it is asked. */
    private static void awaitAnswer(int port) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.setSoTimeout(100);
            for (int i = 0; i < 100; i++) {
                byte[] question = new byte[44];
                try {
                    socket.send(new DatagramPacket(question, question.length, InetAddress.getLoopbackAddress(), port));
                    socket.receive(new DatagramPacket(new byte[2_000], 2_000));
                    return;
                } catch (IOException notYet) {
                    // it does not listen yet
                }
            }
        }
        throw new IOException("no answer from " + program);
    }
}
