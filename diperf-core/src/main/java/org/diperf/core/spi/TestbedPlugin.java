package org.diperf.core.spi;

import java.util.List;

/**
 * Adds a kind of testbed: a way to start testers somewhere. Found by {@link java.util.ServiceLoader} through
 * {@code META-INF/services/org.diperf.core.spi.TestbedPlugin}.
 */
public interface TestbedPlugin {

    /** Names the kind, as in {@code testbed.kind}; lower case with hyphens. */
    String id();

    /** Says in one line where its testers run, for {@code diperf plugins}. */
    String summary();

    /** Lists what {@code testbed} may hold besides the keys that every kind has. */
    default List<Parameter> parameters() {
        return List.of();
    }

    /**
     * Says whether its testbeds know their nodes beforehand: {@link Testbed#survey} then lists them, and the controller
     * chooses among them by {@code require}, {@code nodes} and {@code testers-per-node}.
     */
    default boolean hasNodes() {
        return false;
    }

    /** Opens the testbed; nothing is started yet. */
    Testbed open(TestbedContext context) throws Exception;
}
