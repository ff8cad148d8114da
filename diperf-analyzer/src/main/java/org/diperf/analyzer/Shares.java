package org.diperf.analyzer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.diperf.core.plan.Numbering;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.RunRecord.ShareRecord;
import org.diperf.core.run.RunRecord.StageRecord;
import org.diperf.core.run.RunRecord.TesterRecord;

/** Who shared which clients: which tester and which group a client, a tester or a stage of a run belongs to. Immutable. */
final class Shares {

    private final List<ShareRecord> records;
    private final List<Numbering> numberings = new ArrayList<>();
    /** Of each share its testers' places in the run's list. */
    private final List<int[]> testers = new ArrayList<>();

    private final Map<String, Integer> byGroup = new HashMap<>();

    private Shares(List<ShareRecord> records, RunRecord run) {
        this.records = List.copyOf(records);
        Map<Integer, Integer> places = new HashMap<>();
        for (TesterRecord tester : run.testers()) {
            places.put(tester.number(), places.size());
        }
        for (ShareRecord record : records) {
            String placement = record.placement().toUpperCase(Locale.ROOT).replace('-', '_');
            byGroup.put(String.valueOf(record.group()), numberings.size());
            numberings.add(new Numbering(
                    Numbering.Placement.valueOf(placement), Math.max(1, record.clients()), record.firstClient(), 0));
            testers.add(record.testers().stream()
                    .mapToInt(number -> places.getOrDefault(number, -1))
                    .toArray());
        }
    }

    /** Gives those of a run; one without a name where it has no groups. */
    static Shares of(RunRecord run) {
        List<ShareRecord> given = run.shares();
        if (given != null && !given.isEmpty()) {
            return new Shares(given, run);
        }
        List<Integer> all = run.testers().stream().map(TesterRecord::number).toList();
        return new Shares(List.of(new ShareRecord(null, "", "round-robin", 0, 1, 0, all)), run);
    }

    int count() {
        return records.size();
    }

    ShareRecord record(int share) {
        return records.get(share);
    }

    /** Says whether the run has groups. */
    boolean hasGroups() {
        return records.get(0).group() != null;
    }

    /** Gives the share of a stage. */
    int of(StageRecord stage) {
        return byGroup.getOrDefault(String.valueOf(stage.group()), 0);
    }

    /** Gives the share of a client: the last one that begins at or before its number. */
    int ofClient(int client) {
        int share = 0;
        for (int i = 1; i < records.size(); i++) {
            share = records.get(i).firstClient() <= client ? i : share;
        }
        return share;
    }

    int firstClient(int share) {
        return records.get(share).firstClient();
    }

    /** Counts the testers of a share. */
    int testers(int share) {
        return testers.get(share).length;
    }

    /** Gives the place of a client's tester in the run's list of testers; -1: it is not known. */
    int testerOf(int client) {
        int share = ofClient(client);
        int[] of = testers.get(share);
        int slot = of.length == 0 ? 0 : numberings.get(share).slotOf(client, of.length);
        return slot < 1 || slot > of.length ? -1 : of[slot - 1];
    }

    /** Gives the share of the tester at a place in the run's list; -1: it has none. */
    int ofTester(int place) {
        return IntStream.range(0, testers.size())
                .filter(share -> IntStream.of(testers.get(share)).anyMatch(own -> own == place))
                .findFirst()
                .orElse(-1);
    }
}
