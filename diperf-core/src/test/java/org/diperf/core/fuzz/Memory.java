package org.diperf.core.fuzz;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Holds a parser to the memory that its limits promise. */
public final class Memory {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Memory() {}

    /** A parser at work on one input. */
    @FunctionalInterface
    public interface Parsing<E extends Exception> {
        void run() throws E;
    }

    /**
     * Runs a parser in this thread; again where it took more, because the first run also counts the classes that it loads.
     *
     * @param parsing does the same each time
     * @throws AssertionError when it allocates more than {@code mostBytes}, whether it refuses the input or not
     */
    public static <E extends Exception> void atMost(long mostBytes, Parsing<E> parsing) throws E {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        try {
            parsing.run();
        } finally {
            if (THREADS.getCurrentThreadAllocatedBytes() - before > mostBytes) {
                again(mostBytes, parsing);
            }
        }
    }

    private static <E extends Exception> void again(long mostBytes, Parsing<E> parsing) throws E {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        try {
            parsing.run();
        } finally {
            long bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
            if (bytes > mostBytes) {
                throw new AssertionError("Expected at most " + mostBytes + " bytes allocated, got " + bytes);
            }
        }
    }
}
