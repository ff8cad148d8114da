package org.diperf.tester.engine;

import org.diperf.core.sample.CallWriter;
import org.diperf.core.sample.ObservationWriter;

/**
 * Takes finished blocks: encodes and numbers each, which also empties the writer. Thread-safe; may block the caller for
 * as long as the buffer is full, but never drops. Writers come with at least one row.
 */
public interface BlockSink {

    /** Takes the calls gathered. */
    void write(CallWriter calls);

    /** Takes the observations gathered. */
    void write(ObservationWriter observations);
}
