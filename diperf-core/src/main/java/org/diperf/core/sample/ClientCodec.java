package org.diperf.core.sample;

import java.util.Arrays;

/**
 * Numbers that rise with the calls of each client, kept as the difference to the same client's row before in the block. The first
 * row of a client has the number itself, or, of a column whose codec says {@link #NEAR}, the difference to the number in the first
 * row of the client that came first before it: numbers of clients of one load are near each other. Either way a block that is lost
 * makes no later number wrong. Confined to one thread.
 */
final class ClientCodec {

    /** Added to a column's codec: first rows are differences too. */
    static final int NEAR = 0x10;

    private static final int FIRST_CAPACITY = 256;

    /** The last number of each client: a hash table with open addressing, emptied by a new stamp. */
    private long[] client = new long[FIRST_CAPACITY];

    private long[] last = new long[FIRST_CAPACITY];
    private int[] stampOf = new int[FIRST_CAPACITY];
    private int stamp;
    private boolean near;
    /** First number in the block of the client whose first row came last. */
    private long lastFirst;

    /**
     * Turns differences into numbers, in place.
     *
     * @param near whether first rows are differences too
     */
    void toNumbers(long[] values, long[] clients, int rows, boolean near) {
        room(rows, near);
        for (int row = 0; row < rows; row++) {
            values[row] = next(clients[row], before(clients[row]) + values[row]);
        }
    }

    /** Writes the differences of numbers into another array; those of first rows too. */
    void toDifferences(long[] numbers, long[] clients, int rows, long[] differences) {
        room(rows, true);
        for (int row = 0; row < rows; row++) {
            differences[row] = numbers[row] - before(clients[row]);
            var unused = next(clients[row], numbers[row]);
        }
    }

    /** Returns what the next number of a client differs from. */
    private long before(long of) {
        int place = place(of);
        return stampOf[place] == stamp ? last[place] : near ? lastFirst : 0;
    }

    /** Notes the next number of a client, and returns it. */
    private long next(long of, long number) {
        int place = place(of);
        if (stampOf[place] != stamp) {
            stampOf[place] = stamp;
            client[place] = of;
            lastFirst = number;
        }
        last[place] = number;
        return number;
    }

    private void room(int rows, boolean near) {
        this.near = near;
        if (client.length < rows * 2) {
            int capacity = Integer.highestOneBit(rows * 2 - 1) * 2;
            client = new long[capacity];
            last = new long[capacity];
            stampOf = new int[capacity];
            stamp = 0;
        }
        lastFirst = 0;
        if (++stamp == 0) {
            Arrays.fill(stampOf, 0);
            stamp = 1;
        }
    }

    /** Finds a client's place in the table, or where it would be. */
    private int place(long wanted) {
        int mask = client.length - 1;
        int at = (int) (wanted * 0x9E3779B97F4A7C15L >>> 32) & mask;
        while (stampOf[at] == stamp && client[at] != wanted) {
            at = at + 1 & mask;
        }
        return at;
    }
}
