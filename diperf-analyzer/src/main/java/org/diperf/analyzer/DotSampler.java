package org.diperf.analyzer;

import java.util.Arrays;

/**
 * A reservoir of calls for each quantum (Vitter's algorithm R, seeded), which beside it keeps the slowest call. Confined to
 * one thread.
 */
final class DotSampler {

    static final int MAX_DOTS = 20_000;
    private static final int MOST = 64;
    private static final int LEAST = 3;

    private final int capacity;
    private long random;
    private Reservoir[] reservoirs = new Reservoir[0];

    private static final class Reservoir {
        private final long[] at;
        private final long[] response;
        private long seen;
        private long slowestAt;
        private long slowest = -1;

        Reservoir(int capacity) {
            at = new long[capacity];
            response = new long[capacity];
        }

        int kept() {
            return (int) Math.min(seen, at.length);
        }
    }

    /** @param quanta that are expected */
    DotSampler(long seed, long quanta) {
        this.capacity = (int) Math.max(LEAST, Math.min(MOST, MAX_DOTS / Math.max(1, quanta) - 1));
        this.random = seed;
    }

    void add(int quantum, long atNanos, long responseNanos) {
        if (quantum >= reservoirs.length) {
            reservoirs = Arrays.copyOf(reservoirs, Math.max(quantum + 1, 2 * reservoirs.length));
        }
        Reservoir into = reservoirs[quantum];
        if (into == null) {
            into = new Reservoir(capacity);
            reservoirs[quantum] = into;
        }
        if (responseNanos > into.slowest) {
            into.slowest = responseNanos;
            into.slowestAt = atNanos;
        }
        long place = into.seen < capacity ? into.seen : below(into.seen + 1);
        into.seen++;
        if (place < capacity) {
            into.at[(int) place] = atNanos;
            into.response[(int) place] = responseNanos;
        }
    }

    /** Draws a number from 0 to the limit; a multiplication instead of a division, unbiased enough below 2^31. */
    private long below(long limit) {
        random += 0x9E3779B97F4A7C15L;
        long z = (random ^ (random >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        z ^= z >>> 31;
        return limit < 1L << 31 ? ((z >>> 32) * limit) >>> 32 : (z >>> 1) % limit;
    }

    /** Makes quanta twice as wide; each of the two parts gives dots in proportion to the calls it saw. */
    void fold() {
        Reservoir[] folded = new Reservoir[(reservoirs.length + 1) / 2];
        for (int i = 0; i < reservoirs.length; i++) {
            Reservoir part = reservoirs[i];
            if (part == null) {
                continue;
            }
            Reservoir into = folded[i / 2];
            folded[i / 2] = into == null ? part : merge(into, part);
        }
        reservoirs = folded;
    }

    private Reservoir merge(Reservoir one, Reservoir other) {
        Reservoir merged = new Reservoir(capacity);
        merged.seen = one.seen + other.seen;
        Reservoir slower = one.slowest >= other.slowest ? one : other;
        merged.slowest = slower.slowest;
        merged.slowestAt = slower.slowestAt;
        int fromOne = 0;
        int fromOther = 0;
        for (int i = 0; i < merged.kept(); i++) {
            boolean takeOne = below(merged.seen) < one.seen;
            if (takeOne ? fromOne == one.kept() : fromOther < other.kept()) {
                merged.at[i] = other.at[fromOther];
                merged.response[i] = other.response[fromOther++];
            } else {
                merged.at[i] = one.at[fromOne];
                merged.response[i] = one.response[fromOne++];
            }
        }
        return merged;
    }

    Dots dots() {
        int used = 0;
        for (Reservoir reservoir : reservoirs) {
            used += reservoir == null ? 0 : 1;
        }
        int each = used == 0 ? 0 : Math.min(capacity, MAX_DOTS / used - 1);
        long[][] found = new long[used * (each + 1)][];
        int n = 0;
        for (Reservoir reservoir : reservoirs) {
            if (reservoir == null) {
                continue;
            }
            found[n++] = new long[] {reservoir.slowestAt, reservoir.slowest};
            for (int i = 0; i < Math.min(each, reservoir.kept()); i++) {
                if (reservoir.at[i] != reservoir.slowestAt || reservoir.response[i] != reservoir.slowest) {
                    found[n++] = new long[] {reservoir.at[i], reservoir.response[i]};
                }
            }
        }
        Arrays.sort(found, 0, n, (one, other) -> Long.compare(one[0], other[0]));
        double[] seconds = new double[n];
        double[] millis = new double[n];
        for (int i = 0; i < n; i++) {
            seconds[i] = found[i][0] / 1e9;
            millis[i] = found[i][1] / 1e6;
        }
        return new Dots(seconds, millis);
    }
}
