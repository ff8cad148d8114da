package org.diperf.core.spi;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Adds a format in which {@code diperf export} writes the calls of a run. Found by {@link java.util.ServiceLoader} through
 * {@code META-INF/services/org.diperf.core.spi.ExportPlugin}.
 */
public interface ExportPlugin {

    /** Names the format, as in {@code --format}; lower case with hyphens. Also the extension of the file. */
    String id();

    /** Describes the format in one line, for {@code diperf plugins}. */
    String summary();

    /**
     * Starts a file.
     *
     * @param to where the bytes go, buffered; stays open after {@link CallExport#close}
     */
    CallExport begin(ExportedRun run, OutputStream to) throws IOException;
}
