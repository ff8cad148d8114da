package org.diperf.analyzer.load;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.StageRecord;
import org.diperf.core.run.TesterRecord;
import org.jspecify.annotations.Nullable;

/** By what the numbers of a run are told apart: its groups, a label of the testers' nodes, hosts, testers, requests. */
public final class Partition {

    /** More would be told apart by nobody, and each takes some memory. */
    static final int MOST = 50;

    private static final String NONE = "(none)";

    private final String by;
    private final List<String> names = new ArrayList<>();
    private final ClientShares shares;
    private final @Nullable Map<Integer, Integer> byTester;
    private final int @Nullable [] byStage;
    private final int[] byPlace;
    private final Map<Integer, Integer> bySlot = new HashMap<>();
    private final Map<String, Map<String, String>> labels;

    private Partition(RunRecord run, ClientShares shares, String by) {
        this.by = by;
        this.shares = shares;
        this.byPlace = new int[run.testers().size()];
        this.labels = labels(run);
        if (by.equals("group")) {
            this.byTester = null;
            this.byStage = new int[run.stages().size()];
            for (int share = 0; share < shares.count(); share++) {
                names.add(String.valueOf(shares.record(share).group()));
            }
            for (StageRecord stage : run.stages()) {
                byStage[stage.number()] = shares.of(stage);
            }
            for (int place = 0; place < byPlace.length; place++) {
                byPlace[place] = shares.ofSlot(run.testers().get(place).slot());
                noteSlot(run.testers().get(place), byPlace[place]);
            }
            return;
        }
        this.byStage = null;
        if (by.equals("request")) {
            this.byTester = null;
            names.addAll(run.requests());
            return;
        }
        this.byTester = new HashMap<>();
        for (int place = 0; place < byPlace.length; place++) {
            TesterRecord tester = run.testers().get(place);
            String name = nameOf(tester);
            if (!names.contains(name)) {
                names.add(name);
            }
            byPlace[place] = names.indexOf(name);
            byTester.put(tester.number(), byPlace[place]);
            noteSlot(tester, byPlace[place]);
        }
    }

    /** A slot that went from one tester to another belongs to the part of the first. */
    private void noteSlot(TesterRecord tester, int part) {
        bySlot.putIfAbsent(tester.slot(), part);
    }

    private String nameOf(TesterRecord tester) {
        return switch (by) {
            case "host" -> tester.host();
            case "tester" -> "tester-" + tester.number();
            default -> {
                String node = tester.node();
                yield labels.getOrDefault(node == null ? "" : node, Map.of()).getOrDefault(by, NONE);
            }
        };
    }

    /**
     * Divides a run.
     *
     * @param by {@code host}, {@code tester}, {@code request} or a label; {@code null}: its groups
     * @return {@code null} where it has no groups
     * @throws IllegalArgumentException when nothing is told apart so, or too much
     */
    public static @Nullable Partition of(RunRecord run, ClientShares shares, @Nullable String by) {
        if (by == null) {
            return shares.hasGroups() ? new Partition(run, shares, "group") : null;
        }
        if (by.equals("group") && !shares.hasGroups()) {
            throw new IllegalArgumentException(
                    "Expected a run with groups, got one without; use host, tester, request or a node label instead");
        }
        Partition made = new Partition(run, shares, by);
        if (made.names.equals(List.of(NONE))) {
            throw new IllegalArgumentException("Expected host, tester, request, group or a node label, got '" + by
                    + "', which no node of this run has; the labels are "
                    + made.labels.values().stream()
                            .flatMap(each -> each.keySet().stream())
                            .distinct()
                            .sorted()
                            .toList());
        }
        if (made.names.isEmpty() || made.names.size() > MOST) {
            throw new IllegalArgumentException("Expected '" + by + "' to divide the run into 1 to " + MOST
                    + " parts, got " + +made.names.size()
                    + "; choose something with fewer values");
        }
        return made;
    }

    private static Map<String, Map<String, String>> labels(RunRecord run) {
        Map<String, Map<String, String>> labels = new HashMap<>();
        run.nodes().forEach(node -> labels.put(node.name(), node.labels()));
        return labels;
    }

    /** Says by what. */
    public String by() {
        return by;
    }

    /** Names the parts. */
    public List<String> names() {
        return names;
    }

    /** Returns the part of a call; -1: none. */
    public int of(int tester, int stage, int request) {
        if (byStage != null) {
            return stage >= 0 && stage < byStage.length ? byStage[stage] : -1;
        }
        if (byTester != null) {
            return byTester.getOrDefault(tester, -1);
        }
        return request >= 0 && request < names.size() ? request : -1;
    }

    /** Returns whether clients belong to parts, and not only their calls. */
    public boolean hasClients() {
        return byStage != null || byTester != null;
    }

    /** Returns the part of a client; -1: none, or several. */
    public int ofClient(int client) {
        return hasClients() ? bySlot.getOrDefault(shares.slotOf(client), -1) : -1;
    }

    /** Counts the testers of a part. */
    public int testers(int part) {
        int count = 0;
        for (int of : byPlace) {
            count += of == part ? 1 : 0;
        }
        return count;
    }
}
