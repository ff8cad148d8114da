package org.diperf.core.spi;

import java.io.Closeable;
import java.io.IOException;

/**
 * A file that is being written. Its memory use must not grow with the number of calls. Used by one thread at a time;
 * {@code close} completes the file, and is called even if {@code add} failed.
 */
public interface CallExport extends Closeable {

    /**
     * Writes a call.
     *
     * @param call valid until this method returns; the object is then reused for the next call
     */
    void add(ExportedCall call) throws IOException;
}
