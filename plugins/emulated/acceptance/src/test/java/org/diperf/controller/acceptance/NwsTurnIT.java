package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.ports.FreePorts;
import org.diperf.core.spi.StandIn;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Twenty testers probe one sensor; what they do is seen on the wire, by what lies between. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
@EnabledIfSystemProperty(named = "diperf.long", matches = "true")
class NwsTurnIT {

    private static final int TESTERS = 20;
    private static final double PERIOD_SECONDS = 2;
    private static final int GREETING_BYTES = 16;
    private static final int PROBE_BYTES = 256 << 10;

    @TempDir
    Path work;

    /** A probe, from its first byte behind the greeting, which it sends when it may begin, to its last or its end. */
    private record Probe(long fromNanos, long toNanos) {}

    /** Connections to the sensor go through here. */
    private static final class Wire implements AutoCloseable {

        private final ServerSocket listening =
                new ServerSocket(FreePorts.take(), 100, InetAddress.getLoopbackAddress());
        private final int sensor;
        private final List<Probe> probes = new ArrayList<>();
        private int probing;
        private int most;
        private boolean hold;
        private final CompletableFuture<Integer> held = new CompletableFuture<>();

        Wire(int sensor) throws IOException {
            this.sensor = sensor;
            start(() -> {
                while (true) {
                    Socket from = listening.accept();
                    Socket to = new Socket(InetAddress.getLoopbackAddress(), sensor());
                    from.setTcpNoDelay(true);
                    to.setTcpNoDelay(true);
                    start(() -> there(from, to));
                    start(() -> back(to, from));
                }
            });
        }

        private int sensor() {
            return sensor;
        }

        private interface Task {
            void run() throws IOException;
        }

        private static void start(Task task) {
            Thread thread = new Thread(() -> {
                try {
                    task.run();
                } catch (IOException closed) {
                    // by one of the ends
                }
            });
            thread.setDaemon(true);
            thread.start();
        }

        private synchronized void begins() {
            probing++;
            most = Math.max(most, probing);
        }

        private synchronized void ends(long fromNanos) {
            probing--;
            probes.add(new Probe(fromNanos, System.nanoTime()));
        }

        /** Lets the next probe begin and go no further; returns its port at the tester. */
        int holdOne() throws Exception {
            synchronized (this) {
                hold = true;
            }
            return held.get(60, TimeUnit.SECONDS);
        }

        private void there(Socket from, Socket to) throws IOException {
            long began = 0;
            try (InputStream in = from.getInputStream();
                    OutputStream out = to.getOutputStream()) {
                byte[] buffer = new byte[65_536];
                long passed = 0;
                for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                    if (passed == GREETING_BYTES) {
                        began = System.nanoTime();
                        begins();
                    }
                    if (passed >= GREETING_BYTES && isToBeHeld()) {
                        held.complete(from.getPort());
                        // Goes on only when the tester's end is gone.
                        while (in.read(buffer) >= 0) {
                            continue;
                        }
                        return;
                    }
                    passed += count;
                    if (passed == GREETING_BYTES + 1 + PROBE_BYTES) {
                        // Before its last byte goes on: from then on the sensor may let the next one in.
                        ends(began);
                        began = 0;
                    }
                    out.write(buffer, 0, count);
                }
            } finally {
                if (began != 0) {
                    ends(began);
                }
                to.close();
            }
        }

        private synchronized boolean isToBeHeld() {
            boolean is = hold;
            hold = false;
            return is;
        }

        private static void back(Socket from, Socket to) throws IOException {
            try (InputStream in = from.getInputStream();
                    OutputStream out = to.getOutputStream()) {
                in.transferTo(out);
            } finally {
                to.close();
            }
        }

        synchronized List<Probe> probes() {
            return List.copyOf(probes);
        }

        @Override
        public void close() throws IOException {
            listening.close();
        }
    }

    /** Finds the process at whose end of the loopback a connection has a port. */
    private static ProcessHandle holder(Command diperf, int port) throws IOException {
        String end = String.format(Locale.ROOT, ":%04X", port);
        List<String> sockets;
        try (Stream<String> lines =
                Stream.concat(Files.lines(Path.of("/proc/net/tcp")), Files.lines(Path.of("/proc/net/tcp6")))) {
            sockets = lines.map(line -> line.strip().split("\\s+"))
                    .filter(words -> words.length > 9 && words[1].endsWith(end))
                    .map(words -> "socket:[" + words[9] + "]")
                    .toList();
        }
        for (ProcessHandle each : diperf.process().descendants().toList()) {
            try (Stream<Path> files = Files.list(Path.of("/proc", String.valueOf(each.pid()), "fd"))) {
                for (Path file : files.toList()) {
                    if (Files.isSymbolicLink(file)
                            && sockets.contains(Files.readSymbolicLink(file).toString())) {
                        return each;
                    }
                }
            } catch (IOException gone) {
                // ended, or its file was closed
            }
        }
        throw new IOException("nobody has port " + port);
    }

    @Test
    void neverDoTwoProbeAtOnceAndAHolderThatIsKilledHoldsUpNobody() throws Exception {
        try (StandIn sensor = Plugins.bundled()
                        .clients()
                        .plugin("nws")
                        .orElseThrow()
                        .server(new InetSocketAddress("127.0.0.1", FreePorts.take()))
                        .orElseThrow();
                Wire wire = new Wire(sensor.target().port())) {
            Files.writeString(work.resolve("clique.yml"), """
                    target: nws://127.0.0.1:%d
                    client: { with: { size: 256KiB, forecaster: none } }
                    load: { clients: %d, pace: %ss, run-for: 40s, timeout: 60s }
                    testbed: { kind: local, testers: %d, jvm: [-XX:+UseSerialGC, -Xmx64m, -XX:TieredStopAtLevel=1] }
                    """.formatted(
                            wire.listening.getLocalPort(), TESTERS, PERIOD_SECONDS, TESTERS));
            try (Command diperf =
                    Command.diperf(work, "run", "clique.yml", "--out", "out", "--no-progress", "--no-report")) {
                SlurmCluster.await(
                        "three probes of each tester", () -> wire.probes().size() > 3 * TESTERS);
                int port = wire.holdOne();
                ProcessHandle holder = holder(diperf, port);
                int before = wire.probes().size();
                long killed = System.nanoTime();
                assertThat(holder.destroyForcibly()).isTrue();
                SlurmCluster.await("probes after that", () -> wire.probes().size() >= before + TESTERS);
                List<Probe> probes = wire.probes();
                // The one that was held ends with its tester; the next one is another's.
                Probe next = probes.get(before + 1);
                double wait = (next.fromNanos() - killed) / 1e9;
                System.out.printf(
                        "probing went on %.3f s after its holder was killed; %d probes%n", wait, probes.size());
                assertThat(wait).isLessThan(2 * PERIOD_SECONDS);
                diperf.exitCode();
                assertThat(wire.most).as("probes at once").isEqualTo(1);
                assertThat(wire.probes()).hasSizeGreaterThan(10 * TESTERS);
            }
        }
    }
}
