package org.diperf.analyzer.run;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.diperf.core.run.RunRecord;
import org.diperf.core.sample.Outcome;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Fault;

/** The words for how calls ended, by number; beyond 1,000 they share a word for each fault. Confined to one thread. */
public final class Outcomes {

    public static final int OK = 0;
    public static final int UNFINISHED = 1;
    public static final int DROPPED = 2;
    public static final int TIMEOUT = 3;

    private static final int MOST = 1_000;
    public static final String OTHER = "other causes";

    /** Whatever can be done about it, it is the same cause. */
    private final Map<Failure, Integer> numbers = new HashMap<>();

    private final List<String> words = new ArrayList<>();
    private final List<Fault> faults = new ArrayList<>();
    private final List<String> remedies = new ArrayList<>();
    private final boolean saysFaults;
    private final Map<List<String>, Endings> endings = new HashMap<>();

    /**
     * The words of one block.
     *
     * @param numbers of its words
     * @param generators whether it is a cause of the load generator's own
     */
    public record Endings(int[] numbers, boolean[] generators) {}

    /** @param run of which the samples are: whether they say whose fault a failure was */
    public Outcomes(RunRecord run) {
        saysFaults = run.saysFaults();
        number(Outcome.OK);
        number(Outcome.UNFINISHED);
        number(Outcome.DROPPED);
        number(Outcome.TIMEOUT);
    }

    private int number(String word) {
        Fault fault = saysFaults ? Outcome.fault(word) : FaultInference.of(word);
        Failure cause = new Failure(fault, Outcome.cause(word));
        Failure counted = numbers.containsKey(cause) || words.size() < MOST ? cause : new Failure(fault, OTHER);
        return numbers.computeIfAbsent(counted, fresh -> {
            words.add(fresh.kind());
            faults.add(fault);
            remedies.add(fresh.equals(cause) ? Outcome.remedy(word) : "");
            return words.size() - 1;
        });
    }

    /** Numbers the words of a block, which have their marks. What comes back does not change, and may go to another thread. */
    public Endings of(List<String> words) {
        Endings known = endings.get(words);
        if (known != null) {
            return known;
        }
        int[] ofWords = words.stream().mapToInt(this::number).toArray();
        boolean[] own = new boolean[ofWords.length];
        for (int i = 0; i < own.length; i++) {
            own[i] = faults.get(ofWords[i]) == Fault.GENERATOR;
        }
        Endings made = new Endings(ofWords, own);
        if (endings.size() < MOST) {
            endings.put(List.copyOf(words), made);
        }
        return made;
    }

    /** Counts the words. */
    public int size() {
        return words.size();
    }

    /** Returns the word of a number. */
    public String word(int outcome) {
        return words.get(outcome);
    }

    /** Returns what can be done about the cause for which a number stands; empty: nothing that is known. */
    public String remedy(int outcome) {
        return remedies.get(outcome);
    }

    /** Says whose fault the cause was for which a number stands. */
    public Fault fault(int outcome) {
        return faults.get(outcome);
    }
}
