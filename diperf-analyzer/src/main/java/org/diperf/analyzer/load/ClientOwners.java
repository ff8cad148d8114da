package org.diperf.analyzer.load;

import java.util.HashMap;
import java.util.Map;
import org.diperf.core.plan.TesterClients;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.RunRecord.End;
import org.diperf.core.run.StageRecord;
import org.diperf.core.run.TesterRecord;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.Calls;
import org.diperf.core.sample.CorruptBlockException;

/**
 * Which clients each tester of a run answers for: those of its slot, which a tester that replaced it has after it. Collectors refuse
 * the calls of others; whoever reads samples does so again, because older collectors did not and folders can be written by anybody.
 * Immutable; used by any thread.
 */
public final class ClientOwners {

    private final boolean known;
    private final Map<Integer, TesterClients> byTester = new HashMap<>();

    private ClientOwners(RunRecord run) {
        // Of imported calls there is no plan; of a run whose record was never closed, stages and replacements may be
        // missing.
        known = run.end() != End.UNDER_WAY
                && !run.stages().isEmpty()
                && run.stages().stream().allMatch(stage -> stage.load() != null);
        if (known) {
            ClientShares shares = ClientShares.of(run);
            for (TesterRecord tester : run.testers()) {
                int share = shares.ofSlot(tester.slot());
                if (share >= 0) {
                    byTester.put(tester.number(), shares.own(share, tester.slot(), mostClients(run, shares, share)));
                }
            }
        }
    }

    private static int mostClients(RunRecord run, ClientShares shares, int share) {
        int most = 1;
        for (StageRecord stage : run.stages()) {
            if (stage.load() != null && shares.of(stage) == share) {
                most = Math.max(most, stage.load().clients());
            }
        }
        return most;
    }

    /** Finds them in a run's record. */
    public static ClientOwners of(RunRecord run) {
        return new ClientOwners(run);
    }

    /**
     * Finds the first call of a block that is not one of its tester's clients.
     *
     * @param calls the block's, decoded
     * @return its row; -1: there is none
     */
    public int firstForeign(Block header, Calls calls) {
        if (!known) {
            return -1;
        }
        TesterClients own = byTester.get(header.tester());
        return own == null ? 0 : own.firstForeign(calls.clients(), calls.rows());
    }

    /** Refuses a block with such a call. */
    public void check(Block header, Calls calls) throws CorruptBlockException {
        int foreign = firstForeign(header, calls);
        if (foreign >= 0) {
            throw new CorruptBlockException("expected calls by clients of tester " + header.tester()
                    + ", got one by client " + calls.clients()[foreign] + ", which does not belong to it");
        }
    }
}
