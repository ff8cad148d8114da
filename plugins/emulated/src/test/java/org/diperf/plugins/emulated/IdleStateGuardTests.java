package org.diperf.plugins.emulated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThatCode;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(20)
class IdleStateGuardTests {

    private static final Path KERNELS = Path.of("/dev/cpu_dma_latency");

    @TempDir
    private Path folder;

    @Test
    void theKernelHoldsThemAwakeUntilItIsClosed() throws IOException {
        // A container may have the file and not let it be opened.
        assumeThatCode(() -> FileChannel.open(KERNELS, StandardOpenOption.WRITE).close())
                .doesNotThrowAnyException();
        try (IdleStateGuard awake = IdleStateGuard.hold()) {
            assertThat(awake.isHeld()).isTrue();
            assertThat(longestToWake()).as("microseconds").isZero();
            assertThat(opened()).isEqualTo(1);
        }
        // Others on this machine may still hold them.
        assertThat(opened()).isZero();
    }

    private static int longestToWake() throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(KERNELS.toFile(), "r")) {
            return file.readInt();
        }
    }

    /** Counts how often this process has the kernel's file open. */
    private static long opened() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.filter(IdleStateGuardTests::isKernels).count();
        }
    }

    private static boolean isKernels(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).equals(KERNELS);
        } catch (IOException e) {
            return false; // closed meanwhile
        }
    }

    @Test
    void withoutTheKernelsFileNothingChanges() throws IOException {
        Path none = folder.resolve("none");
        try (IdleStateGuard awake = IdleStateGuard.hold(none)) {
            assertThat(awake.isHeld()).isFalse();
            assertThat(none).doesNotExist();
        }
    }

    @Test
    void fourBytesOfZeroAreWritten() throws IOException {
        Path file = Files.writeString(folder.resolve("latency"), "abcdef");
        try (IdleStateGuard awake = IdleStateGuard.hold(file)) {
            assertThat(awake.isHeld()).isTrue();
            assertThat(Files.readAllBytes(file)).containsExactly(0, 0, 0, 0, 'e', 'f');
        }
    }
}
