package org.diperf.plugins.lib.process;

import com.sun.jna.Memory;
import java.nio.charset.StandardCharsets;
import org.diperf.core.clock.NanoClock;

/**
 * How long a running program has waited for a processor, which Linux counts for each thread: of a program with several
 * threads, or with children, nothing is known from the first time that it is seen to have them. Confined to the thread that
 * takes the program's output.
 */
public final class RunQueueWait {

    /** Stands for: nothing is known. */
    public static final long UNKNOWN = Long.MAX_VALUE;

    /** How often the program's threads and children are looked for. */
    private static final long CHECK_NANOS = 10_000_000;

    /** Linux gives times of whole processes in hundredths of a second; two times may each be one too many. */
    private static final long TICK_NANOS = 10_000_000;

    private static final int TEXT_AT = TaskTimes.BYTES;
    private static final int TEXT_BYTES = 1024;

    // Numbers in /proc/PID/stat behind the name, from 0: the state.
    private static final int CHILDRENS_FAULTS = 8;
    private static final int USER_TICKS = 11;
    private static final int SYSTEM_TICKS = 12;
    private static final int THREADS = 17;

    private final NanoClock clock;
    private final Memory memory = new Memory(TEXT_AT + TEXT_BYTES);
    private final byte[] text = new byte[TEXT_BYTES];
    private final TaskTimes times;
    private final int stat;
    private final int children;
    private boolean alone;
    private long checkedNanos;

    private RunQueueWait(int pid, NanoClock clock) {
        this.clock = clock;
        this.times = TaskTimes.open("/proc/" + pid + "/schedstat", memory, 0);
        this.stat = open("/proc/" + pid + "/stat");
        this.children = open("/proc/" + pid + "/task/" + pid + "/children");
        this.checkedNanos = clock.nanoTime() - CHECK_NANOS;
        this.alone = true;
    }

    static RunQueueWait of(int pid, NanoClock clock) {
        return new RunQueueWait(pid, clock);
    }

    private int open(String path) {
        byte[] name = (path + "\0").getBytes(StandardCharsets.US_ASCII);
        memory.write(TEXT_AT, name, 0, name.length);
        return LibC.open(ScratchMemory.address(memory) + TEXT_AT, LibC.O_RDONLY | LibC.O_CLOEXEC);
    }

    /** Returns for how long the program has waited for a processor since it began, or {@link #UNKNOWN}. */
    public long nanos() {
        if (!alone) {
            return UNKNOWN;
        }
        alone = times.read();
        long now = clock.nanoTime();
        if (alone && now - checkedNanos >= CHECK_NANOS) {
            checkedNanos = now;
            alone = read(children) == 0
                    && isAlone(
                            new String(text, 0, Math.max(0, read(stat)), StandardCharsets.ISO_8859_1),
                            times.ranNanos());
        }
        return alone ? times.waitedNanos() : UNKNOWN;
    }

    /** Reads into the text; returns how much there is, or a negative number. */
    private int read(int file) {
        int length = file < 0 ? -1 : (int) LibC.pread(file, ScratchMemory.address(memory) + TEXT_AT, TEXT_BYTES, 0);
        if (length > 0) {
            memory.read(TEXT_AT, text, 0, length);
        }
        return length;
    }

    /**
     * Returns whether a program has one thread and has had no other, and has waited for no child: such a child has touched some
     * memory.
     *
     * @param stat what {@code /proc/PID/stat} says
     * @param ranNanos for how long its first thread was on a processor
     */
    static boolean isAlone(String stat, long ranNanos) {
        String[] numbers = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ");
        if (numbers.length <= THREADS) {
            return false;
        }
        long used = TICK_NANOS * (Long.parseLong(numbers[USER_TICKS]) + Long.parseLong(numbers[SYSTEM_TICKS]));
        return numbers[THREADS].equals("1")
                && numbers[CHILDRENS_FAULTS].equals("0")
                && used - ranNanos <= 2 * TICK_NANOS;
    }

    void close() {
        times.close();
        if (stat >= 0) {
            LibC.close(stat);
        }
        if (children >= 0) {
            LibC.close(children);
        }
        memory.close();
    }
}
