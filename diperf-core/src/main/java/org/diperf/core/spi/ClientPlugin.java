package org.diperf.core.spi;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Adds a kind of client. Found by {@link java.util.ServiceLoader} through
 * {@code META-INF/services/org.diperf.core.spi.ClientPlugin}; needs a public no-argument constructor that does nothing.
 *
 * <p>All methods but {@link #standIn} and {@link #open} are called in the controller too, on its main thread, before anything starts.
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

    /** Says what of its clients changes the meaning of a run's numbers; by default nothing. */
    default Set<ClientTrait> traits() {
        return Set.of();
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
     * Says whether one client can make all these requests, looking up the parameters of each by {@link Call#request}, as a
     * user does who has one connection for all of them. Where it cannot, a simulated client is one client of the plugin for
     * each of the requests.
     *
     * @param requests at least two, checked
     * @return by default {@code false}
     */
    default boolean mixes(List<Parameters> requests) {
        return false;
    }

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
     * Starts something on the tester's loopback that answers calls as the service would, so that the tester can rehearse:
     * before it says that it is ready, it opens the plugin with the stand-in as its only target and lets a few clients
     * call for a moment, so that the JVM has compiled what calls need when the first of them counts. Nothing of it is
     * recorded, and nothing of it must reach the targets. Called on the tester's main thread, before {@link #open}.
     *
     * @param with the parameters, which the rehearsal's clients get too
     * @return empty, as by default, when there is none, or when clients with these parameters would call somebody else
     * @throws Exception when it cannot be started; the tester then does without
     */
    default Optional<StandIn> standIn(Parameters with) throws Exception {
        return Optional.empty();
    }

    /**
     * Opens the plugin in one tester; called once per run, and once before for a rehearsal where there is a
     * {@link #standIn}; on the tester's main thread.
     *
     * @param context what the tester is and what it was given
     * @return the session, which makes the clients
     * @throws Exception when this tester cannot run such clients; the reason is shown, and the tester counts as failed
     */
    Session open(SessionContext context) throws Exception;
}
