package org.diperf.core.experiment;

/**
 * How a tester's event loops work.
 *
 * @param loops number, at least 0; 0: one per processor that the tester may use
 * @param io mechanism of their sockets
 * @param spinNanos how long before the start of a call a loop stops sleeping and spins, at least 0: covers
 *     oversleeping, at the cost of processor time
 */
public record LoopSettings(int loops, Io io, long spinNanos) {

    /**
     * The defaults: a timer wakes up 10 to 50 microseconds late, and spinning for 60 before each of 1,000 calls a second
     * costs 6 % of a processor.
     */
    public static final LoopSettings DEFAULT = new LoopSettings(0, Io.AUTO, 60_000);

    /** What serves sockets. */
    public enum Io {
        /** Epoll where it loads, the JDK's selector elsewhere. */
        AUTO,
        EPOLL,
        NIO,
        /** Where kernel and system permit it; many containers do not. */
        IO_URING
    }

    public LoopSettings {
        if (loops < 0 || spinNanos < 0) {
            throw new IllegalArgumentException(
                    "Expected loops >= 0 and spin >= 0, got loops=" + loops + ", spin=" + spinNanos + " ns");
        }
    }

    /** Returns the same choice with a number of loops where none was chosen. */
    public LoopSettings orLoops(int otherwise) {
        return loops > 0 ? this : new LoopSettings(otherwise, io, spinNanos);
    }
}
