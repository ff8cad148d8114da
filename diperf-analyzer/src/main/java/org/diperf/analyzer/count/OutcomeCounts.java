package org.diperf.analyzer.count;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.diperf.analyzer.result.Analysis.FailureCause;
import org.diperf.analyzer.result.Summary.CallCounts;
import org.diperf.analyzer.run.Outcomes;
import org.diperf.core.sample.Outcome;
import org.diperf.core.spi.Fault;

/** Counts of calls by how they ended, in words. */
public final class OutcomeCounts {

    private static final int MAX_LISTED = 100;

    private final Outcomes outcomes;

    OutcomeCounts(Outcomes outcomes) {
        this.outcomes = outcomes;
    }

    /** Counts the calls of a part of the run that failed by somebody's fault. */
    public long failed(ScopeTally scope, Fault fault) {
        long sum = 0;
        for (int i = Outcomes.TIMEOUT; i < outcomes.size(); i++) {
            sum += outcomes.fault(i) == fault ? scope.outcome(i) : 0;
        }
        return sum;
    }

    /** Says by what most calls of a part of the run failed by somebody's fault, and what can be done about it; there must be one. */
    public String main(ScopeTally scope, Fault fault) {
        int main = byCount(scope).stream()
                .filter(i -> outcomes.fault(i) == fault)
                .findFirst()
                .orElseThrow();
        String remedy = outcomes.remedy(main);
        if (remedy.isEmpty() && fault == Fault.GENERATOR) {
            remedy = "raise the limits of its machine, or use more testers";
        }
        return outcomes.word(main) + (remedy.isEmpty() ? "" : "; " + remedy);
    }

    private List<Integer> byCount(ScopeTally scope) {
        List<Integer> order = new ArrayList<>();
        for (int i = Outcomes.TIMEOUT; i < outcomes.size(); i++) {
            if (scope.outcome(i) > 0) {
                order.add(i);
            }
        }
        order.sort(Comparator.<Integer>comparingLong(i -> -scope.outcome(i)).thenComparing(outcomes::word));
        return order;
    }

    /**
     * Counts the calls of a part of the run.
     *
     * @param planned of open load, -1 of closed load
     */
    public CallCounts counts(ScopeTally scope, long planned) {
        List<Integer> order = byCount(scope);
        long ok = scope.outcome(Outcomes.OK);
        long failed = order.stream().mapToLong(scope::outcome).sum();
        long unfinished = scope.outcome(Outcomes.UNFINISHED);
        long sent = ok + failed + unfinished;
        long refused = failed(scope, Fault.GENERATOR);
        Map<String, Long> byWord = new LinkedHashMap<>();
        if (ok > 0) {
            byWord.put(Outcome.OK, ok);
        }
        long listed = 0;
        for (int i : order.subList(0, Math.min(MAX_LISTED, order.size()))) {
            byWord.merge(outcomes.word(i), scope.outcome(i), Long::sum);
            listed += scope.outcome(i);
        }
        if (listed < failed) {
            byWord.merge(Outcomes.OTHER, failed - listed, Long::sum);
        }
        return new CallCounts(
                planned < 0 ? sent : planned,
                sent,
                ok + failed,
                ok,
                failed,
                scope.outcome(Outcomes.TIMEOUT),
                scope.outcome(Outcomes.DROPPED),
                unfinished,
                byWord,
                scope.bytes(),
                refused == 0 ? null : (Long) refused);
    }

    public List<FailureCause> causes(ScopeTally scope, FirstOutcomes firsts) {
        List<FailureCause> causes = new ArrayList<>();
        List<Integer> order = byCount(scope);
        for (int i : order.subList(0, Math.min(MAX_LISTED, order.size()))) {
            causes.add(new FailureCause(
                    outcomes.word(i),
                    outcomes.fault(i),
                    outcomes.remedy(i),
                    scope.outcome(i),
                    firsts.nanos(i) / 1e9,
                    firsts.tester(i)));
        }
        return List.copyOf(causes);
    }
}
