package org.diperf.core.folder;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.diperf.core.faults.FaultyDisk;
import org.diperf.core.folder.DiskFailure.Kind;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class AtomicFileTests {

    private static final String OLD = "old and whole";
    private static final String NEW = "new and whole, and longer";

    @TempDir
    Path folder;

    private FaultyDisk disk;
    private Path file;

    @BeforeEach
    void makeDisk() throws IOException {
        disk = new FaultyDisk(folder);
        file = disk.root().resolve("summary.json");
        AtomicFile.write(file, OLD);
        DurableFiles.names(disk.root());
    }

    private List<String> names() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.map(each -> each.getFileName().toString()).sorted().toList();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 24})
    void aFullDiskLeavesTheOldFileAndNoDraft(int room) throws IOException {
        disk.leaveRoom(room);
        assertThatThrownBy(() -> AtomicFile.write(file, NEW))
                .isInstanceOf(FileSystemException.class)
                .hasMessage(file + ": No space left on device");
        assertThat(file).hasContent(OLD);
        assertThat(names()).containsExactly("summary.json");
    }

    @Test
    void aDiskThatCannotForceTheNewFileKeepsTheOldOne() throws IOException {
        disk.failForceAfter(0);
        assertThatThrownBy(() -> AtomicFile.write(file, NEW)).hasMessage(file + ": Input/output error");
        assertThat(file).hasContent(OLD);
        assertThat(names()).containsExactly("summary.json");
    }

    @Test
    void aPowerCutAtAnyInstantLeavesOneOfThemWhole() throws IOException {
        disk.tell(event ->
                assertThat(new String(disk.durable("summary.json"), UTF_8)).isIn(OLD, NEW));
        AtomicFile.write(file, NEW);
        DurableFiles.names(disk.root());
        assertThat(new String(disk.durable("summary.json"), UTF_8)).isEqualTo(NEW);
    }

    @Test
    void contentThatBreaksLeavesTheOldFile() {
        assertThatThrownBy(() -> AtomicFile.write(file, out -> {
                    out.write(1);
                    throw new IllegalStateException("a bug");
                }))
                .hasMessage("a bug");
        assertThat(file).hasContent(OLD);
        assertThat(file.resolveSibling("summary.json.new")).doesNotExist();
    }

    @Test
    void aLinkStaysALinkAndADeviceADevice() throws IOException {
        Path real = Files.writeString(folder.resolve("real"), OLD);
        Path link = Files.createSymbolicLink(folder.resolve("link"), real);
        AtomicFile.write(link, NEW);
        assertThat(link).isSymbolicLink();
        assertThat(real).hasContent(NEW);
        AtomicFile.write(Path.of("/dev/null"), NEW);
        assertThat(Files.isRegularFile(Path.of("/dev/null"))).isFalse();
    }

    @Test
    void aFailureNamesThePathTheDiskAndWhatToDo() {
        IOException full = new FileSystemException("/proc/self/x", null, "No space left on device");
        DiskFailure found = DiskFailure.of(new IOException("wrapped: " + full.getMessage(), full), folder);
        assertThat(found.kind()).isEqualTo(Kind.FULL);
        assertThat(found.found())
                .startsWith("the disk holding /proc/self/x, on /proc (proc), is full: ")
                .contains("No space left on device");
        assertThat(found.remedy()).isEqualTo("make room");

        DiskFailure fails = DiskFailure.of(new IOException("Input/output error"), folder);
        assertThat(fails.found())
                .startsWith("the disk holding " + folder + ", on /")
                .endsWith(" fails: Input/output error");
        assertThat(fails.remedy()).contains("dmesg").doesNotContain("room");

        DiskFailure other = DiskFailure.of(new IOException("run.json is damaged"), folder);
        assertThat(other.isOfDisk()).isFalse();
        assertThat(other.found()).isEqualTo("run.json is damaged");
    }
}
