package org.diperf.plugins.lib.process;

import com.sun.jna.Memory;
import org.jspecify.annotations.Nullable;

/** A thread that waits for programs and reaps them, and what is known of how late it runs. Confined to that thread. */
public final class ReaperThread implements AutoCloseable {

    /** Of which nothing is known. */
    static final ReaperThread UNWATCHED = new ReaperThread(null, null);

    private static final int TIME_AT = TaskTimes.BYTES;
    private static final int TIME_BYTES = 16;

    private final @Nullable Memory memory;
    private final @Nullable TaskTimes times;

    private ReaperThread(@Nullable Memory memory, @Nullable TaskTimes times) {
        this.memory = memory;
        this.times = times;
    }

    /** Makes one of the current thread, which is not virtual; takes a descriptor. */
    static ReaperThread ofThisThread() {
        Memory memory = new Memory(TIME_AT + TIME_BYTES);
        return new ReaperThread(memory, TaskTimes.open("/proc/thread-self/schedstat", memory, 0));
    }

    /** Returns whether it is to be known when programs began and ended. */
    boolean isWatched() {
        return times != null;
    }

    /**
     * Returns for how long, since it began, the thread has had something to do: on a processor and waiting for one, ns;
     * {@link RunningProgram#UNKNOWN} if that cannot be read.
     */
    long busyNanos() {
        if (memory == null || times == null || !times.read()) {
            return RunningProgram.UNKNOWN;
        }
        if (LibC.clock_gettime(LibC.CLOCK_THREAD_CPUTIME_ID, ScratchMemory.address(memory) + TIME_AT) != 0) {
            return RunningProgram.UNKNOWN;
        }
        return times.waitedNanos() + memory.getLong(TIME_AT) * 1_000_000_000L + memory.getLong(TIME_AT + 8);
    }

    @Override
    public void close() {
        if (memory != null && times != null) {
            times.close();
            memory.close();
        }
    }
}
