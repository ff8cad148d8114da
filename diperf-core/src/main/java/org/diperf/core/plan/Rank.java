package org.diperf.core.plan;

/**
 * Which of the run's testers one is, over all groups, and on which of the run's machines. It decides which rows of data
 * files are the tester's, and which target is its machine's.
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
            throw new IllegalArgumentException("A rank wants a tester from 0 to " + (testers - 1)
                    + " and a host from 0; found tester " + tester + ", host " + host);
        }
    }
}
