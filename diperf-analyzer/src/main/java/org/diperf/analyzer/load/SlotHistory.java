package org.diperf.analyzer.load;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.TesterRecord;
import org.jspecify.annotations.Nullable;

/** Which tester had which share of the plan, and when: a lost tester's share may have gone to another one. Immutable. */
public final class SlotHistory {

    private final List<List<TesterRecord>> bySlot = new ArrayList<>();
    private final ClientShares shares;

    SlotHistory(RunRecord run, ClientShares shares) {
        this.shares = shares;
        int slots = Math.max(
                shares.slots(),
                run.testers().stream().mapToInt(TesterRecord::slot).max().orElse(0));
        for (int slot = 1; slot <= slots; slot++) {
            int wanted = slot;
            bySlot.add(run.testers().stream()
                    .filter(tester -> tester.slot() == wanted)
                    .sorted(Comparator.comparingLong(SlotHistory::from))
                    .toList());
        }
    }

    /** Lists the testers that a client was meant for, one after another. */
    List<TesterRecord> of(int client) {
        return bySlot.get(shares.slotOf(client) - 1);
    }

    /** Returns the tester that had a client last, of those that started where any did; {@code null}: nobody had it. */
    @Nullable
    public TesterRecord lastOf(int client) {
        List<TesterRecord> testers = of(client);
        TesterRecord last = null;
        for (TesterRecord tester : testers) {
            last = last == null || tester.started() ? tester : last;
        }
        return last;
    }

    /** Returns whether somebody had a client to the end. */
    boolean isKept(int client) {
        TesterRecord last = lastOf(client);
        return last != null && last.started() && last.lostNanos() == null;
    }

    /** Returns the instant from which somebody else had the share of a lost tester; {@link Long#MAX_VALUE}: nobody. */
    public long replacedFrom(TesterRecord lost) {
        return bySlot.stream()
                .flatMap(List::stream)
                .filter(tester -> tester.started() && tester.slot() == lost.slot() && tester.number() != lost.number())
                .mapToLong(SlotHistory::from)
                .filter(from -> from >= StageTiming.or(lost.lostNanos(), Long.MAX_VALUE))
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** Returns the instant from which a tester called, after the start of the run. */
    public static long from(TesterRecord tester) {
        return StageTiming.or(tester.joinedNanos(), 0L);
    }
}
