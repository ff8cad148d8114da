package org.diperf.analyzer.run;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.diperf.analyzer.run.Outcomes.Endings;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.CorruptBlockException;

/** Blocks of calls on their way from the thread that reads to one that counts. Confined to the thread that has it. */
final class BlockBatch {

    private static final int CAPACITY = 2 * Block.MAX_LENGTH;

    private final ByteBuffer data = ByteBuffer.allocate(CAPACITY).order(ByteOrder.LITTLE_ENDIAN);
    private final List<Entry> entries = new ArrayList<>();

    /** One block; {@code at} is its place in the data. */
    private record Entry(Block header, int at, TesterClock clock, Endings endings) {}

    /** Returns whether a block of any length fits. */
    boolean hasRoom() {
        return data.remaining() >= Block.MAX_LENGTH;
    }

    /** Copies a block. */
    void add(Block header, ByteBuffer block, TesterClock clock, Endings endings) throws CorruptBlockException {
        entries.add(new Entry(header, data.position(), clock, endings));
        data.put(block.slice().limit(Block.length(block)));
    }

    /** Counts all blocks; one that cannot be decoded is damage. */
    void count(CallCounter counter) {
        ByteBuffer all = data.duplicate().flip().order(ByteOrder.LITTLE_ENDIAN);
        for (Entry entry : entries) {
            try {
                counter.count(entry.header, all.position(entry.at), entry.clock, entry.endings);
            } catch (CorruptBlockException e) {
                Block header = entry.header;
                counter.damaged("block " + header.number() + " of tester " + header.tester() + ": " + e.getMessage());
            }
        }
    }

    void clear() {
        data.clear();
        entries.clear();
    }
}
