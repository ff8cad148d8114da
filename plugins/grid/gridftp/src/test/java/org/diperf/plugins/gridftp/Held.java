package org.diperf.plugins.gridftp;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** What this process holds: sockets and files of the test, and bytes in buffers. */
record Held(List<Path> folders, List<String> descriptors, long bufferBytes) {

    private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** @param folders whose files count; what else the JVM opens does not */
    static Held now(Path... folders) throws IOException {
        return now(List.of(folders));
    }

    private static Held now(List<Path> folders) throws IOException {
        Path own = Path.of("/proc/self/fd");
        Assumptions.assumeTrue(Files.isDirectory(own), "no /proc");
        List<String> open = new ArrayList<>();
        try (Stream<Path> all = Files.list(own)) {
            for (Path each : all.toList()) {
                try {
                    String leads = Files.readSymbolicLink(each).toString();
                    if (leads.startsWith("socket:")
                            || folders.stream().anyMatch(folder -> leads.startsWith(folder.toString()))) {
                        open.add(leads);
                    }
                } catch (IOException e) {
                    // Closed meanwhile, as that of the listing itself.
                }
            }
        }
        return new Held(folders, List.copyOf(open), buffers());
    }

    private static long buffers() {
        assertThat(ByteBufAllocator.DEFAULT)
                .as("the build asks for io.netty.allocator.type=pooled, whose bytes in use can be counted")
                .isInstanceOf(PooledByteBufAllocator.class);
        return PooledByteBufAllocator.DEFAULT.pinnedDirectMemory() + PooledByteBufAllocator.DEFAULT.pinnedHeapMemory();
    }

    /** Waits a little for what is being closed, then fails where more is held than now. */
    void isAllThatIsHeld() throws IOException {
        long until = System.nanoTime() + WAIT_NANOS;
        Held then = now(folders);
        while (System.nanoTime() < until && !isAtLeast(then)) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            then = now(folders);
        }
        assertThat(then.descriptors().size())
                .as("descriptors, before " + descriptors + ", after " + then.descriptors())
                .isLessThanOrEqualTo(descriptors.size());
        assertThat(then.bufferBytes()).as("bytes in buffers").isLessThanOrEqualTo(bufferBytes);
    }

    private boolean isAtLeast(Held other) {
        return other.descriptors().size() <= descriptors.size() && other.bufferBytes() <= bufferBytes;
    }
}
