package org.diperf.plugins.emulated;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.diperf.plugins.emulated.virtual.VirtualTime;
import org.jspecify.annotations.Nullable;

/**
 * Has idle processors of this machine wait without sleeping, so that packets leave in time: one that sleeps takes tens of microseconds to
 * wake, and in a virtual machine some milliseconds now and then, until its host gives it back. The kernel lets them sleep again when this
 * is closed or its process has ended, however it did.
 */
final class IdleStateGuard implements AutoCloseable {

    /** Takes the longest time to wake that is wanted, in microseconds, as a number of four bytes; holds it while the file is open. */
    private static final Path LONGEST_TO_WAKE = Path.of("/dev/cpu_dma_latency");

    private final @Nullable FileChannel held;

    private IdleStateGuard(@Nullable FileChannel held) {
        this.held = held;
    }

    /** Begins. Without the right to it, as in some containers, or in virtual time, which passes only in sleep, nothing changes. */
    static IdleStateGuard hold() {
        return VirtualTime.isHere() ? new IdleStateGuard(null) : hold(LONGEST_TO_WAKE);
    }

    static IdleStateGuard hold(Path file) {
        try {
            FileChannel open = FileChannel.open(file, StandardOpenOption.WRITE);
            try {
                open.write(ByteBuffer.allocate(Integer.BYTES));
                return new IdleStateGuard(open);
            } catch (IOException e) {
                open.close();
                throw e;
            }
        } catch (IOException e) {
            return new IdleStateGuard(null);
        }
    }

    /** Returns whether they are kept from sleeping. */
    boolean isHeld() {
        return held != null;
    }

    @Override
    public void close() throws IOException {
        if (held != null) {
            held.close();
        }
    }
}
