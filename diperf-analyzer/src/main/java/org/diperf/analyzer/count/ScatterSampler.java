package org.diperf.analyzer.count;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.diperf.analyzer.result.ScatterSample;

/**
 * A random sample of the calls of each quantum, which also keeps the slowest call. Each call draws a number from the seed
 * and from what it is, and the lowest numbers stay (bottom-k sampling): the same calls, in whichever order they come and
 * however they were shared between threads. Confined to one thread.
 */
public final class ScatterSampler {

    public static final int MAX_DOTS = 20_000;
    private static final int MOST = 64;
    private static final int LEAST = 3;

    private final int capacity;
    private final long seed;
    private Reservoir[] reservoirs = new Reservoir[0];
    /** Of the rows of a block. */
    private long[] drawn = new long[0];

    private static final class Reservoir {
        private final long[] draws;
        private final long[] at;
        private final long[] response;
        private int kept;
        /** The greatest draw that stays, once the reservoir is full, and its place. */
        private long limit = Long.MAX_VALUE;

        private int limitAt;
        private long slowestAt;
        private long slowest = -1;

        Reservoir(int capacity) {
            draws = new long[capacity];
            at = new long[capacity];
            response = new long[capacity];
        }

        void slow(long atNanos, long responseNanos) {
            if (responseNanos > slowest || responseNanos == slowest && atNanos < slowestAt) {
                slowest = responseNanos;
                slowestAt = atNanos;
            }
        }

        /** Keeps a call whose draw is below the limit. */
        void keep(long draw, long atNanos, long responseNanos) {
            int place = kept < draws.length ? kept++ : limitAt;
            draws[place] = draw;
            at[place] = atNanos;
            response[place] = responseNanos;
            if (kept == draws.length) {
                limitAt = 0;
                for (int i = 1; i < kept; i++) {
                    limitAt = draws[i] > draws[limitAt] ? i : limitAt;
                }
                limit = draws[limitAt];
            }
        }

        void addAll(Reservoir other) {
            slow(other.slowestAt, other.slowest);
            for (int i = 0; i < other.kept; i++) {
                if (other.draws[i] < limit) {
                    keep(other.draws[i], other.at[i], other.response[i]);
                }
            }
        }
    }

    /** @param quanta that are expected */
    ScatterSampler(long seed, long quanta) {
        this.capacity = (int) Math.max(LEAST, Math.min(MOST, MAX_DOTS / Math.max(1, quanta) - 1));
        this.seed = seed;
    }

    void add(int quantum, long atNanos, long responseNanos) {
        Reservoir into = reservoir(quantum);
        if (responseNanos >= into.slowest) {
            into.slow(atNanos, responseNanos);
        }
        long draw = draw(atNanos, responseNanos);
        if (draw < into.limit) {
            into.keep(draw, atNanos, responseNanos);
        }
    }

    /** Adds calls of one quantum, from one row to before another, of which the sums are known. */
    void addAll(int quantum, OkCallColumns rows, int from, int to) {
        Reservoir into = reservoir(quantum);
        long[] end = rows.end;
        long[] latency = rows.latency;
        if (rows.latencies.greatest >= into.slowest) {
            for (int row = from; row < to; row++) {
                into.slow(end[row], latency[row]);
            }
        }
        if (drawn.length < to) {
            drawn = new long[end.length];
        }
        long[] draws = drawn;
        // A loop by itself, which the compiler turns into instructions for eight draws at once.
        for (int row = from; row < to; row++) {
            draws[row] = draw(end[row], latency[row]);
        }
        long limit = into.limit;
        for (int row = from; row < to; row++) {
            if (draws[row] < limit) {
                into.keep(draws[row], end[row], latency[row]);
                limit = into.limit;
            }
        }
    }

    private Reservoir reservoir(int quantum) {
        if (quantum >= reservoirs.length) {
            reservoirs = Arrays.copyOf(reservoirs, Math.max(quantum + 1, 2 * reservoirs.length));
        }
        Reservoir found = reservoirs[quantum];
        if (found == null) {
            found = new Reservoir(capacity);
            reservoirs[quantum] = found;
        }
        return found;
    }

    /** Mixes as SplitMix64 does (Steele, Lea, Flood, 2014). */
    private long draw(long atNanos, long responseNanos) {
        long z = (atNanos ^ seed) * 0x9E3779B97F4A7C15L + responseNanos;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** Makes quanta twice as wide. */
    void fold() {
        Reservoir[] narrow = reservoirs;
        reservoirs = new Reservoir[(narrow.length + 1) / 2];
        for (int i = 0; i < narrow.length; i++) {
            addAll(i / 2, narrow[i]);
        }
    }

    /** Adds what one of quanta of the same width kept. */
    void addAll(ScatterSampler other) {
        for (int i = 0; i < other.reservoirs.length; i++) {
            addAll(i, other.reservoirs[i]);
        }
    }

    private void addAll(int quantum, Reservoir part) {
        if (part != null) {
            reservoir(quantum).addAll(part);
        }
    }

    ScatterSample dots() {
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
            for (int i : lowest(reservoir, each)) {
                if (reservoir.at[i] != reservoir.slowestAt || reservoir.response[i] != reservoir.slowest) {
                    found[n++] = new long[] {reservoir.at[i], reservoir.response[i]};
                }
            }
        }
        Arrays.sort(found, 0, n, ScatterSampler::compare);
        double[] seconds = new double[n];
        double[] millis = new double[n];
        for (int i = 0; i < n; i++) {
            seconds[i] = found[i][0] / 1e9;
            millis[i] = found[i][1] / 1e6;
        }
        return new ScatterSample(seconds, millis);
    }

    private static int compare(long[] one, long[] other) {
        return one[0] == other[0] ? Long.compare(one[1], other[1]) : Long.compare(one[0], other[0]);
    }

    /** Returns the places of the lowest draws. */
    private static int[] lowest(Reservoir of, int most) {
        return IntStream.range(0, of.kept)
                .boxed()
                .sorted((one, other) -> Long.compare(of.draws[one], of.draws[other]))
                .limit(most)
                .mapToInt(Integer::intValue)
                .toArray();
    }
}
