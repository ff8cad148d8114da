package org.diperf.plugins.formats;

import java.time.Instant;

/** Instants as nanoseconds since 1970-01-01T00:00:00Z, which reach to the year 2262. */
final class EpochNanos {

    private static final long SECOND = 1_000_000_000;

    private EpochNanos() {}

    static long of(Instant instant) {
        return instant.getEpochSecond() * SECOND + instant.getNano();
    }
}
