package org.diperf.controller.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
@DisabledOnOs(OS.WINDOWS)
class TesterProcessesTests {

    @TempDir
    Path control;

    /** A process that ends when it is told to. */
    private Process noted(int tester) throws IOException {
        Process process = new ProcessBuilder("sleep", "60").start();
        new TesterProcesses(control).started(tester, process.toHandle());
        return process;
    }

    @Test
    void whoResumesARunEndsTheTestersThatItNames() throws Exception {
        Process first = noted(1);
        Process second = noted(2);
        TesterProcesses resumed = new TesterProcesses(control);
        assertThat(resumed.isAnyAlive(List.of(1))).isTrue();
        resumed.end(List.of(1, 3));
        assertThat(first.waitFor(0, TimeUnit.SECONDS)).isTrue();
        assertThat(resumed.isAnyAlive(List.of(1, 3))).isFalse();
        assertThat(resumed.isAnyAlive(List.of(1, 2))).isTrue();
        assertThat(second.isAlive()).isTrue();
        resumed.end(List.of(2));
    }

    @Test
    void aProcessThatHasTheNumberOfOneThatEndedIsLeftAlone() throws Exception {
        Process other = noted(1);
        Path note = control.resolve("tester-1.process");
        Files.writeString(note, other.pid() + " 1\n");
        TesterProcesses resumed = new TesterProcesses(control);
        assertThat(resumed.isAnyAlive(List.of(1))).isFalse();
        resumed.end(List.of(1));
        assertThat(other.isAlive()).isTrue();
        other.destroy();
    }
}
