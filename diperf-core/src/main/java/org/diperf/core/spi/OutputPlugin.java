package org.diperf.core.spi;

import java.io.IOException;
import java.time.Instant;

/**
 * Adds a place to which the series of a run are sent while it is under way, as {@code outputs: [ { ID: ADDRESS } ]}. Found by {@link
 * java.util.ServiceLoader} through {@code META-INF/services/org.diperf.core.spi.OutputPlugin}.
 */
public interface OutputPlugin {

    /** Names the plugin, as in {@code outputs}; lower case with hyphens. */
    String id();

    /** Describes it in one line, for {@code diperf plugins}. */
    String summary();

    /**
     * Begins to send the series of a run. Called on the run's thread, which must not wait here.
     *
     * @param address as it stands in the file
     * @param startedAt from which counts grow
     * @throws IllegalArgumentException when the address cannot be one: what was wanted, what was found
     * @throws IOException when nothing can be sent from this machine at all; that nobody listens is no such reason
     */
    SeriesOutput open(String address, Instant startedAt) throws IOException;
}
