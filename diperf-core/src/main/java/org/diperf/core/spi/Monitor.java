package org.diperf.core.spi;

/**
 * Watches something of the service under test. All methods are called on one thread of its own, which may block; a call
 * that takes longer than the period is followed by the next sample that is due, and those between are left out.
 */
public interface Monitor extends AutoCloseable {

    /**
     * Takes one sample. Called once a period, from before the first call of the run until after its last one.
     *
     * @throws Exception why there is none; the next one is asked for all the same, and the run says how many there were
     */
    void sample(Readings readings) throws Exception;

    /**
     * Gives what can be told only afterwards, such as what the service has written down. Called once, after the last sample.
     *
     * @throws Exception why it cannot be told
     */
    default void finish(Readings readings) throws Exception {}

    /** Lets go of what the monitor holds; called once, whatever happened before. */
    @Override
    default void close() throws Exception {}
}
