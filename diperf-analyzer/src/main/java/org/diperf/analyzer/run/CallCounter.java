package org.diperf.analyzer.run;

import java.nio.ByteBuffer;
import org.diperf.analyzer.run.Outcomes.Endings;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.CorruptBlockException;

/** Counts the calls of those blocks that it is given. Confined to one thread at a time. */
public interface CallCounter {

    /**
     * Counts a block of calls, of groups of calls, or of events.
     *
     * @param clock of its tester, from any thread
     * @param endings the words of the block; of events none
     * @throws CorruptBlockException when it cannot be decoded; nothing was counted then
     */
    void count(Block header, ByteBuffer data, TesterClock clock, Endings endings) throws CorruptBlockException;

    /** Notes a block that cannot be decoded. */
    void damaged(String what);
}
