package org.diperf.tester.link;

import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.TesterTotals;
import org.jspecify.annotations.Nullable;

/**
 * Ships the blocks of a {@link Spool} in their order, on each way from the first that is not durable, and after the last
 * one what the load came to. Confined to the link's event loop, but for the spool.
 */
final class BlockShipper {

    /** Blocks wait for the next tick, so that this thread seldom wakes next to the load; but no more bytes than these. */
    private static final int SHIP_BYTES = 256 << 10;

    private final Uplink uplink;
    private final Executor loop;
    private final Spool spool;
    private final AtomicInteger waitingBytes = new AtomicInteger();
    private long shipped;
    private @Nullable TesterTotals totals;
    private boolean totalsShipped;

    /** @param onFull called when the spool is full, on the thread that wants to write to it */
    BlockShipper(Uplink uplink, long spoolBytes, Executor loop, Runnable onFull) {
        this.uplink = uplink;
        this.loop = loop;
        this.spool = new Spool(spoolBytes, this::blockCame, onFull);
    }

    /** Returns the sink for the engine. Any thread. */
    Spool spool() {
        return spool;
    }

    private void blockCame(int bytes) {
        int waiting = waitingBytes.addAndGet(bytes);
        if (waiting >= SHIP_BYTES && waiting - bytes < SHIP_BYTES) {
            loop.execute(this::ship);
        }
    }

    /** Starts again after the blocks that the controller has; it may have missed what was shipped on the way before. */
    void restart(long durable) {
        spool.acknowledge(durable);
        // A controller that held blocks in memory and was killed has fewer than were acknowledged.
        shipped = Math.max(durable, spool.acknowledged());
        totalsShipped = false;
    }

    /** Lets go of the blocks that are durable. */
    void acknowledge(long durable) {
        spool.acknowledge(durable);
    }

    /** Says that no more blocks come, and what is to be said after the last one. */
    void finish(TesterTotals result) {
        totals = result;
    }

    /** Returns whether nothing would be lost if this process ended now. */
    boolean isSafe() {
        return spool.unacknowledged() == 0;
    }

    /** Ships what was not shipped on this way, as far as it takes more. */
    void ship() {
        waitingBytes.set(0);
        boolean written = false;
        while (uplink.takesBlocks()) {
            ByteBuffer block = spool.block(shipped + 1);
            if (block == null) {
                break;
            }
            uplink.write(new Message.Block(block));
            written = true;
            shipped++;
        }
        if (totals != null && !totalsShipped && uplink.isUp() && shipped >= spool.last()) {
            totalsShipped = true;
            uplink.write(new Message.Finished(totals));
            written = true;
        }
        if (written) {
            uplink.flush();
        }
    }
}
