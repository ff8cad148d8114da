package org.diperf.core.spi;

import java.time.Duration;

/**
 * Adds a kind of monitor: a way to see the service under test from its own side. Its ID is the {@code kind} in {@code
 * monitors: [{kind: ...}]}; every monitor has the keys {@code kind}, {@code name}, {@code period} and {@code metrics} too.
 */
public interface MonitorPlugin extends Plugin {

    /**
     * Checks what the declared types cannot express, before anything starts.
     *
     * @throws Parameters.Unusable for a parameter that cannot be used
     */
    default void check(Parameters with) {}

    /**
     * Returns the time between two samples where the file does not say it.
     *
     * @param roundTrip the shortest that the testbed declares between a tester and the service; zero: not known
     */
    default Duration usualPeriod(Duration roundTrip) {
        return Duration.ofSeconds(1);
    }

    /** Returns the shortest time between two samples that the file may ask for. */
    default Duration shortestPeriod() {
        return Duration.ofMillis(10);
    }

    /**
     * Opens a monitor, on the thread that will also take its samples. What it observes need not exist yet.
     *
     * @throws Exception why it cannot work; it is then left out of the run, with a warning
     */
    Monitor open(MonitorContext context) throws Exception;
}
