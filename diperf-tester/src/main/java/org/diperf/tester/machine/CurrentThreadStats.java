package org.diperf.tester.machine;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.jspecify.annotations.Nullable;

/**
 * What Linux and the JVM say of the calling thread: how long it ran, how long it waited for a processor, and how long all threads were
 * stopped. Confined to the thread that made it.
 */
public final class CurrentThreadStats implements Closeable {

    /** Of the thread that reads it. */
    private static final String FILE = "/proc/thread-self/schedstat";

    /** Places of its numbers: the time on the run queue, and how often the thread got a processor. */
    private static final int WAITED = 1;

    private static final int TURNS = 2;
    private static final int LONGEST = 80;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** How often it lets others run at most until the JVM has said how long a stop was that is over. */
    private static final int PATIENCE = 2_000;

    private static final int SHORT_PATIENCE = 200;

    /** No channel, which an interrupt would close. */
    private final RandomAccessFile file;

    private final byte[] text = new byte[LONGEST];
    private final JvmCounters jvm;
    private long stops;
    private long stoppedNanos;
    private long changes;
    private long busyNanos = ProcFiles.ABSENT;

    private CurrentThreadStats(RandomAccessFile file, JvmCounters jvm) {
        this.file = file;
        this.jvm = jvm;
    }

    /** Makes one of the calling thread; {@code null} where nothing is said of it. Takes a descriptor. */
    public static @Nullable CurrentThreadStats open() {
        if (!THREADS.isCurrentThreadCpuTimeSupported() || !THREADS.isThreadCpuTimeEnabled()) {
            return null;
        }
        JvmCounters jvm = JvmCounters.ofThisJvm();
        if (jvm == null) {
            return null;
        }
        try {
            CurrentThreadStats thread = new CurrentThreadStats(new RandomAccessFile(FILE, "r"), jvm);
            if (thread.isCounted()) {
                return thread;
            }
            thread.close();
        } catch (IOException e) {
            return null;
        }
        return null;
    }

    /** Kernels that do not count say 0 for everything; a thread that reads this had a processor at least once. */
    private boolean isCounted() throws IOException {
        return number(text, file.read(text), TURNS) > 0;
    }

    /** Notes what is true now. */
    public void mark() {
        stops = jvm.stops();
        stoppedNanos = jvm.stoppedNanos();
        changes = jvm.changes();
        busyNanos = busyNanos();
    }

    /**
     * Returns for how long, since the last mark, the thread was not free to wait for anything else: on a processor, waiting for one, and
     * while all threads were stopped, ns; {@link ProcFiles#ABSENT} where that is not known, as while the JVM loads classes or has
     * compiled a method, for which threads wait for each other. Marks this instant.
     */
    public long sinceMark() {
        long before = busyNanos;
        long stoppedBefore = stoppedNanos;
        boolean known = changes == jvm.changes() && (stops == jvm.stops() || areStopsOver());
        mark();
        return known && before != ProcFiles.ABSENT && busyNanos != ProcFiles.ABSENT
                ? busyNanos - before + stoppedNanos - stoppedBefore
                : ProcFiles.ABSENT;
    }

    private long busyNanos() {
        try {
            file.seek(0);
            long waited = number(text, file.read(text), WAITED);
            return waited < 0 ? ProcFiles.ABSENT : waited + THREADS.getCurrentThreadCpuTime();
        } catch (IOException e) {
            return ProcFiles.ABSENT;
        }
    }

    /** Waits until the JVM says how long the stops since the mark were, a moment after it has let the threads run again; says whether it did. */
    private boolean areStopsOver() {
        boolean several = jvm.stops() - stops > 1;
        int patience = several ? SHORT_PATIENCE : PATIENCE;
        // Of several, the last one may be missing still.
        for (int i = 0; i < patience && (several || jvm.stoppedNanos() == stoppedNanos); i++) {
            Thread.yield();
        }
        return jvm.stoppedNanos() != stoppedNanos;
    }

    /** Returns one of the numbers in a text, the first at place 0; {@link ProcFiles#ABSENT}: there is none. */
    static long number(byte[] text, int length, int place) {
        int at = 0;
        for (int before = 0; before < place; before++) {
            while (at < length && text[at] != ' ') {
                at++;
            }
            at++;
        }
        long number = 0;
        int digits = at;
        for (; at < length && text[at] >= '0' && text[at] <= '9'; at++) {
            number = 10 * number + text[at] - '0';
        }
        return at > digits ? number : ProcFiles.ABSENT;
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            // Nothing was written.
            return;
        }
    }
}
