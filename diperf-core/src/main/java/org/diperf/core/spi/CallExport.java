package org.diperf.core.spi;

import java.io.Closeable;
import java.io.IOException;

/**
 * A file that is being written. Its memory must not grow with the number of calls. One thread at a time uses it; {@code
 * close} ends the file, and is called even when {@code add} failed.
 */
public interface CallExport extends Closeable {

    /**
     * Writes a call.
     *
     * @param call valid until this returns; the same object is the next call
     */
    void add(ExportedCall call) throws IOException;
}
