package org.diperf.core.spi;

import java.time.Duration;
import java.util.List;

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
                "Wanted a machine of the testbed, found '" + name + "': this kind of testbed runs nothing but testers");
    }

    /**
     * Ends everything this testbed started that still runs, and removes what it left on its machines, even after
     * failures. Called once, at the end of the run.
     */
    @Override
    void close() throws Exception;
}
