package org.diperf.controller.collect;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.diperf.core.plan.TesterClients;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.CorruptBlockException;

/**
 * The blocks of one tester, which number them from 1: each is kept once, and none may be missing between two that are.
 * Confined to the collector's event loop.
 */
final class BlockSequence {

    private final int tester;
    private final Store store;
    private final Session.Context context;
    private final ShareValidator claims;
    private long last;
    private long durable;
    /** Whether another collector took the blocks up to now, and none has come since. */
    private boolean restored;

    /** Where blocks are kept. */
    interface Store {

        /**
         * Queues a block, which stays valid after the call.
         *
         * @return whether there is room for more
         */
        boolean offer(int tester, long number, ByteBuffer block);
    }

    BlockSequence(int tester, Store store, Session.Context context) {
        this.tester = tester;
        this.store = store;
        this.context = context;
        this.claims = new ShareValidator(context.clients());
    }

    /** Refuses calls of other clients than these from now on. */
    void holdTo(TesterClients share) {
        claims.holdTo(share);
    }

    /** Continues after the last block that is in the sample files; 0: there is none. */
    void restore(long kept) {
        last = kept;
        durable = kept;
        restored = true;
    }

    /** Returns whether any block has come. */
    boolean hasAny() {
        return last > 0;
    }

    /** Returns the number of the last block that has come; 0: none has. */
    long last() {
        return last;
    }

    /** Returns the number up to which all blocks are durable. */
    long durable() {
        return durable;
    }

    /** Notes that the blocks up to this number are durable. */
    void durable(long number) {
        durable = number;
    }

    /** Returns whether all blocks that came are durable. */
    boolean isDurable() {
        return durable >= last;
    }

    /** Takes what should be the next block; gives what is wrong with it, as the end of a sentence about the tester. */
    Optional<String> take(ByteBuffer data) {
        Block header;
        try {
            header = Block.read(data);
            if (Block.length(data) != data.remaining()) {
                throw new CorruptBlockException(
                        "expected one block of " + Block.length(data) + " bytes, got " + data.remaining());
            }
        } catch (CorruptBlockException e) {
            return Optional.of("sent an unusable block: " + e.getMessage());
        }
        if (header.tester() != tester) {
            return Optional.of("sent a block that belongs to tester " + header.tester());
        }
        if (header.number() <= last) {
            // After a reconnect everything that was not acknowledged comes again.
            return Optional.empty();
        }
        if (context.hasFailed()) {
            // It stays with the tester, as all that follows.
            return Optional.empty();
        }
        if (header.number() != last + 1) {
            if (!restored || !context.mayMissBlocks()) {
                return Optional.of("sent block " + header.number() + " after block " + last
                        + ": the blocks between them are missing");
            }
            String gap = "blocks " + (last + 1) + " to " + (header.number() - 1)
                    + " were in the memory of a controller that was killed, and are lost";
            context.tell(listener -> listener.log(tester, gap));
        }
        Optional<String> objection = claims.objection(header, data);
        if (objection.isPresent()) {
            return objection;
        }
        restored = false;
        last = header.number();
        if (!store.offer(tester, last, data.duplicate())) {
            context.full();
        }
        context.tell(listener -> listener.block(tester, data.duplicate()));
        return Optional.empty();
    }
}
