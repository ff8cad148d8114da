package org.diperf.controller.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.diperf.core.spi.Host;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class LocalHostTests {

    @TempDir
    Path folder;

    @Test
    void whatAProgramWroteIsFoundHoweverMuchItWroteAfterIt() throws Exception {
        try (LocalHost host = new LocalHost(folder.resolve("logs/service.log"))) {
            Host.Execution program = host.start("echo up; seq 20", Map.of());
            while (!program.ended()) {
                Thread.onSpinWait();
            }
            assertThat(program.lastWords()).endsWith("20").doesNotContain("up");
            assertThat(program.hasWritten("up")).isTrue();
            assertThat(program.hasWritten("down")).isFalse();
            program.end(0);
        }
    }
}
