package org.diperf.core.spi;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Adds a kind of client. Found by {@link java.util.ServiceLoader} through
 * {@code META-INF/services/org.diperf.core.spi.ClientPlugin}; needs a public no-argument constructor that does nothing.
 *
 * <p>All methods but {@link #open} are called in the controller too, on its main thread, before anything starts.
 */
public interface ClientPlugin {

    /**
     * Names the plugin, in lower case; stable, because experiment files use it.
     *
     * @return letters, digits and hyphens, at most 32
     */
    String id();

    /** Says in one line what the client does, for {@code diperf plugins}. */
    String summary();

    /**
     * Names the URI schemes for which this plugin is the default client.
     *
     * @return lower case; by default the {@link #id} alone
     */
    default Set<String> schemes() {
        return Set.of(id());
    }

    /** Lists the parameters that {@code client.with} may hold. */
    default List<Parameter> parameters() {
        return List.of();
    }

    /** Lists the metrics that its calls report through {@link Call#metric}; at most 100. */
    default List<Metric> metrics() {
        return List.of();
    }

    /**
     * Checks what the declared types alone cannot say; opens nothing.
     *
     * @param target one of the experiment's targets
     * @param with the parameters, already of their declared types
     * @throws IllegalArgumentException with a message in the shape: what was wanted, what was found, what to do
     */
    default void check(URI target, Parameters with) {}

    /**
     * Finds out whether the target can be reached, without making a call of the service; asked once per target before
     * the run, unless the experiment says {@code unreachable: continue}.
     *
     * @param target one of the experiment's targets
     * @param with the parameters
     * @param timeout how long it may take at most
     * @throws IOException when it cannot be reached, with the reason
     */
    default void probe(URI target, Parameters with, Duration timeout) throws IOException {}

    /**
     * Opens the plugin in one tester; called once per run, on the tester's main thread.
     *
     * @param context what the tester is and what it was given
     * @return the session, which makes the clients
     * @throws Exception when this tester cannot run such clients; the reason is shown, and the tester counts as failed
     */
    Session open(SessionContext context) throws Exception;
}
