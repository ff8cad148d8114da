package org.diperf.core.spi;

import java.time.Duration;
import java.util.List;

/** A testbed at work for one run. Used by one thread of the controller at a time. */
public interface Testbed extends AutoCloseable {

    /**
     * Looks at all candidate nodes at once, in the order of the file, those too that cannot be used. Starts nothing.
     *
     * @return empty when the testbed has no nodes that it knows beforehand; it then places its testers itself
     * @throws Exception when the candidates cannot even be listed
     */
    default List<Node> survey() throws Exception {
        return List.of();
    }

    /**
     * Begins to start testers and returns; each joins the run by its ticket. A tester that cannot be started is
     * reported through {@link TestbedContext#failed}. Called again for testers that take the place of lost ones.
     *
     * @param places of testers that were not started before
     * @throws Exception when none of them can be started, with the reason
     */
    void start(List<Place> places) throws Exception;

    /**
     * Says how long testers may take from {@link #start} until they have joined; those that have not are left behind.
     * Covers what the testbed waits for, such as a queue.
     */
    default Duration patience() {
        return Duration.ofSeconds(60);
    }

    /**
     * Gives a machine on which the controller may run programs, such as the service under test.
     *
     * @param name as in the file
     * @throws Exception when this testbed has no such machine, or it cannot be reached
     */
    default Host host(String name) throws Exception {
        throw new IllegalArgumentException(
                "Wanted a machine of the testbed, found '" + name + "': this kind of testbed runs nothing but testers");
    }

    /**
     * Ends what still runs of all that this testbed started and removes what it left on its machines, also after
     * failures. Called once, at the end of the run.
     */
    @Override
    void close() throws Exception;
}
