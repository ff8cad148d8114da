package org.diperf.analyzer.count;

import java.util.Arrays;

/**
 * The ok calls of one block in the order of their clients, by counting, so that what is counted of a client is added for many of
 * its calls together. Overwritten by the next block. Confined to one thread.
 */
final class ClientGroups {

    /** Where fewer calls would come together the order does not pay. */
    private static final int MIN_CALLS_EACH = 8;

    /** Response times and their buckets, client by client. */
    long[] times = new long[0];

    char[] places = new char[0];
    private int first;
    private int clients;
    /** Of each client the place behind its calls. */
    private int[] behind = new int[0];

    /** Found when somebody asks. */
    private long[] lastEnd = new long[0];

    private long[] bytes = lastEnd;
    private boolean ended;
    private boolean moved;

    /** Orders calls; says whether it did, which it does not where the numbers of clients are far apart. */
    boolean take(OkCallColumns rows) {
        long[] client = rows.client;
        int count = rows.count;
        long low = Long.MAX_VALUE;
        long high = Long.MIN_VALUE;
        for (int row = 0; row < count; row++) {
            low = Math.min(low, client[row]);
            high = Math.max(high, client[row]);
        }
        if (low < 0 || high >= ClientTally.MOST || (high - low + 1) * MIN_CALLS_EACH > count) {
            return false;
        }
        first = (int) low;
        clients = (int) (high - low + 1);
        makeRoom(count);
        order(rows, count);
        ended = false;
        moved = false;
        return true;
    }

    private void makeRoom(int count) {
        if (behind.length < clients) {
            behind = new int[clients];
        }
        if (times.length < count) {
            times = new long[count];
            places = new char[count];
        }
        Arrays.fill(behind, 0, clients, 0);
    }

    /** Puts calls where they belong; then the place where the next one of a client would be is the one behind its last. */
    private void order(OkCallColumns rows, int count) {
        long[] client = rows.client;
        int[] next = behind;
        for (int row = 0; row < count; row++) {
            next[(int) client[row] - first]++;
        }
        int begin = 0;
        for (int of = 0; of < clients; of++) {
            int calls = next[of];
            next[of] = begin;
            begin += calls;
        }
        long[] time = rows.latency;
        char[] place = rows.latencyPlaces;
        long[] intoTimes = times;
        char[] intoPlaces = places;
        for (int row = 0; row < count; row++) {
            int at = next[(int) client[row] - first]++;
            intoTimes[at] = time[row];
            intoPlaces[at] = place[row];
        }
    }

    /** Returns the number of the first client. */
    int first() {
        return first;
    }

    /** Counts the numbers from the first client to the last. */
    int clients() {
        return clients;
    }

    /** Returns the place of the first call of a client, from 0, of those there may be. */
    int begin(int of) {
        return of == 0 ? 0 : behind[of - 1];
    }

    /** Returns the place behind its last one. */
    int behind(int of) {
        return behind[of];
    }

    /**
     * Returns the end of the last call of a client.
     *
     * @param rows that were ordered last
     */
    long lastEnd(OkCallColumns rows, int of) {
        if (!ended) {
            lastEnd = lastEnd.length < clients ? new long[clients] : lastEnd;
            Arrays.fill(lastEnd, 0, clients, Long.MIN_VALUE);
            for (int row = 0; row < rows.count; row++) {
                int at = (int) rows.client[row] - first;
                lastEnd[at] = Math.max(lastEnd[at], rows.end[row]);
            }
            ended = true;
        }
        return lastEnd[of];
    }

    /**
     * Returns the bytes that the calls of a client moved.
     *
     * @param rows that were ordered last
     */
    long bytes(OkCallColumns rows, int of) {
        if (rows.sameBytes) {
            return (behind(of) - begin(of)) * rows.bytes[0];
        }
        if (!moved) {
            bytes = bytes.length < clients ? new long[clients] : bytes;
            Arrays.fill(bytes, 0, clients, 0);
            for (int row = 0; row < rows.count; row++) {
                bytes[(int) rows.client[row] - first] += rows.bytes[row];
            }
            moved = true;
        }
        return bytes[of];
    }
}
