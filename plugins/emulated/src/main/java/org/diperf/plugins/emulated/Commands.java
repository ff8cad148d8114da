package org.diperf.plugins.emulated;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Commands of this machine that end by themselves. Stateless. */
final class Commands {

    private static final long MOST_SECONDS = 10;

    private Commands() {}

    /**
     * Runs a command.
     *
     * @throws IOException with what it said, if it fails or takes more than 10 s
     */
    static void run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        try (InputStream output = process.getInputStream()) {
            String said = new String(output.readAllBytes(), StandardCharsets.UTF_8).strip();
            if (!process.waitFor(MOST_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IOException(String.join(" ", command) + ": " + said);
            }
        } finally {
            process.destroyForcibly();
        }
    }
}
