package org.diperf.core.plan;

/**
 * A tester's place among all testers of the run, across groups, and its machine. It determines which rows of data files
 * belong to the tester, and which target to its machine.
 *
 * @param tester from 0; a tester that replaces a lost one has its rank
 * @param testers of the run, at least 1
 * @param host number of the tester's machine, from 0
 */
public record Rank(int tester, int testers, int host) {

    /** The rank of the only tester. */
    public static final Rank ONLY = new Rank(0, 1, 0);

    public Rank {
        if (tester < 0 || tester >= testers || host < 0) {
            throw new IllegalArgumentException("Rank: expected a tester from 0 to " + (testers - 1)
                    + " and host >= 0, got tester " + tester + ", host " + host);
        }
    }
}
