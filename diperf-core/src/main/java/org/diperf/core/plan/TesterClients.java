package org.diperf.core.plan;

/**
 * The clients whose calls a tester may report: from the first on, each a stride behind the one before. A tester that has none in
 * its plan may report nothing: the place where its first client would be may be that of another group's.
 *
 * @param first number in the whole run, at least 0
 * @param stride from one to the next, at least 1
 * @param count at least 0
 */
public record TesterClients(int first, int stride, int count) {

    public TesterClients {
        if (first < 0 || stride < 1 || count < 0 || (count - 1L) * stride > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "Clients of a tester: expected first >= 0, stride >= 1, count >= 0 and client numbers of at most "
                            + "31 bits, got first="
                            + first + ", stride=" + stride + ", count=" + count);
        }
    }

    /**
     * Finds the first of some clients that is not among these.
     *
     * @param clients as a peer named them: any numbers
     * @param rows how many of them are to be looked at
     * @return its row; -1: all are
     */
    public int firstForeign(long[] clients, int rows) {
        long last = (count - 1L) * stride;
        for (int row = 0; row < rows; row++) {
            // A difference that overflows is beyond the last one too.
            long behind = clients[row] - first;
            if (behind < 0 || behind > last || stride > 1 && (int) behind % stride != 0) {
                return row;
            }
        }
        return -1;
    }
}
