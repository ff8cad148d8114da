package org.diperf.core.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class AbandonedFoldersTests {

    private static final long NOW = 1_800_000_000_000L;

    @TempDir
    Path parent;

    /** Makes a folder as a process that was killed leaves it. */
    private Path left(String name) throws IOException {
        Path folder = Files.createDirectory(
                parent.resolve(name),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.writeString(folder.resolve("something"), "left");
        return lock(folder, NOW - 3_600_000);
    }

    private static Path lock(Path folder, long atMillis) throws IOException {
        FolderLock.take(folder).close();
        Files.setLastModifiedTime(folder.resolve(FolderLock.FILE), FileTime.fromMillis(atMillis));
        return folder;
    }

    @Test
    void whatNobodyUsesAnyMoreIsRemoved() throws Exception {
        Path one = left("diperf-123");
        Path other = left("diperf-tester-456");
        lock(Files.createDirectory(one.resolve("tester-1")), NOW - 3_600_000);
        assertThat(AbandonedFolders.remove(parent, NOW)).containsExactlyInAnyOrder(one, other);
        assertThat(parent).isEmptyDirectory();
    }

    @Test
    void whatIsInUseStaysAndSoDoesWhatHoldsSomethingInUse() throws Exception {
        Path mine = left("diperf-1");
        Path above = left("diperf-2");
        Path within = lock(Files.createDirectory(above.resolve("tester-1")), NOW - 3_600_000);
        try (FolderLock one = FolderLock.take(mine);
                FolderLock other = FolderLock.take(within)) {
            assertThat(AbandonedFolders.remove(parent, NOW)).isEmpty();
            assertThat(FolderLock.isTaken(mine)).isTrue();
            assertThat(FolderLock.isTaken(above)).isFalse();
            assertThatThrownBy(() -> FolderLock.take(mine))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("in use");
        }
        assertThat(AbandonedFolders.remove(parent, NOW)).hasSize(2);
    }

    @Test
    void aLockEndsWithItsProcessHoweverItEnds() throws Exception {
        Path folder = left("diperf-3");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Holder.class.getName(),
                        folder.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            assertThat(process.getInputStream().read()).isEqualTo('!');
            Files.setLastModifiedTime(folder.resolve(FolderLock.FILE), FileTime.fromMillis(NOW - 3_600_000));
            assertThat(AbandonedFolders.remove(parent, NOW)).isEmpty();
            assertThat(FolderLock.isTaken(folder)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(FolderLock.isTaken(folder)).isFalse();
        assertThat(AbandonedFolders.remove(parent, NOW)).containsExactly(folder);
    }

    /** Holds a folder until it is killed. */
    static final class Holder {

        private Holder() {}

        public static void main(String[] args) throws Exception {
            try (FolderLock held = FolderLock.take(Path.of(args[0]))) {
                System.out.print('!');
                System.out.flush();
                Thread.currentThread().join();
            }
        }
    }

    @Test
    void whatIsNotOursOrIsYoungOrHoldsSamplesStays() throws Exception {
        left("another-1");
        Path open = left("diperf-4");
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path young = lock(left("diperf-5"), NOW - 1_000);
        Path without = left("diperf-6");
        Files.delete(without.resolve(FolderLock.FILE));
        Path spool = left("diperf-7");
        Files.writeString(spool.resolve("tester-1.spool"), "samples");
        Path elsewhere = left("elsewhere");
        Files.createSymbolicLink(parent.resolve("diperf-8"), elsewhere);
        assertThat(AbandonedFolders.remove(parent, NOW)).isEmpty();
        assertThat(young).isDirectory();
        assertThat(elsewhere.resolve("something")).exists();
    }
}
