package org.diperf.controller.collect;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.diperf.analyzer.text.Numbers;
import org.diperf.core.plan.TesterClients;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.CallClients;
import org.diperf.core.sample.CorruptBlockException;
import org.jspecify.annotations.Nullable;

/**
 * Holds what a tester reports against its share of the plan: it answers for its own clients and for no others, and its blocks are
 * no larger than testers make them, because a block costs by its rows, not by its bytes. Confined to the collector's event loop.
 */
final class ShareValidator {

    /** Rows of a block that a tester ships at most: four times as many as it ships. */
    static final int MAX_ROWS = 1 << 12;

    private final CallClients clients;
    /** {@code null}: it has no share of the plan, as far as this collector knows. */
    private @Nullable TesterClients own;

    /** @param clients may be shared with others on the same event loop */
    ShareValidator(CallClients clients) {
        this.clients = clients;
    }

    /** Holds the tester to these clients from now on. */
    void holdTo(TesterClients share) {
        own = share;
    }

    /** Says what is wrong with a block, as the end of a sentence about the tester; empty: nothing. */
    Optional<String> objection(Block header, ByteBuffer data) {
        if (header.rows() > MAX_ROWS) {
            return Optional.of("sent a block of " + header.rows() + " rows (limit " + MAX_ROWS + ")");
        }
        TesterClients share = own;
        if (header.kind() != Block.CALLS || share == null) {
            return Optional.empty();
        }
        try {
            long[] of = clients.decode(data, header);
            int foreign = share.firstForeign(of, header.rows());
            return foreign < 0
                    ? Optional.empty()
                    : Optional.of("sent " + Numbers.count(header.rows(), "call")
                            + " by clients of other testers, such as client " + of[foreign] + "; they are rejected");
        } catch (CorruptBlockException e) {
            return Optional.of("sent an unusable block: " + e.getMessage());
        }
    }
}
