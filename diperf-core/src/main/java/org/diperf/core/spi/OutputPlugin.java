package org.diperf.core.spi;

import java.io.IOException;
import java.time.Instant;

/**
 * Adds a place to which the series of a run are sent while it runs, as {@code outputs: [ { ID: ADDRESS } ]}. It has no parameters.
 */
public interface OutputPlugin extends Plugin {

    /**
     * Begins to send the series of a run. Called on the run's thread, which must not wait here.
     *
     * @param address as it stands in the file
     * @param startedAt from which counts grow
     * @throws IllegalArgumentException when the address cannot be one: what was expected, what it got
     * @throws IOException when nothing can be sent from this machine at all; that nobody listens is no such reason
     */
    SeriesOutput open(String address, Instant startedAt) throws IOException;
}
