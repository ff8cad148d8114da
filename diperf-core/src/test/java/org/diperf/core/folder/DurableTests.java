package org.diperf.core.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.diperf.core.faults.FaultyDisk;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a failure of the machine leaves. */
class DurableTests {

    @TempDir
    Path folder;

    private static String text(FaultyDisk disk, String name) {
        byte[] bytes = disk.durable(name);
        return bytes == null ? "none" : new String(bytes, StandardCharsets.UTF_8);
    }

    @Test
    void aFileIsThereWhenItsContentsAndItsNameWereForced() throws IOException {
        FaultyDisk disk = new FaultyDisk(folder);
        Path inner = Durable.folder(disk.root().resolve("outer/inner"));
        Path file = Files.writeString(inner.resolve("file"), "text");
        assertThat(text(disk, "outer/inner/file")).isEqualTo("none");
        Durable.contents(file);
        assertThat(text(disk, "outer/inner/file")).isEqualTo("none");
        Durable.names(inner);
        assertThat(text(disk, "outer/inner/file")).isEqualTo("text");
    }

    @Test
    void atAnyInstantAReplacedFileIsTheOldOrTheNewOneWhole() throws IOException {
        FaultyDisk disk = new FaultyDisk(folder);
        Path file = disk.root().resolve("file");
        Durable.replace(Files.writeString(disk.root().resolve("draft"), "old"), file);
        List<String> seen = new ArrayList<>();
        disk.tell(event -> seen.add(text(disk, "file")));
        Durable.replace(Files.writeString(disk.root().resolve("draft"), "new"), file);
        assertThat(seen).hasSizeGreaterThan(2).containsOnly("old", "new").last().isEqualTo("new");
    }

    @Test
    void aFileSystemThatRefusesToForceFoldersIsUsedAllTheSame() throws IOException {
        FaultyDisk disk = new FaultyDisk(folder);
        Path file = disk.root().resolve("file");
        disk.failFolders("Invalid argument");
        Durable.replace(Files.writeString(disk.root().resolve("draft"), "text"), file);
        assertThat(file).hasContent("text");
        disk.failFolders("Input/output error");
        Path again = Files.writeString(disk.root().resolve("draft"), "text");
        assertThatThrownBy(() -> Durable.replace(again, file)).hasMessage("Input/output error");
    }
}
