package org.diperf.core.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.diperf.core.faults.FaultyDisk;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a failure of the machine leaves. */
class DurableFilesTests {

    @TempDir
    Path folder;

    private static String text(FaultyDisk disk, String name) {
        byte[] bytes = disk.durable(name);
        return bytes == null ? "none" : new String(bytes, StandardCharsets.UTF_8);
    }

    @Test
    void aFileIsThereWhenItsContentsAndItsNameWereForced() throws IOException {
        FaultyDisk disk = new FaultyDisk(folder);
        Path inner = DurableFiles.folder(disk.root().resolve("outer/inner"));
        Path file = Files.writeString(inner.resolve("file"), "text");
        assertThat(text(disk, "outer/inner/file")).isEqualTo("none");
        DurableFiles.contents(file);
        assertThat(text(disk, "outer/inner/file")).isEqualTo("none");
        DurableFiles.names(inner);
        assertThat(text(disk, "outer/inner/file")).isEqualTo("text");
    }

    @Test
    void atAnyInstantAReplacedFileIsTheOldOrTheNewOneWhole() throws IOException {
        FaultyDisk disk = new FaultyDisk(folder);
        Path file = disk.root().resolve("file");
        DurableFiles.replace(Files.writeString(disk.root().resolve("draft"), "old"), file);
        List<String> seen = new ArrayList<>();
        disk.tell(event -> seen.add(text(disk, "file")));
        DurableFiles.replace(Files.writeString(disk.root().resolve("draft"), "new"), file);
        assertThat(seen).hasSizeGreaterThan(2).containsOnly("old", "new").last().isEqualTo("new");
    }

    @Test
    void aFileSystemThatRefusesToForceFoldersIsUsedAllTheSame() throws IOException {
        FaultyDisk disk = new FaultyDisk(folder);
        Path file = disk.root().resolve("file");
        for (String reason : List.of("Invalid argument", "Das Argument ist ung\u00fcltig")) {
            disk.failFolders(reason);
            DurableFiles.replace(Files.writeString(disk.root().resolve("draft"), reason), file);
            assertThat(Files.readString(file)).isEqualTo(reason);
        }
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).hasSize(1);
        }
    }

    @Test
    void aFolderThatCannotBeForcedForOnceIsAFailure() throws IOException {
        FaultyDisk disk = new FaultyDisk(folder);
        disk.failFolderOnce("Input/output error");
        assertThatThrownBy(() -> DurableFiles.names(disk.root())).hasMessage("Input/output error");
        DurableFiles.names(disk.root());
        disk.failFolders("Auf dem Ger\u00e4t ist kein Speicherplatz mehr verf\u00fcgbar");
        disk.leaveRoom(0);
        assertThatThrownBy(() -> DurableFiles.names(disk.root())).hasMessageContaining("kein Speicherplatz");
    }

    @Test
    void aFolderThatCannotBeOpenedIsAFailure() {
        FaultyDisk disk = new FaultyDisk(folder);
        disk.failOpens("Too many open files");
        assertThatThrownBy(() -> DurableFiles.names(disk.root())).hasMessageContaining("Too many open files");
    }
}
