package org.diperf.analyzer.count;

import java.util.Arrays;

/** When and at which tester calls first ended in some way. Confined to one thread. */
final class FirstOutcomes {
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

    public void addAll(FirstOutcomes other) {
        for (int i = 0; i < other.at.length; i++) {
            note(i, other.at[i], other.tester[i]);
        }
    }

    /** Returns when calls first ended so, ns after the start of the run. */
    long nanos(int outcome) {
        return at[outcome];
    }

    /** Returns the tester at which they did. */
    int tester(int outcome) {
        return tester[outcome];
    }
}
