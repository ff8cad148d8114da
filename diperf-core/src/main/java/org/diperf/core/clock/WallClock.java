package org.diperf.core.clock;

/** The wall clock of this machine: may be wrong and may step. Injected, so that tests own the time. Thread-safe. */
@FunctionalInterface
public interface WallClock {

    /** The clock of the operating system. */
    WallClock SYSTEM = () -> {
        java.time.Instant now = java.time.Instant.now();
        return now.getEpochSecond() + now.getNano() / 1e9;
    };

    /** Reads the time, in seconds since 1970-01-01T00:00Z; as a double it is good to about a quarter microsecond. */
    double unixSeconds();
}
