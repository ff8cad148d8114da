package org.diperf.plugins.emulated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AwakeProcessorsTests {

    private static final Path KERNELS = Path.of("/dev/cpu_dma_latency");

    @TempDir
    private Path folder;

    @Test
    void theKernelHoldsThemAwakeUntilItIsClosed() throws IOException {
        assumeThat(Files.isWritable(KERNELS))
                .as("the kernel's file can be written")
                .isTrue();
        try (AwakeProcessors awake = AwakeProcessors.hold()) {
            assertThat(awake.isHeld()).isTrue();
            assertThat(longestToWake()).as("microseconds").isZero();
        }
    }

    private static int longestToWake() throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(KERNELS.toFile(), "r")) {
            return file.readInt();
        }
    }

    @Test
    void withoutTheKernelsFileNothingChanges() throws IOException {
        Path none = folder.resolve("none");
        try (AwakeProcessors awake = AwakeProcessors.hold(none)) {
            assertThat(awake.isHeld()).isFalse();
            assertThat(none).doesNotExist();
        }
    }

    @Test
    void fourBytesOfZeroAreWritten() throws IOException {
        Path file = Files.writeString(folder.resolve("latency"), "abcdef");
        try (AwakeProcessors awake = AwakeProcessors.hold(file)) {
            assertThat(awake.isHeld()).isTrue();
            assertThat(Files.readAllBytes(file)).containsExactly(0, 0, 0, 0, 'e', 'f');
        }
    }
}
