package org.diperf.core.spi;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;

/** A testbed opened for one run. Used by one thread of the controller at a time. */
public interface Testbed extends AutoCloseable {

    /**
     * Probes all candidate nodes at once, including unusable ones. Starts nothing.
     *
     * @return the nodes in the order of the file; empty if the testbed does not know its nodes in advance and places testers
     *     itself
     * @throws Exception if the candidates cannot even be listed
     */
    default List<Node> survey() throws Exception {
        return List.of();
    }

    /**
     * Starts testers without waiting for them; each joins the run by its ticket. A tester that cannot be started is
     * reported through {@link TestbedContext#failed}. Called again for testers that replace lost ones.
     *
     * @param places of testers that were not started before
     * @throws Exception if none of them can be started, with the reason
     */
    void start(List<Place> places) throws Exception;

    /**
     * Learns when the load begins, shortly before it. Called once, after the testers were told. What a testbed
     * does by itself from then on, it reports through {@link TestbedContext#changed}.
     *
     * @param startNanos on this machine's monotonic clock, {@link System#nanoTime}
     * @throws Exception if it cannot do what the file wants of it during the load; the run fails
     */
    default void begun(long startNanos) throws Exception {}

    /**
     * Returns how long testers may take from {@link #start} until they have joined; the run starts without those that
     * have not. Includes what the testbed waits for, such as a queue.
     */
    default Duration patience() {
        return Duration.ofSeconds(60);
    }

    /**
     * Returns a machine on which the controller may run programs, such as the service under test.
     *
     * @param name as in the file
     * @throws Exception if this testbed has no such machine, or it cannot be reached
     */
    default Host host(String name) throws Exception {
        throw new IllegalArgumentException(
                "Expected a machine in the testbed, got '" + name + "': this kind of testbed runs only testers");
    }

    /**
     * Lists where the testers that were started leave samples that no controller took. Testers that leave them in the
     * {@linkplain TestbedContext#privateFolder private folder} are not among them.
     */
    default List<SpoolLocation> spools() {
        return List.of();
    }

    /**
     * Ends testers that still run, which then leave what they have. Called before {@link #bring} for testers that cannot
     * reach the controller. Others that can only be ended together with them are ended too.
     *
     * @param places of the testers, as {@link #spools} lists them
     * @throws Exception if some cannot be ended, naming them
     */
    default void endTesters(List<SpoolLocation> places) throws Exception {}

    /**
     * Copies samples that testers have left to this machine. They stay on their machines until {@link #drop}.
     *
     * @param places as {@link #spools} lists them
     * @param into an existing folder; the samples of tester N come as {@code tester-N.spool}, readable by their owner alone
     * @return by tester why it could not be found out whether it has left any; those alone
     */
    default Map<Integer, String> bring(List<SpoolLocation> places, Path into) throws InterruptedException {
        return Map.of();
    }

    /**
     * Removes samples from the machines on which testers have left them: they are safe here.
     *
     * @param places as {@link #spools} lists them
     * @throws Exception naming what could not be removed
     */
    default void drop(List<SpoolLocation> places) throws Exception {}

    /**
     * Returns what is to be shown with the results of the run, such as what the testbed itself has done until now. Asked whenever the
     * record of the run is written, the last time after the load and before {@link #close}; an annex replaces the one of its name.
     */
    default List<Annex> annexes() {
        return List.of();
    }

    /** Returns the shortest round trip that the testbed declares between a tester and the service; zero: not known. */
    default Duration shortestRoundTrip() {
        return Duration.ZERO;
    }

    /**
     * Runs an action in the network of one of its machines: sockets that it makes are there, and stay there. On the calling thread, which is
     * in its own network before and after. May be called by any thread after {@link #start}.
     *
     * @param host as in the file
     * @throws IllegalArgumentException if there is no such machine, or its machines have no networks of their own here
     * @throws Exception what the action throws
     */
    default <T> T within(String host, Callable<T> action) throws Exception {
        throw new IllegalArgumentException("expected a host with its own network on this machine, got '" + host
                + "': this kind of testbed has none");
    }

    /**
     * Makes a monitor of what this testbed has made, which takes a sample a second. Asked once, after {@link #start}. What it has not
     * reported was 0; of a service it says nothing.
     *
     * @return empty: there is nothing to watch
     */
    default Optional<Monitor> monitor() {
        return Optional.empty();
    }

    /** Names that monitor; one of the file may have the name, which then gets a number. */
    default String monitorName() {
        return "testbed";
    }

    /**
     * Ends everything this testbed started that still runs, and removes what it left on its machines but for {@link
     * #spools}, even after failures. Called once, at the end of the run.
     */
    @Override
    void close() throws Exception;
}
