package org.diperf.analyzer;

import java.util.Arrays;
import org.diperf.analyzer.Durations.Kind;

/** What is counted of the calls that ended in one part of the run. Confined to one thread. */
final class Scope {

    final long from;
    final long to;
    final Durations response = new Durations(Kind.TOTAL);
    final Durations responseFailed = new Durations(Kind.TOTAL);
    final Durations service = new Durations(Kind.TOTAL);
    final Durations lag = new Durations(Kind.TOTAL);
    private long[] outcomes = new long[8];
    private long bytes;

    /**
     * @param from ns after the start of the run
     * @param to the first instant behind it
     */
    Scope(long from, long to) {
        this.from = from;
        this.to = to;
    }

    boolean holds(long end) {
        return end >= from && end < to;
    }

    void count(int outcome) {
        if (outcome >= outcomes.length) {
            outcomes = Arrays.copyOf(outcomes, 2 * outcome);
        }
        outcomes[outcome]++;
    }

    void moved(long more) {
        bytes += more;
    }

    long outcome(int outcome) {
        return outcome < outcomes.length ? outcomes[outcome] : 0;
    }

    long bytes() {
        return bytes;
    }
}
