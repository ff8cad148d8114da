package org.diperf.core.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class PlainFileTests {

    @TempDir
    Path folder;

    @Test
    void aRegularFileIsReadAndNothingElse() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "text");
        assertThat(PlainFile.read(file, 4)).asString().isEqualTo("text");
        assertThat(PlainFile.head(file, 2)).asString().isEqualTo("te");
        assertThatThrownBy(() -> PlainFile.read(file, 3)).hasMessage(file + ": expected at most 3 bytes, got 4");

        Path link = Files.createSymbolicLink(folder.resolve("link"), file);
        refused(link, "got a link");
        refused(Files.createSymbolicLink(folder.resolve("zero"), Path.of("/dev/zero")), "got a link");
        refused(Files.createSymbolicLink(folder.resolve("dangling"), Path.of("none")), "got a link");
        refused(folder, "got a folder");
        refused(Path.of("/dev/zero"), "got a pipe or a device");
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        refused(pipe, "got a pipe or a device");
        assertThatThrownBy(() -> PlainFile.read(folder.resolve("none"), 9)).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> PlainFile.folder(link)).hasMessageContaining("expected a folder, got a link");
    }

    @Test
    void aLongFileIsRefusedUnread() throws IOException {
        Path file = folder.resolve("sparse");
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(3L << 30);
        }
        refused(file, "expected at most 100 bytes, got 3221225472");
    }

    private static void refused(Path file, String why) {
        assertThatThrownBy(() -> PlainFile.read(file, 100))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(why);
    }
}
