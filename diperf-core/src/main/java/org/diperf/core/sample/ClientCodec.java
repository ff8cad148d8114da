package org.diperf.core.sample;

import java.util.Arrays;

/**
 * Numbers that rise with the calls of each client, kept as the difference to the same client's row before in the block. The first
 * row of a client has the number itself, so that a block that is lost makes no later number wrong. Confined to one thread.
 */
final class ClientCodec {

    private static final int FIRST_CAPACITY = 256;

    /** The last number of each client: a hash table with open addressing, emptied by a new stamp. */
    private long[] client = new long[FIRST_CAPACITY];

    private long[] last = new long[FIRST_CAPACITY];
    private int[] stampOf = new int[FIRST_CAPACITY];
    private int stamp;

    /** Turns differences into numbers, in place. */
    void toNumbers(long[] values, long[] clients, int rows) {
        room(rows);
        for (int row = 0; row < rows; row++) {
            int place = place(clients[row]);
            last[place] += values[row];
            values[row] = last[place];
        }
    }

    private void room(int rows) {
        if (client.length < rows * 2) {
            int capacity = Integer.highestOneBit(rows * 2 - 1) * 2;
            client = new long[capacity];
            last = new long[capacity];
            stampOf = new int[capacity];
            stamp = 0;
        }
        if (++stamp == 0) {
            Arrays.fill(stampOf, 0);
            stamp = 1;
        }
    }

    /** Finds a client's place in the table; before its first row the last number is 0. */
    private int place(long wanted) {
        int mask = client.length - 1;
        int at = (int) (wanted * 0x9E3779B97F4A7C15L >>> 32) & mask;
        while (stampOf[at] == stamp && client[at] != wanted) {
            at = at + 1 & mask;
        }
        if (stampOf[at] != stamp) {
            stampOf[at] = stamp;
            client[at] = wanted;
            last[at] = 0;
        }
        return at;
    }
}
