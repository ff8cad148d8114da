package org.diperf.plugins.emulated;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class LabHostTests {

    @TempDir
    Path folder;

    @Test
    void aGroupIsSignalledByNothingButAShell() throws Exception {
        Path told = folder.resolve("told");
        Process leader = new ProcessBuilder(
                        "setsid",
                        "sh",
                        "-c",
                        "trap 'echo told > " + told + "; exit 0' TERM; sleep 60 & echo ready; wait")
                .start();
        try (BufferedReader said = leader.inputReader()) {
            assertThat(said.readLine()).isEqualTo("ready");
            List<String> command = LabHost.signalling("TERM", leader.pid());
            assertThat(command.get(0)).isEqualTo("sh");
            ProcessBuilder signal = new ProcessBuilder(command);
            // Where there are no programs.
            signal.environment().put("PATH", folder.toString());
            assertThat(signal.start().waitFor()).isZero();
            assertThat(leader.waitFor()).isZero();
            assertThat(told).hasContent("told");
        } finally {
            leader.destroyForcibly();
        }
    }
}
