package org.diperf.core.folder;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
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
        assertThat(file.getParent()).isDirectoryNotContaining("glob:**.new");
    }

    private static void through(Path named) throws IOException {
        AtomicFile.writeThrough(named, out -> out.write(NEW.getBytes(UTF_8)));
    }

    @Test
    void aLinkThatTheUserNamesStaysALinkAndWhatItLeadsToKeepsItsMode() throws IOException {
        Path real = Files.writeString(folder.resolve("real"), OLD);
        Files.setPosixFilePermissions(real, PosixFilePermissions.fromString("rw-r-----"));
        Files.createSymbolicLink(folder.resolve("second"), Path.of("real"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("second"));
        through(link);
        assertThat(link).isSymbolicLink();
        assertThat(real).hasContent(NEW);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(real)))
                .isEqualTo("rw-r-----");

        Path dangling = Files.createSymbolicLink(folder.resolve("dangling"), Path.of("made"));
        through(dangling);
        assertThat(dangling).isSymbolicLink();
        assertThat(folder.resolve("made")).hasContent(NEW);

        Path loop = Files.createSymbolicLink(folder.resolve("loop"), Path.of("loop"));
        assertThatThrownBy(() -> through(loop)).hasMessage(loop + ": too many links");
        assertThat(loop).isSymbolicLink();
        assertThatThrownBy(() -> through(folder.resolve("none/x")))
                .hasMessage(folder.resolve("none/x") + ": no such file or folder");
        assertThatThrownBy(() -> through(folder)).hasMessageContaining(folder + ": ");
    }

    @Test
    void aPipeADeviceAndAnOpenFileAreWrittenToAndStay() throws Exception {
        through(Path.of("/dev/null"));
        assertThat(Files.isRegularFile(Path.of("/dev/null"))).isFalse();

        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        FutureTask<String> reader = new FutureTask<>(() -> Files.readString(pipe));
        new Thread(reader, "reader").start();
        through(pipe);
        assertThat(reader.get(20, TimeUnit.SECONDS)).isEqualTo(NEW);
        assertThat(Files.readAttributes(pipe, BasicFileAttributes.class).isOther())
                .isTrue();

        Path open = Files.createFile(folder.resolve("open"));
        Object inode = Files.getAttribute(open, "unix:ino");
        try (FileChannel held = FileChannel.open(open, StandardOpenOption.WRITE);
                Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            assertThat(held.isOpen()).isTrue();
            Path mine = descriptors
                    .filter(each -> open.equals(target(each)))
                    .findFirst()
                    .orElseThrow();
            through(Files.createSymbolicLink(folder.resolve("fd"), mine));
        }
        assertThat(open).hasContent(NEW);
        assertThat(Files.getAttribute(open, "unix:ino")).isEqualTo(inode);
    }

    private static Path target(Path link) {
        try {
            return Files.readSymbolicLink(link);
        } catch (IOException gone) {
            return link;
        }
    }

    @Test
    void aFileOfAFolderReplacesALinkOfItsNameAndNothingElse() throws IOException {
        Path outside = Files.writeString(folder.resolve("outside"), OLD);
        Path link = Files.createSymbolicLink(folder.resolve("link"), outside);
        AtomicFile.write(link, NEW);
        assertThat(link).isRegularFile().hasContent(NEW);
        assertThat(Files.isSymbolicLink(link)).isFalse();
        assertThat(outside).hasContent(OLD);
        Path users = Files.writeString(folder.resolve("link.new"), OLD);
        AtomicFile.write(link, OLD);
        assertThat(users).hasContent(OLD);
        assertThatThrownBy(() -> AtomicFile.write(Path.of("/dev/null"), NEW)).hasMessageContaining("/dev/null: ");
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
