package org.diperf.core.spi;

import java.io.Closeable;
import java.io.IOException;
import java.time.Instant;
import java.util.List;

/** Where the series of one run are sent. Used by one thread, which is there for it alone. */
public interface SeriesOutput extends Closeable {

    /**
     * Sends series as they are at an instant. May wait for some seconds; what could not be sent is not sent again, because counts
     * that come later say it too.
     *
     * @throws IOException when they could not be sent, with the reason in a few words
     */
    void send(List<SeriesFamily> families, Instant at) throws IOException;
}
