package org.diperf.core.spi;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Adds a kind of client; its parameters are what {@code client.with} may hold.
 *
 * <p>All methods except {@link #standIn} and {@link #open} are also called in the controller, on its main thread, before
 * anything starts.
 */
public interface ClientPlugin extends Plugin {

    /**
     * Names the URI schemes for which this plugin is the default client.
     *
     * @return lower case; by default the {@link #id} alone
     */
    default Set<String> schemes() {
        return Set.of(id());
    }

    /**
     * Returns a target for which {@link #check} accepts the parameters that are required, with their examples; {@code diperf
     * init} writes it into new experiment files.
     *
     * @return by default port 7777 of this machine, by the first of the {@link #schemes} or else by the {@link #id}
     */
    default String exampleTarget() {
        return schemes().stream().sorted().findFirst().orElse(id()) + "://127.0.0.1:7777";
    }

    /** Lists the metrics that its calls report through {@link Call#metric}; at most 100. */
    default List<Metric> metrics() {
        return List.of();
    }

    /** Says what comes within its calls and is reported through {@link Call#event}; {@code null}: they have one end and nothing before. */
    default @Nullable EventKinds events() {
        return null;
    }

    /**
     * Returns for people what went over a connection in one direction, as kept in a {@link Dialogue}. Asked only for the few
     * calls that are shown, on any thread. What proves who somebody is should be replaced by {@code ***}: a captured value that is
     * hidden here is then hidden wherever the call is shown.
     *
     * @param sent whether the client sent it; else it received it
     * @param bytes as they went; where there were more, the first of them
     * @return lines of text; by default {@link Dialogue#text}
     */
    default String shown(boolean sent, byte[] bytes) {
        return Dialogue.text(bytes);
    }

    /** Returns whether its clients send {@link Call#traceparent} where the experiment wants traces; by default they do not. */
    default boolean sendsTraces() {
        return false;
    }

    /** Returns what about its clients changes the meaning of a run's numbers; by default nothing. */
    default Set<ClientTrait> traits() {
        return Set.of();
    }

    /**
     * Checks what the declared types cannot express; opens nothing.
     *
     * @param target one of the experiment's targets
     * @param with the parameters, already of their declared types
     * @throws IllegalArgumentException with a message that says what was wanted, what was found and what to do
     */
    default void check(Url target, Parameters with) {}

    /**
     * Returns whether one client can make all these requests, looking up the parameters of each by {@link Call#request},
     * like a user who has one connection for all of them. If not, a simulated client consists of one plugin client per
     * request.
     *
     * @param requests at least two, checked
     * @return by default {@code false}
     */
    default boolean mixes(List<Parameters> requests) {
        return false;
    }

    /**
     * Lists the servers to which clients connect by TCP for a target: host and port, not looked up.
     *
     * @param target one of the experiment's targets
     * @param with the parameters
     * @return by default host and port of a target that names both; nothing where clients connect otherwise
     */
    default List<InetSocketAddress> servers(Url target, Parameters with) {
        return target.host() == null || target.port() < 1
                ? List.of()
                : List.of(InetSocketAddress.createUnresolved(target.host(), target.port()));
    }

    /**
     * Checks whether the target can be reached, without calling the service; called once per target before
     * the run, unless the experiment says {@code unreachable: continue}. By default it connects by TCP to each of the {@link #servers}, at
     * the first of its addresses that lets it; override it for a service that is reached otherwise.
     *
     * @param target one of the experiment's targets
     * @param with the parameters
     * @param timeout how long it may take at most
     * @throws IOException if it cannot be reached, with the reason
     */
    default void probe(Url target, Parameters with, Duration timeout) throws IOException {
        List<InetSocketAddress> servers = servers(target, with);
        for (InetSocketAddress server : servers) {
            Reachability.check(server, timeout.dividedBy(servers.size()), socket -> hangUp(socket, with));
        }
    }

    /**
     * Ends the connection of a {@link #probe} as the protocol wants it, for servers to which a client is an error that connects and goes
     * away. By default does nothing: the connection is closed.
     *
     * @param socket connected; its reads time out; closed afterwards
     * @param with the parameters
     * @throws IOException ignored, as the server was reached
     */
    default void hangUp(Socket socket, Parameters with) throws IOException {}

    /**
     * Returns what is to be shown with the results of a run besides its calls, such as what the targets are; it may ask them. Called in
     * the controller, once the load is over. Metrics that it names are those of the calls.
     *
     * @param with the parameters
     * @throws Exception if it is not available
     */
    default List<Annex> annexes(List<Url> targets, Parameters with) throws Exception {
        return List.of();
    }

    /**
     * Starts something on the tester's loopback that answers calls as the service would, so that the tester can rehearse:
     * before it reports ready, it opens the plugin with the stand-in as its only target and lets a few clients call for
     * a moment, so that the JVM has compiled the code by the first call that counts. None of this is recorded, and none
     * of it may reach the targets. Called on the tester's main thread, before {@link #open}.
     *
     * @param with the parameters, which the rehearsal's clients get too
     * @return empty (the default) if there is none, or if clients with these parameters would call something else
     * @throws Exception if it cannot be started; the tester then does not rehearse
     */
    default Optional<StandIn> standIn(Parameters with) throws Exception {
        return Optional.empty();
    }

    /**
     * Starts a server that its clients can call, for {@code diperf server}: such as the other end of a measurement of the
     * network. Runs until it is closed; called on any thread.
     *
     * @param listen the address and port to listen on; port 0 means any free one
     * @return empty (the default) if the plugin has none
     * @throws IOException if it cannot be started, for example because the port is taken; the message says why
     */
    default Optional<StandIn> server(InetSocketAddress listen) throws IOException {
        return Optional.empty();
    }

    /**
     * Returns the port of a {@link #server} for which none is given.
     *
     * @return by default 0, any free one
     */
    default int serverPort() {
        return 0;
    }

    /**
     * Opens the plugin in one tester. Called once per run, and once before that for a rehearsal if there is a
     * {@link #standIn}; on the tester's main thread.
     *
     * @param context the tester's identity and parameters
     * @return the session, which makes the clients
     * @throws Exception if this tester cannot run such clients; the reason is shown, and the tester counts as failed
     */
    Session open(SessionContext context) throws Exception;
}
