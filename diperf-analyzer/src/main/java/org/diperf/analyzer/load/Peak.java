package org.diperf.analyzer.load;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.diperf.analyzer.load.PlannedLoad.Part;
import org.diperf.analyzer.result.LevelRule;
import org.diperf.analyzer.result.LevelRule.Level;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.run.LevelRecord;
import org.diperf.core.run.ProbeRecord;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.SearchRecord;
import org.jspecify.annotations.Nullable;

/**
 * Finds the peak of a run: of a search the settled part of the last probe that held at what was found; of levels that of the best
 * one; of other closed load the longest interval in which all started, not lost, clients are active; of other open load the
 * longest interval at the highest rate.
 */
final class Peak {

    private final PlannedLoad offered;
    private final FirstPass survey;
    private final Set<Integer> doubtful;

    /** @param doubtful numbers of stages that the peak must not lie at */
    Peak(PlannedLoad offered, FirstPass survey, Set<Integer> doubtful) {
        this.offered = offered;
        this.survey = survey;
        this.doubtful = doubtful;
    }

    @Nullable
    Part find(RunRecord run) {
        SearchRecord search = run.search();
        if (search != null) {
            return ofSearch(search);
        }
        if (offered.stages().stream().anyMatch(stage -> stage.record().level() != null)) {
            return ofLevels();
        }
        return ofAll();
    }

    private @Nullable Part ofSearch(SearchRecord search) {
        Part part = null;
        for (ProbeRecord probe : search.probes()) {
            Double found = search.found();
            boolean confirms = found != null && probe.value() == found && probe.holds() != null && probe.holds();
            if (confirms
                    && !doubtful.contains(probe.stage())
                    && probe.stage() >= 0
                    && probe.stage() < offered.stages().size()) {
                part = settledPart(offered.stages().get(probe.stage()));
            }
        }
        return part;
    }

    private @Nullable Part ofLevels() {
        List<Level> levels = new ArrayList<>();
        for (StageTiming stage : offered.stages()) {
            LevelRecord level = stage.record().level();
            if (level != null && settledPart(stage) != null) {
                int number = stage.record().number();
                levels.add(new Level(
                        number, level.value(), rate(stage), level.settledNanos() != null, doubtful.contains(number)));
            }
        }
        return LevelRule.best(levels)
                .map(best -> settledPart(offered.stages().get(best.stage())))
                .orElse(null);
    }

    private double rate(StageTiming stage) {
        return survey.ok(stage.record().number()) * 1e9 / Math.max(1, stage.end() - stage.settled());
    }

    private @Nullable Part settledPart(StageTiming stage) {
        long from = stage.settled();
        long to = Math.min(offered.runEnd(), stage.end());
        if (from >= to) {
            return null;
        }
        if (!stage.isClosed()) {
            return new Part(from, to, -1);
        }
        int clients = 0;
        for (int i = 0; i < stage.clients(); i++) {
            clients += offered.isSteady(i) && offered.isActive(i, from, to) ? 1 : 0;
        }
        return clients == 0 ? null : new Part(from, to, clients);
    }

    /** Finds the longest interval in which all clients of closed groups are active and open ones offer their highest rate. */
    private @Nullable Part ofAll() {
        List<Part> parts = null;
        int clients = -1;
        if (offered.isClosed()) {
            parts = ofClients();
            clients = parts.isEmpty() ? -1 : parts.get(0).clients();
        }
        ClientShares shares = offered.shares();
        for (int share = 0; share < shares.count(); share++) {
            int of = share;
            List<StageTiming> open = offered.stages().stream()
                    .filter(stage -> shares.of(stage.record()) == of && stage.open() != null)
                    .toList();
            if (!open.isEmpty()) {
                parts = parts == null ? ofRates(open) : common(parts, ofRates(open), clients);
            }
        }
        Part longest = null;
        for (Part part : parts == null ? List.<Part>of() : parts) {
            longest = longest == null || length(part) > length(longest) ? part : longest;
        }
        return longest;
    }

    /** Returns what two lists of disjoint rising parts have in common. */
    private static List<Part> common(List<Part> some, List<Part> others, int clients) {
        List<Part> common = new ArrayList<>();
        for (Part one : some) {
            for (Part other : others) {
                long from = Math.max(one.from(), other.from());
                long to = Math.min(one.to(), other.to());
                if (from < to) {
                    common.add(new Part(from, to, clients));
                }
            }
        }
        return common;
    }

    private List<Part> ofClients() {
        int clients = 0;
        long[] begins = new long[offered.clients()];
        long[] ends = new long[offered.clients()];
        int n = 0;
        for (int i = 0; i < offered.clients(); i++) {
            long[] spans = offered.spans(i);
            if (spans.length == 0 || !offered.isSteady(i)) {
                continue;
            }
            clients++;
            for (int k = 0; k < spans.length; k += 2) {
                if (n == begins.length) {
                    begins = Arrays.copyOf(begins, 2 * n);
                    ends = Arrays.copyOf(ends, 2 * n);
                }
                begins[n] = spans[k];
                ends[n] = offered.behind(i, k);
                n++;
            }
        }
        Arrays.sort(begins, 0, n);
        Arrays.sort(ends, 0, n);
        List<Part> parts = new ArrayList<>();
        int begun = 0;
        for (int ended = 0; ended < n; ended++) {
            while (begun < n && begins[begun] < ends[ended]) {
                begun++;
            }
            // All are active from the last begin to this end, which is the next one after it.
            if (begun - ended == clients) {
                parts.add(new Part(begins[begun - 1], ends[ended], clients));
            }
        }
        return parts;
    }

    /** Returns the parts of some stages, one after another, that have the highest rate. */
    private List<Part> ofRates(List<StageTiming> stages) {
        List<Part> parts = new ArrayList<>();
        double highest = 0;
        for (StageTiming stage : stages) {
            OpenLoad load = stage.open();
            long from = stage.steadyFrom();
            long to = Math.min(offered.runEnd(), stage.end());
            if (load == null || from >= to || load.perSecond() < highest) {
                continue;
            }
            if (load.perSecond() > highest) {
                parts.clear();
            }
            highest = load.perSecond();
            int last = parts.size() - 1;
            if (last >= 0 && parts.get(last).to() == from) {
                parts.set(last, new Part(parts.get(last).from(), to, -1));
            } else {
                parts.add(new Part(from, to, -1));
            }
        }
        return parts;
    }

    private static long length(Part part) {
        return part.to() - part.from();
    }
}
