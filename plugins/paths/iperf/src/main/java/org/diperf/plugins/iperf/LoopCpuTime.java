package org.diperf.plugins.iperf;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.diperf.core.clock.NanoClock;

/** What a test takes of the processor of its event loop, since this was made. Confined to that loop. */
final class LoopCpuTime {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final double PERCENT = 100;

    private final NanoClock clock;
    private final long sinceNanos;
    private final long sinceCpuNanos;
    private final long sinceUserNanos;

    LoopCpuTime(NanoClock clock) {
        this.clock = clock;
        sinceNanos = clock.nanoTime();
        sinceCpuNanos = THREADS.getCurrentThreadCpuTime();
        sinceUserNanos = THREADS.getCurrentThreadUserTime();
    }

    /** Gives results their shares of one processor, in per cent: all, the program's part, the system's. */
    double[] percent() {
        double passed = Math.max(1, clock.nanoTime() - sinceNanos);
        double all = PERCENT * (THREADS.getCurrentThreadCpuTime() - sinceCpuNanos) / passed;
        // The system counts the program's part in its ticks, all of it in nanoseconds.
        double user = Math.min(all, PERCENT * (THREADS.getCurrentThreadUserTime() - sinceUserNanos) / passed);
        return new double[] {all, user, all - user};
    }
}
