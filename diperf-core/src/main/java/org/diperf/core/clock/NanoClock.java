package org.diperf.core.clock;

/** A monotonic clock in nanoseconds. Injected everywhere, so that tests own the time. Thread-safe. */
@FunctionalInterface
public interface NanoClock {

    /** The clock of this machine: {@link System#nanoTime}, which is CLOCK_MONOTONIC on Linux. */
    NanoClock SYSTEM = System::nanoTime;

    /** Reads the clock; only differences mean anything. */
    long nanoTime();
}
