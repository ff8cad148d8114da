package org.diperf.plugins.lib.process;

import com.sun.jna.Memory;
import java.nio.charset.StandardCharsets;

/**
 * What Linux counts of a thread: how long it was on a processor, how long it waited for one, and how often it got one. Not
 * thread-safe.
 */
final class TaskTimes implements AutoCloseable {

    /** Of native memory. */
    static final int BYTES = 96;

    private final Memory memory;
    private final long at;
    private final int file;
    private final byte[] text = new byte[BYTES];
    private int length;
    private int next;

    private long ranNanos;
    private long waitedNanos;
    private long turns;

    private TaskTimes(Memory memory, long at, int file) {
        this.memory = memory;
        this.at = at;
        this.file = file;
    }

    /**
     * Opens a thread's file {@code schedstat}; without one nothing is known of it.
     *
     * @param memory has room at {@code at}, which is used only while something is read
     */
    static TaskTimes open(String path, Memory memory, long at) {
        byte[] name = (path + "\0").getBytes(StandardCharsets.US_ASCII);
        memory.write(at, name, 0, name.length);
        return new TaskTimes(memory, at, LibC.open(ScratchMemory.address(memory) + at, LibC.O_RDONLY | LibC.O_CLOEXEC));
    }

    /** Reads what is true now; says whether anything is known. */
    boolean read() {
        length = file < 0 ? 0 : (int) LibC.pread(file, ScratchMemory.address(memory) + at, BYTES, 0);
        if (length <= 0) {
            return false;
        }
        memory.read(at, text, 0, length);
        next = 0;
        ranNanos = number();
        waitedNanos = number();
        turns = number();
        // Kernels that do not count say 0 for all three.
        return turns > 0;
    }

    private long number() {
        long number = 0;
        while (next < length && text[next] >= '0' && text[next] <= '9') {
            number = 10 * number + text[next++] - '0';
        }
        next++;
        return number;
    }

    /** Returns how long it was on a processor before it last left one, ns. */
    long ranNanos() {
        return ranNanos;
    }

    /** Returns how long it waited for a processor before it last got one, ns. */
    long waitedNanos() {
        return waitedNanos;
    }

    /** Returns how often it got a processor. */
    long turns() {
        return turns;
    }

    @Override
    public void close() {
        if (file >= 0) {
            LibC.close(file);
        }
    }
}
