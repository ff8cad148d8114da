package org.diperf.plugins.emulated;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.diperf.core.spi.Quantity;

/** Commands of this machine that end by themselves. Stateless. */
final class Commands {

    private static final Duration USUAL = Duration.ofSeconds(10);

    private Commands() {}

    /**
     * Runs a command.
     *
     * @throws IOException with what it said, if it fails or takes more than 10 s
     */
    static void run(List<String> command) throws IOException, InterruptedException {
        run(command, USUAL);
    }

    /** Returns how long a command may take that does something for each of so many hosts and routers. */
    static Duration forNodes(int nodes) {
        return USUAL.plusSeconds(nodes);
    }

    /**
     * Runs a command.
     *
     * @throws IOException with what it said, if it fails or takes longer; it is then ended with all that it started
     */
    static void run(List<String> command, Duration most) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        Executor later = CompletableFuture.delayedExecutor(most.toMillis(), TimeUnit.MILLISECONDS);
        CompletableFuture<Void> late = CompletableFuture.runAsync(() -> {}, later);
        late.thenRun(() -> end(process));
        try (InputStream output = process.getInputStream()) {
            String said = new String(output.readAllBytes(), StandardCharsets.UTF_8).strip();
            if (process.waitFor() != 0) {
                String why = late.isDone() ? "took longer than " + Quantity.format(most) + "; " : "";
                throw new IOException(String.join(" ", command) + ": " + why + said);
            }
        } finally {
            late.cancel(false);
            end(process);
        }
    }

    /** Ends a command with all that it started, which may hold its output open. */
    private static void end(Process process) {
        List<ProcessHandle> started = process.descendants().toList();
        process.destroyForcibly();
        started.forEach(ProcessHandle::destroyForcibly);
    }
}
