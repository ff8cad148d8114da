package org.diperf.core.contract;

import org.diperf.core.spi.Loop;

/** A loop for tests, which can be closed. */
public interface TestLoop extends Loop, AutoCloseable {

    /** Ends the loop's thread; waits for it. */
    @Override
    void close();
}
