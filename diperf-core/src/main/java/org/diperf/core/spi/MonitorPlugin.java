package org.diperf.core.spi;

import java.time.Duration;
import java.util.List;

/**
 * Adds a kind of monitor: a way to see the service under test from its own side. Found by {@link java.util.ServiceLoader}
 * through {@code META-INF/services/org.diperf.core.spi.MonitorPlugin}.
 */
public interface MonitorPlugin {

    /** Names the kind, as in {@code monitors: [{kind: ...}]}; lower case with hyphens. */
    String id();

    /** Describes in one line what it observes, for {@code diperf plugins}. */
    String summary();

    /**
     * Returns the parameters of a monitor of this kind, besides the keys of every kind: {@code kind}, {@code name}, {@code
     * period} and {@code metrics}.
     */
    default List<Parameter> parameters() {
        return List.of();
    }

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
