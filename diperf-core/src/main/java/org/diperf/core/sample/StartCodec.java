package org.diperf.core.sample;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Codes intended starts as distances from what the rows before let expect: a plan sends at a steady pace, calls are
 * written in the order of their ends, and in closed load a client's call begins when its last one has ended. Each block
 * takes the expectation that costs least. Confined to one thread.
 */
final class StartCodec {

    /** Added to the codec of the distances: the expected start is the start of the row before. */
    static final int FROM_START = 0x10;
    /** The expected start is such that the row ends with the one before. */
    static final int FROM_END = 0x20;
    /** The expected start is the end of the client's row before; for its first one, of any row before. */
    static final int FROM_CLIENT = 0x30;

    /** In the order in which they are preferred. */
    private static final int[] EXPECTATIONS = {FROM_CLIENT, FROM_END, FROM_START};

    private static final int EXPECTATION = 0xF0;
    private static final int CODEC = 0x0F;
    private static final int FIRST_CAPACITY = 256;

    private final Packing packing = new Packing();
    /** By each of the expectations. */
    private final long[][] distances = new long[EXPECTATIONS.length][0];

    // The last end of each client: a hash table with open addressing, emptied by a new stamp.
    private long[] client = new long[FIRST_CAPACITY];
    private long[] clientEnd = new long[FIRST_CAPACITY];
    private int[] stampOf = new int[FIRST_CAPACITY];
    private int stamp;

    /**
     * Appends the column.
     *
     * @return the codec used
     */
    int write(ByteBuffer to, long[] starts, long[] latencies, long[] clients, int rows, long base) {
        room(rows);
        long[] fromClient = distances[0];
        long[] fromEnd = distances[1];
        long[] fromStart = distances[2];
        long start = base;
        long end = base;
        for (int i = 0; i < rows; i++) {
            long thisEnd = starts[i] + latencies[i];
            int place = place(clients[i], end);
            fromStart[i] = starts[i] - start;
            fromEnd[i] = thisEnd - end;
            fromClient[i] = starts[i] - clientEnd[place];
            clientEnd[place] = thisEnd;
            start = starts[i];
            end = thisEnd;
        }
        // One place where all are packed: the compiler takes what is called into its caller, once for each place.
        int best = 0;
        int least = Integer.MAX_VALUE;
        for (int i = 0; i < EXPECTATIONS.length; i++) {
            int cost = packing.estimate(distances[i], rows);
            if (cost < least) {
                best = i;
                least = cost;
            }
        }
        packing.fit(distances[best], rows);
        packing.write(to);
        return EXPECTATIONS[best] | IntegerCodec.PACKED;
    }

    /** Reads a column of instants that have neither latency nor client. */
    static void read(ByteBuffer from, int codec, long[] into, int rows, long base) throws CorruptBlockException {
        IntegerCodec.read(from, codec & CODEC, into, rows, base);
        switch (codec & EXPECTATION) {
            case 0 -> {
                // the instants themselves
            }
            case FROM_START -> {
                long start = base;
                for (int i = 0; i < rows; i++) {
                    start += into[i];
                    into[i] = start;
                }
            }
            default -> throw new CorruptBlockException("expected a start codec from 0 to 3, got codec " + codec);
        }
    }

    /** Reads a column of intended starts; those of latencies and clients have been read before. */
    void read(ByteBuffer from, int codec, long[] into, long[] latencies, long[] clients, int rows, long base)
            throws CorruptBlockException {
        switch (codec & EXPECTATION) {
            case FROM_END -> {
                IntegerCodec.read(from, codec & CODEC, into, rows, base);
                long end = base;
                for (int i = 0; i < rows; i++) {
                    end += into[i];
                    into[i] = end - latencies[i];
                }
            }
            case FROM_CLIENT -> {
                IntegerCodec.read(from, codec & CODEC, into, rows, base);
                room(rows);
                if (!afterNeighbours(into, latencies, clients, rows, base)) {
                    afterClients(into, latencies, clients, rows, base);
                }
            }
            default -> read(from, codec, into, rows, base);
        }
    }

    private void afterClients(long[] into, long[] latencies, long[] clients, int rows, long base) {
        long end = base;
        for (int i = 0; i < rows; i++) {
            int place = place(clients[i], end);
            into[i] += clientEnd[place];
            end = into[i] + latencies[i];
            clientEnd[place] = end;
        }
    }

    /** Does the same where the clients' numbers are so near each other that they are places in the table; says whether. */
    private boolean afterNeighbours(long[] into, long[] latencies, long[] clients, int rows, long base) {
        long low = Long.MAX_VALUE;
        long high = Long.MIN_VALUE;
        for (int i = 0; i < rows; i++) {
            low = Math.min(low, clients[i]);
            high = Math.max(high, clients[i]);
        }
        if (high - low < 0 || high - low >= clientEnd.length) {
            return false;
        }
        long[] ends = clientEnd;
        int[] stamps = stampOf;
        int now = stamp;
        long end = base;
        for (int i = 0; i < rows; i++) {
            int place = (int) (clients[i] - low);
            into[i] += stamps[place] == now ? ends[place] : end;
            end = into[i] + latencies[i];
            ends[place] = end;
            stamps[place] = now;
        }
        return true;
    }

    private void room(int rows) {
        if (distances[0].length < rows) {
            for (int i = 0; i < distances.length; i++) {
                distances[i] = new long[rows];
            }
        }
        if (client.length < rows * 2) {
            int capacity = Integer.highestOneBit(rows * 2 - 1) * 2;
            client = new long[capacity];
            clientEnd = new long[capacity];
            stampOf = new int[capacity];
            stamp = 0;
        }
        if (++stamp == 0) {
            Arrays.fill(stampOf, 0);
            stamp = 1;
        }
    }

    /** Finds the client's place in the table; a new client's last end is the one given. */
    private int place(long wanted, long end) {
        int mask = client.length - 1;
        int at = (int) (wanted * 0x9E3779B97F4A7C15L >>> 32) & mask;
        while (stampOf[at] == stamp && client[at] != wanted) {
            at = at + 1 & mask;
        }
        if (stampOf[at] != stamp) {
            stampOf[at] = stamp;
            client[at] = wanted;
            clientEnd[at] = end;
        }
        return at;
    }
}
