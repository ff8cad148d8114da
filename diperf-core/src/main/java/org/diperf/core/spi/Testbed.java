package org.diperf.core.spi;

/** A testbed at work for one run. Used by the controller's main thread alone. */
public interface Testbed extends AutoCloseable {

    /**
     * Begins to start the testers and returns; each joins the run by its ticket. A tester that cannot be started is
     * reported through {@link TestbedContext#failed}.
     *
     * @throws Exception when no tester at all can be started, with the reason
     */
    void start() throws Exception;

    /**
     * Ends what still runs of the testers that this testbed started and removes what it left on their machines, also
     * after failures. Called once, at the end of the run.
     */
    @Override
    void close() throws Exception;
}
