package org.diperf.plugins.emulated.topology;

/**
 * Which packets a link loses: bursts of fixed length, at instants that do not depend on one another.
 *
 * @param rate share of packets lost in the long run, from 0, below 1
 * @param burst packets lost in a row each time, at least 1
 */
public record Loss(double rate, int burst) {

    /** Loses nothing. */
    public static final Loss NONE = new Loss(0, 1);

    public Loss {
        if (!(rate >= 0 && rate < 1) || burst < 1) {
            throw new IllegalArgumentException(
                    "Expected a loss rate of at least 0 and below 1 and bursts of 1 or more, got " + rate + " and "
                            + burst);
        }
    }

    /**
     * Returns the probability that the next packet begins a burst when the last one was not lost. Between two bursts b, the
     * number of packets that pass is geometric with mean b (1 - rate) / rate, so that of all packets the share that is lost
     * is the rate.
     */
    public double beginProbability() {
        return rate / (rate + burst * (1 - rate));
    }
}
