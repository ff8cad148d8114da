package org.diperf.analyzer.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.diperf.analyzer.count.Scope;
import org.diperf.analyzer.result.Analysis.FailureCause;
import org.diperf.analyzer.result.GeneratorFailures;
import org.diperf.analyzer.result.Summary.CallCounts;
import org.diperf.core.sample.Outcome;

/** The words for how calls ended, by number; beyond 1,000 they share one word. Confined to one thread. */
public final class Outcomes {

    public static final int OK = 0;
    public static final int UNFINISHED = 1;
    public static final int DROPPED = 2;
    public static final int TIMEOUT = 3;

    private static final int MOST = 1_000;
    private static final int MOST_LISTED = 100;
    private static final String OTHER = "other causes";

    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<String> words = new ArrayList<>();
    private final List<Boolean> generators = new ArrayList<>();
    private final Map<List<String>, Endings> endings = new HashMap<>();

    /**
     * The words of one block.
     *
     * @param numbers of its words
     * @param generators whether it is a cause of the load generator's own
     */
    public record Endings(int[] numbers, boolean[] generators) {}

    /** When and at which tester calls first ended in some way. Confined to one thread. */
    public static final class Firsts {
        private long[] at = new long[0];
        private int[] tester = new int[0];

        public void note(int outcome, long atNanos, int atTester) {
            if (outcome >= at.length) {
                int known = at.length;
                at = Arrays.copyOf(at, outcome + 8);
                tester = Arrays.copyOf(tester, at.length);
                Arrays.fill(at, known, at.length, Long.MAX_VALUE);
            }
            if (atNanos < at[outcome] || atNanos == at[outcome] && atTester < tester[outcome]) {
                at[outcome] = atNanos;
                tester[outcome] = atTester;
            }
        }

        public void addAll(Firsts other) {
            for (int i = 0; i < other.at.length; i++) {
                note(i, other.at[i], other.tester[i]);
            }
        }
    }

    public Outcomes() {
        number(Outcome.OK);
        number(Outcome.UNFINISHED);
        number(Outcome.DROPPED);
        number(Outcome.TIMEOUT);
    }

    private int number(String word) {
        Integer known = numbers.get(word);
        if (known != null) {
            return known;
        }
        if (words.size() >= MOST && !word.equals(OTHER)) {
            return number(OTHER);
        }
        words.add(word);
        generators.add(GeneratorFailures.isOne(word));
        numbers.put(word, words.size() - 1);
        return words.size() - 1;
    }

    /** Numbers the words of a block. What comes back does not change, and may go to another thread. */
    public Endings of(List<String> words) {
        Endings known = endings.get(words);
        if (known != null) {
            return known;
        }
        int[] ofWords = words.stream().mapToInt(this::number).toArray();
        boolean[] own = new boolean[ofWords.length];
        for (int i = 0; i < own.length; i++) {
            own[i] = generators.get(ofWords[i]);
        }
        Endings made = new Endings(ofWords, own);
        if (endings.size() < MOST) {
            endings.put(List.copyOf(words), made);
        }
        return made;
    }

    /** Counts the calls of a part of the run that failed by the load generator's own limits. */
    public long refused(Scope scope) {
        long sum = 0;
        for (int i = TIMEOUT; i < words.size(); i++) {
            sum += generators.get(i) ? scope.outcome(i) : 0;
        }
        return sum;
    }

    private List<Integer> byCount(Scope scope) {
        List<Integer> order = new ArrayList<>();
        for (int i = TIMEOUT; i < words.size(); i++) {
            if (scope.outcome(i) > 0) {
                order.add(i);
            }
        }
        order.sort(Comparator.<Integer>comparingLong(i -> -scope.outcome(i)).thenComparing(words::get));
        return order;
    }

    /**
     * Counts the calls of a part of the run.
     *
     * @param planned of open load, -1 of closed load
     */
    public CallCounts counts(Scope scope, long planned) {
        List<Integer> order = byCount(scope);
        long ok = scope.outcome(OK);
        long failed = order.stream().mapToLong(scope::outcome).sum();
        long unfinished = scope.outcome(UNFINISHED);
        long sent = ok + failed + unfinished;
        Map<String, Long> outcomes = new LinkedHashMap<>();
        if (ok > 0) {
            outcomes.put(Outcome.OK, ok);
        }
        long listed = 0;
        for (int i : order.subList(0, Math.min(MOST_LISTED, order.size()))) {
            outcomes.merge(words.get(i), scope.outcome(i), Long::sum);
            listed += scope.outcome(i);
        }
        if (listed < failed) {
            outcomes.merge(OTHER, failed - listed, Long::sum);
        }
        return new CallCounts(
                planned < 0 ? sent : planned,
                sent,
                ok + failed,
                ok,
                failed,
                scope.outcome(TIMEOUT),
                scope.outcome(DROPPED),
                unfinished,
                outcomes,
                scope.bytes());
    }

    public List<FailureCause> causes(Scope scope, Firsts firsts) {
        List<FailureCause> causes = new ArrayList<>();
        List<Integer> order = byCount(scope);
        for (int i : order.subList(0, Math.min(MOST_LISTED, order.size()))) {
            causes.add(new FailureCause(words.get(i), scope.outcome(i), firsts.at[i] / 1e9, firsts.tester[i]));
        }
        return List.copyOf(causes);
    }
}
