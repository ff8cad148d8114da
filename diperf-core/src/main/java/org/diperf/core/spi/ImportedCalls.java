package org.diperf.core.spi;

import java.io.IOException;
import java.util.List;
import org.diperf.core.spi.ExportedRun.ExportedMetric;

/** A file of calls that another program measured. Its memory use must not grow with the number of calls. Used by one thread. */
public interface ImportedCalls {

    /** Lists the metrics that its calls may have. */
    List<ExportedMetric> metrics();

    /** Returns whether it tells when calls were sent, besides when they were due. */
    boolean hasLag();

    /** Returns whether it tells how many bytes calls moved. */
    boolean hasBytes();

    /**
     * Reads all calls. Called once.
     *
     * @throws IOException if the file cannot be read or is none: then nothing of it is imported
     */
    void read(Sink to) throws IOException;

    /** Returns how many bytes of the file have been read, for the progress. */
    long bytesRead();

    /** Lists the names of the kinds of request, by number, when all calls have been read. */
    List<String> requests();

    /** Lists the names of the targets, by number, when all calls have been read. */
    List<String> targets();

    /** Returns the name of a tester by its number, when all calls have been read. */
    String tester(int number);

    /** Takes what is read. */
    interface Sink {

        /**
         * Takes a call.
         *
         * @param call is read before this method returns, and may then be reused for the next one
         */
        void add(ImportedCall call) throws IOException;

        /**
         * Counts a row that cannot be read.
         *
         * @param reason and where it is: {@code line 3: expected a number for time, got 'soon'}
         */
        void skip(String reason);
    }
}
