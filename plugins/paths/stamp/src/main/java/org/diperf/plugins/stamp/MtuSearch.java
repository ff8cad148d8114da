package org.diperf.plugins.stamp;

/**
 * Looks for the largest datagram that gets through, by halving. One that is not answered is sent again before it counts as too
 * large.
 */
final class MtuSearch {

    /** Without the headers of UDP and IP: a jumbo frame's, and what every IP path carries. */
    private static final int MAX_BYTES = 9_216;

    private static final int MIN_BYTES = 548;
    private static final int TRIES = 3;

    private int known;
    private int refused = MAX_BYTES + 1;
    private int asking;
    private int tries;

    /** @param passed bytes of a datagram that got through */
    MtuSearch(int passed) {
        known = passed;
        asking = passed < MIN_BYTES ? MIN_BYTES : next();
    }

    /** Returns the size to try now, in bytes of a datagram; 0 when the search is over. */
    int asking() {
        return asking;
    }

    /** The datagram that was tried got through. */
    void passed() {
        known = asking;
        go();
    }

    /** It could not be sent, which is certain. */
    void tooLarge() {
        refused = asking;
        go();
    }

    /** There was no answer. */
    void silent() {
        if (++tries == TRIES) {
            tooLarge();
        }
    }

    private void go() {
        tries = 0;
        asking = refused - known <= 1 ? 0 : next();
    }

    private int next() {
        return known + Math.max(1, (refused - known) / 2);
    }

    /** Returns the size of the largest datagram that got through. */
    int found() {
        return known;
    }
}
