package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.diperf.core.ports.FreePorts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Whoever sends garbage to the controller's port, from the address that the testers have too, holds up no run. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class JoiningIT {

    private static final int RUNS = 5;
    private static final InetAddress HERE = InetAddress.getLoopbackAddress();

    @TempDir
    Path work;

    /** A loop as {@code while true; do echo garbage | nc} is, which connects again as soon as it is cut off. */
    private static void garbage(int port, AtomicBoolean over, AtomicLong sent) {
        byte[] garbage = "GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        while (!over.get()) {
            try (Socket socket = new Socket(HERE, port)) {
                socket.getOutputStream().write(garbage);
                socket.getInputStream().readAllBytes();
                sent.incrementAndGet();
            } catch (IOException cutOffOrNobodyListens) {
                Thread.onSpinWait();
            }
            try {
                TimeUnit.MILLISECONDS.sleep(1);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** Carries out a run of a second, which takes about three with all that comes before and after; returns its seconds. */
    private double run(String name, int port, int target) throws Exception {
        Path file = Files.writeString(work.resolve("joining.yml"), """
                target: tcp://127.0.0.1:%d
                client: { plugin: tcp, with: { send: "${client}-${call}\\n" } }
                testbed: { kind: local, testers: 2 }
                load: { clients: 2, run-for: 1s, think: 20ms }
                measure: { window: whole }
                controller: { ports: %d-%d }
                """.formatted(target, port, port));
        long began = System.nanoTime();
        try (Command diperf = Command.diperf(work, "run", "--no-report", file.toString(), "--out", name)) {
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        assertThat(new RunFolder(work.resolve(name)).calls("ok")).isPositive();
        return seconds;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    @Test
    @NeedsCalmMachine
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    void aRunTakesLessThanTwiceAsLongBesideAFloodOfGarbageFromTheSameAddress() throws Exception {
        int port = FreePorts.take();
        double[] without = new double[RUNS];
        double[] with = new double[RUNS];
        AtomicLong sent = new AtomicLong();
        try (CallLog target = CallLog.onLoopback()) {
            run("warm-up", port, target.port());
            for (int i = 0; i < RUNS; i++) {
                without[i] = run("without-" + i, port, target.port());
                AtomicBoolean over = new AtomicBoolean();
                List<Thread> loops = new ArrayList<>();
                for (int loop = 0; loop < 2; loop++) {
                    Thread thread = new Thread(() -> garbage(port, over, sent), "garbage");
                    thread.start();
                    loops.add(thread);
                }
                try {
                    with[i] = run("with-" + i, port, target.port());
                } finally {
                    over.set(true);
                    for (Thread thread : loops) {
                        thread.join();
                    }
                }
            }
        }
        System.out.println("JoiningIT: " + Arrays.toString(without) + " s; next to " + sent + " connections of garbage "
                + Arrays.toString(with) + " s");
        assertThat(sent.get()).as("connections of garbage").isGreaterThan(RUNS * 200L);
        assertThat(median(with)).as("s, next to garbage").isLessThan(2 * median(without));
    }
}
