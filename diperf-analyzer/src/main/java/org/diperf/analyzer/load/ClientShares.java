package org.diperf.analyzer.load;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.diperf.core.plan.ClientNumbering;
import org.diperf.core.plan.TesterClients;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.ShareRecord;
import org.diperf.core.run.StageRecord;
import org.diperf.core.run.TesterRecord;

/** Who shared which clients: which slot and which group a client or a stage of a run belongs to. Immutable. */
public final class ClientShares {

    private final List<ShareRecord> records;
    private final List<ClientNumbering> numberings = new ArrayList<>();
    private final Map<String, Integer> byGroup = new HashMap<>();

    private ClientShares(List<ShareRecord> records) {
        this.records = List.copyOf(records);
        for (ShareRecord record : records) {
            String placement = record.placement().toUpperCase(Locale.ROOT).replace('-', '_');
            byGroup.put(String.valueOf(record.group()), numberings.size());
            numberings.add(new ClientNumbering(
                    ClientNumbering.Placement.valueOf(placement),
                    Math.max(1, record.clients()),
                    record.firstClient(),
                    0));
        }
    }

    /** Returns those of a run; one without a name where it has no groups. */
    public static ClientShares of(RunRecord run) {
        List<ShareRecord> given = run.shares();
        if (given != null && !given.isEmpty()) {
            return new ClientShares(given);
        }
        int slots = run.testers().stream().mapToInt(TesterRecord::slot).max().orElse(0);
        return new ClientShares(List.of(new ShareRecord(null, "", "round-robin", 0, 1, 0, 1, Math.max(1, slots))));
    }

    int count() {
        return records.size();
    }

    public ShareRecord record(int share) {
        return records.get(share);
    }

    /** Returns whether the run has groups. */
    boolean hasGroups() {
        return records.get(0).group() != null;
    }

    /** Returns the share of a stage. */
    public int of(StageRecord stage) {
        return byGroup.getOrDefault(String.valueOf(stage.group()), 0);
    }

    int firstClient(int share) {
        return records.get(share).firstClient();
    }

    /** Counts the slots of a share. */
    int slots(int share) {
        return Math.max(1, records.get(share).slots());
    }

    /** Counts the slots of all shares. */
    int slots() {
        return records.stream().mapToInt(ShareRecord::slots).sum();
    }

    /** Returns the share of a slot; -1: none. */
    public int ofSlot(int slot) {
        for (int share = 0; share < records.size(); share++) {
            int own = slot - records.get(share).firstSlot();
            if (own >= 0 && own < slots(share)) {
                return share;
            }
        }
        return -1;
    }

    /**
     * Returns the clients that a slot answers for.
     *
     * @param slot of this share, in the whole run
     * @param most clients that any stage of the share has
     */
    TesterClients own(int share, int slot, int most) {
        return numberings.get(share).own(slot - records.get(share).firstSlot() + 1, slots(share), most);
    }

    /** Returns the slot of a client, from 1 in the whole run. */
    public int slotOf(int client) {
        int share = 0;
        for (int i = 1; i < records.size(); i++) {
            share = records.get(i).firstClient() <= client ? i : share;
        }
        // Only a damaged sample has a client beyond those of its group.
        int own = Math.min(slots(share), numberings.get(share).slotOf(client, slots(share)));
        return records.get(share).firstSlot() + own - 1;
    }
}
