package org.diperf.plugins.iperf;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.diperf.core.ports.FreePorts;
import org.junit.jupiter.api.Assumptions;

/** The program iperf3: as a server of the test's own, or as a client. */
final class RealIperf implements AutoCloseable {

    private static final long READY_MILLIS = 10_000;

    private final Process process;
    private final int port;

    private RealIperf(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    static RealIperf serve(String... more) throws IOException, InterruptedException {
        requireInstalled();
        int port = FreePorts.take();
        List<String> command =
                new ArrayList<>(List.of("iperf3", "-s", "-B", "127.0.0.1", "-p", String.valueOf(port), "--forceflush"));
        command.addAll(Arrays.asList(more));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        RealIperf made = new RealIperf(process, port);
        // It says so when it listens.
        String line = process.inputReader(StandardCharsets.UTF_8).readLine();
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(READY_MILLIS);
        while (line != null && !line.contains("Server listening") && System.nanoTime() < until) {
            line = process.inputReader(StandardCharsets.UTF_8).readLine();
        }
        Thread drain = new Thread(() -> drain(process));
        drain.setDaemon(true);
        drain.start();
        return made;
    }

    private static void drain(Process process) {
        try {
            process.inputReader(StandardCharsets.UTF_8).transferTo(Writer.nullWriter());
        } catch (IOException e) {
            // The test has ended it.
        }
    }

    static void requireInstalled() {
        boolean installed;
        try {
            installed = new ProcessBuilder("iperf3", "--version")
                            .redirectErrorStream(true)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            installed = false;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        Assumptions.assumeTrue(installed, "iperf3 is not installed");
    }

    int port() {
        return port;
    }

    /** Runs a client against a port of this machine and returns what it says as JSON. */
    static Map<String, Object> measure(int port, String... options) throws Exception {
        requireInstalled();
        List<String> command = new ArrayList<>(List.of("iperf3", "-c", "127.0.0.1", "-p", String.valueOf(port), "-J"));
        command.addAll(Arrays.asList(options));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return Json.read(said);
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        process.waitFor();
    }
}
