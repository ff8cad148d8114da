package org.diperf.core.spi;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Adds a format in which {@code diperf export} writes the calls of a run. Its ID is what {@code --format} takes and the extension
 * of the file; it has no parameters.
 */
public interface ExportPlugin extends Plugin {

    /**
     * Starts a file.
     *
     * @param to where the bytes go, buffered; stays open after {@link CallExport#close}
     */
    CallExport begin(ExportedRun run, OutputStream to) throws IOException;
}
