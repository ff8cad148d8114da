package org.diperf.core.spi;

import java.util.Optional;

/**
 * Observes the service under test. All methods are called on the monitor's own thread, which may block; if a call takes
 * longer than the period, the samples missed meanwhile are skipped.
 */
public interface Monitor extends AutoCloseable {

    /**
     * Takes one sample. Called once a period, from before the first call of the run until after its last one.
     *
     * @throws Exception why there is no sample; the next one is taken anyway, and the run reports how many there were
     */
    void sample(Readings readings) throws Exception;

    /**
     * Delivers what is only known afterwards, such as the contents of the service's log. Called once, after the last sample.
     *
     * @throws Exception why it is not available
     */
    default void finish(Readings readings) throws Exception {}

    /**
     * Returns what is to be shown with the results of the run. Called once, after {@link #finish}.
     *
     * @return empty: nothing but its metrics
     */
    default Optional<Annex> annex() {
        return Optional.empty();
    }

    /** Releases what the monitor holds; called once, whatever happened before. */
    @Override
    default void close() throws Exception {}
}
