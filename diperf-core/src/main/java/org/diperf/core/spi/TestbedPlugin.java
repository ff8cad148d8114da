package org.diperf.core.spi;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Adds a kind of testbed: a way to start testers somewhere. Its ID is {@code testbed.kind}; every testbed has the keys of that
 * section too.
 */
public interface TestbedPlugin extends Plugin {

    /**
     * Returns whether its testbeds know their nodes in advance: {@link Testbed#survey} then lists them, and the controller
     * chooses among them by {@code require}, {@code nodes} and {@code testers-per-node}.
     */
    default boolean hasNodes() {
        return false;
    }

    /** Returns whether its testers run on the controller's machine; they then use this machine's Java. */
    default boolean runsHere() {
        return false;
    }

    /**
     * Returns whether its testers run inside the controller's JVM: they then have its options, and end with it. Such a
     * testbed must {@linkplain #runsHere run here}.
     */
    default boolean runsInController() {
        return false;
    }

    /**
     * Returns whether it puts {@link TestbedContext#files} into the working folder of each tester; data files are then sent
     * along. Testers of other testbeds find data files at the controller's paths, because they run here or share its disk.
     */
    default boolean sendsFiles() {
        return false;
    }

    /**
     * Returns whether its testers' connections arrive at the controller's loopback, so that the controller need not listen
     * on a network.
     *
     * @param with the testbed's parameters
     */
    default boolean arrivesAtLoopback(Parameters with) {
        return runsHere();
    }

    /**
     * Returns whether its testers, and the services on its machines, are in a network that the controller is not in: targets
     * are then names or addresses there, and the controller does not probe them.
     */
    default boolean hasOwnNetwork() {
        return false;
    }

    /**
     * Names the machine of the testbed on which the service under test runs where the file does not say so.
     *
     * @param with the testbed's parameters
     * @return empty: on the controller's machine
     */
    default String serviceHost(Parameters with) {
        return "";
    }

    /**
     * Returns whether its testers may spin before a call is due, {@code testbed.spin}.
     *
     * @param with the testbed's parameters
     */
    default boolean maySpin(Parameters with) {
        return true;
    }

    /**
     * Wraps the command of a controller whose testbeds cannot be opened where this process runs, but in a container, a virtual machine
     * or with other rights. Called before a run, or several of one file, by a process that was started for that alone.
     *
     * @param with the testbed's parameters, checked
     * @param controller the words that start a controller with the same task, the first being the command java
     * @param folder existing, for files; removed after the end of the process
     * @return the words of a process that has this one's outputs and ends with the controller's exit code; lines of its standard input
     *     are names of signals for the controller, such as INT, and with its end all ends. Empty: the controller may run here
     * @throws IOException if it cannot be started there, with what to do
     */
    default List<String> wrap(Parameters with, List<String> controller, Path folder) throws IOException {
        return List.of();
    }

    /**
     * Checks what the declarations of its parameters alone cannot say. Called before anything is started.
     *
     * @param with the testbed's parameters
     * @throws Parameters.Unusable for the first value that cannot be used; a name with dots and numbers, such as
     *     {@code links.0.rate}, leads to its place in the file
     */
    default void check(Parameters with) {}

    /**
     * Something that the testbed does by itself during the load.
     *
     * @param after the start of the load
     * @param what one line
     */
    record Planned(Duration after, String what) {}

    /**
     * Lists what the testbed does by itself during the load, so that the user learns what comes too late.
     *
     * @param with the testbed's parameters, checked
     */
    default List<Planned> planned(Parameters with) {
        return List.of();
    }

    /**
     * Describes the testbed in lines for {@code diperf check}. Starts nothing.
     *
     * @param with the testbed's parameters, checked
     */
    default List<String> describe(Parameters with) {
        return List.of();
    }

    /** Opens the testbed; nothing is started yet. */
    Testbed open(TestbedContext context) throws Exception;

    /**
     * Opens the testbed of a run whose controller was killed, to bring what its testers have left, and to clean up. Nothing
     * is started on it, and the context has no tickets.
     *
     * @param places as the {@link Testbed#spools} of the killed controller listed them; at least one
     */
    default Testbed resume(TestbedContext context, List<SpoolLocation> places) throws Exception {
        throw new UnsupportedOperationException("a testbed of kind " + id() + " cannot be resumed");
    }
}
