package org.diperf.plugins.nws;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.ports.FreePorts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who probes when several want to; each prober here notes when it was let in and when its last byte was answered. */
@Timeout(60)
class TurnTests {

    private static final int BYTES = 200_000;

    private Sensor sensor;

    @BeforeEach
    void start() throws IOException {
        sensor = new Sensor(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePorts.take()),
                Duration.ofMillis(200),
                NanoClock.SYSTEM);
    }

    @AfterEach
    void stop() {
        sensor.close();
    }

    private Socket asking() throws IOException {
        Socket socket = new Socket(sensor.target().host(), sensor.target().port());
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        out.writeInt(Probe.MAGIC);
        out.writeLong(BYTES);
        out.writeInt(1 << 16);
        out.flush();
        return socket;
    }

    private record Turn(long letInNanos, long endNanos) {}

    private Turn probe() throws IOException {
        try (Socket socket = asking()) {
            assertThat(socket.getInputStream().read()).isZero();
            long letIn = System.nanoTime();
            socket.getOutputStream().write(0);
            assertThat(socket.getInputStream().read()).isZero();
            // The end is noted before the last byte goes: from then on the sensor may let the next one in.
            socket.getOutputStream().write(new byte[BYTES - 1]);
            long end = System.nanoTime();
            socket.getOutputStream().write(0);
            assertThat(socket.getInputStream().read()).isZero();
            return new Turn(letIn, end);
        }
    }

    @Test
    void ofTwentyThatWantToOnlyOneProbesAtATime() throws Exception {
        ExecutorService testers = Executors.newFixedThreadPool(20);
        try {
            List<Future<List<Turn>>> all = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                all.add(testers.submit(() -> List.of(probe(), probe(), probe())));
            }
            List<Turn> turns = new ArrayList<>();
            for (Future<List<Turn>> each : all) {
                turns.addAll(each.get());
            }
            turns.sort(Comparator.comparingLong(Turn::letInNanos));
            for (int i = 1; i < turns.size(); i++) {
                assertThat(turns.get(i).letInNanos())
                        .as("turn %d of %d", i, turns.size())
                        .isGreaterThan(turns.get(i - 1).endNanos());
            }
            assertThat(turns).hasSize(60);
            assertThat(Collections.max(turns, Comparator.comparingLong(Turn::endNanos)))
                    .isEqualTo(turns.get(59));
        } finally {
            testers.shutdownNow();
        }
    }

    @Test
    void whoDiesLosesItsTurn() throws IOException {
        Socket dies = asking();
        assertThat(dies.getInputStream().read()).isZero();
        dies.close();
        assertThat(probe().endNanos()).isPositive();
    }

    @Test
    void whoIsSilentLosesItsTurn() throws IOException {
        try (Socket silent = asking()) {
            assertThat(silent.getInputStream().read()).isZero();
            assertThat(probe().endNanos()).isPositive();
            assertThat(silent.getInputStream().read()).isEqualTo(-1);
        }
    }
}
