package org.diperf.core.spi;

import java.util.List;

/**
 * Adds a kind of monitor: a way to see the service under test from its own side. Found by {@link java.util.ServiceLoader}
 * through {@code META-INF/services/org.diperf.core.spi.MonitorPlugin}.
 */
public interface MonitorPlugin {

    /** Names the kind, as in {@code monitors: [{kind: ...}]}; lower case with hyphens. */
    String id();

    /** Says in one line what it watches, for {@code diperf plugins}. */
    String summary();

    /**
     * Lists what a monitor of this kind may hold besides the keys that every kind has: {@code kind}, {@code name}, {@code
     * period} and {@code metrics}.
     */
    default List<Parameter> parameters() {
        return List.of();
    }

    /**
     * Checks what the declarations of the parameters cannot say, before anything starts.
     *
     * @throws Parameters.Unusable for a parameter that cannot be used
     */
    default void check(Parameters with) {}

    /**
     * Opens a monitor, on the thread that will also ask it for samples. It need not find what it is to watch: that may
     * come later.
     *
     * @throws Exception why it cannot watch; it is then left out of the run, with a warning
     */
    Monitor open(MonitorContext context) throws Exception;
}
