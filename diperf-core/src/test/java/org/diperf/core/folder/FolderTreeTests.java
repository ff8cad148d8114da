package org.diperf.core.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(10)
class FolderTreeTests {

    @TempDir
    Path work;

    @Test
    void aFileOrAFolderIsPutWhereItIsWantedAndReplacesWhatWasThere() throws IOException {
        Path from = Files.createDirectories(work.resolve("from/sub"));
        Files.writeString(from.resolve("a"), "new");
        Path folder = Files.createDirectories(work.resolve("folder/data/sub"))
                .getParent()
                .getParent();
        Files.writeString(folder.resolve("data/sub/a"), "old");

        FolderTree.put(work.resolve("from"), folder, "data");
        FolderTree.put(from.resolve("a"), folder, "deep/down/b");

        assertThat(folder.resolve("data/sub/a")).hasContent("new");
        assertThat(folder.resolve("deep/down/b")).hasContent("new");
    }

    @Test
    void nothingIsPutOutsideTheFolder() throws IOException {
        Path file = Files.writeString(work.resolve("a"), "a");
        Path folder = Files.createDirectories(work.resolve("folder"));
        assertThatThrownBy(() -> FolderTree.put(file, folder, "../b"))
                .isInstanceOf(IOException.class)
                .hasMessage("Expected a path within the run's folder, got '../b'");
        assertThat(work.resolve("b")).doesNotExist();
    }
}
