package org.diperf.core.folder;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(10)
class LogTailTests {

    @TempDir
    Path folder;

    @Test
    void theLastLinesThatAreNotBlankComeInTheirOrder() throws IOException {
        Path log = Files.writeString(folder.resolve("log"), "one\n\ntwo\n  \nthree\n\n");
        assertThat(LogTail.of(log, 2)).containsExactly("two", "three");
        assertThat(LogTail.of(log, 9)).containsExactly("one", "two", "three");
    }

    @Test
    void ofALongLogOnlyTheEndIsRead() throws IOException {
        Path log = Files.writeString(folder.resolve("log"), "x".repeat(10_000) + "\nlast\n");
        assertThat(LogTail.of(log, 2)).containsExactly("x".repeat(4_096 - "\nlast\n".length()), "last");
    }

    @Test
    void aLogThatIsNotThereSaysNothing() {
        assertThat(LogTail.of(folder.resolve("none"), 3)).isEmpty();
    }
}
