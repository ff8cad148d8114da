package org.diperf.core.folder;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(10)
class LogSearchTests {

    @TempDir
    Path folder;

    @Test
    void aTextIsFoundWhereverItStands() throws IOException {
        String text = "bereit für 1.000 Aufrufe";
        for (int before : new int[] {0, 65_536 - 30, 65_536 - 20, 65_536 - 12, 65_536, 3 * 65_536 - 5}) {
            Path log = Files.writeString(folder.resolve("log"), "x".repeat(before) + text + "\n" + "y".repeat(100_000));
            assertThat(LogSearch.finds(text, log)).as("behind %d bytes", before).isTrue();
            assertThat(LogSearch.finds("nicht " + text, log)).isFalse();
        }
    }

    @Test
    void anEmptyLogHoldsNothing() throws IOException {
        assertThat(LogSearch.finds("up", Files.createFile(folder.resolve("log"))))
                .isFalse();
    }
}
