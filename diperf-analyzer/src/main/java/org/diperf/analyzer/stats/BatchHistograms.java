package org.diperf.analyzer.stats;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;

/**
 * Histograms of 20 batches side by side, over the same buckets: each power of two is cut into 64 equal parts. Takes memory
 * only for the range that is used. Confined to one thread.
 *
 * <p>The interval of a quantile comes from the share of calls at or below its value, whose deviation is that of batch means;
 * the ends of that share's interval are turned back into times by the quantiles of all calls (Woodruff, <i>Confidence
 * intervals for medians and other position measures</i>, 1952). Against Student's t over batch quantiles, which covered 86 %
 * of the true p99 of a queue with load 0.8, it covers 93 %: {@code docs/statistics.md}.
 */
final class BatchHistograms {

    static final int BATCHES = 20;

    static final int BITS = 6;
    private static final int GROWTH = 64;
    private static final int MIN_BEYOND = 10;

    /** Of the normal distribution, for shares of independent calls. */
    private static final double INDEPENDENT = 1.96;

    private int low;
    private int width;
    private int[] counts = new int[0];

    /** @param value at least 0 */
    void add(int batch, long value, int count) {
        int bucket = LogBuckets.index(value, BITS) - low;
        if (bucket < 0 || bucket >= width) {
            bucket = makeRoom(bucket + low, bucket + low) - low;
        }
        counts[batch * width + bucket] += count;
    }

    /** Adds values of one batch, from one place to before another; one below 0 counts as 0. */
    void addAll(int batch, long[] values, int from, int to) {
        for (int i = from; i < to; i++) {
            long value = Math.max(0, values[i]);
            int bucket = LogBuckets.index(value, BITS) - low;
            if (bucket < 0 || bucket >= width) {
                add(batch, value, 1);
            } else {
                counts[batch * width + bucket]++;
            }
        }
    }

    void addAll(BatchHistograms other) {
        if (other.width == 0) {
            return;
        }
        makeRoom(other.low, other.low + other.width - 1);
        for (int batch = 0; batch < BATCHES; batch++) {
            for (int i = 0; i < other.width; i++) {
                counts[batch * width + other.low - low + i] += other.counts[batch * other.width + i];
            }
        }
    }

    private int makeRoom(int first, int last) {
        int begin = width == 0 ? Math.max(0, first - GROWTH / 2) : first < low ? Math.max(0, first - GROWTH) : low;
        int end = width == 0 ? last + GROWTH / 2 : last >= low + width ? last + GROWTH : low + width;
        int wider = end - begin;
        int[] moved = new int[BATCHES * wider];
        for (int batch = 0; batch < BATCHES && width > 0; batch++) {
            System.arraycopy(counts, batch * width, moved, batch * wider + low - begin, width);
        }
        counts = moved;
        low = begin;
        width = wider;
        return first;
    }

    /** Returns the interval of a quantile in the unit of {@code valueAt}. */
    Interval quantile(double fraction, DoubleUnaryOperator valueAt) {
        double[] all = new double[BATCHES];
        long[] sums = new long[width];
        long calls = 0;
        for (int batch = 0; batch < BATCHES; batch++) {
            for (int i = 0; i < width; i++) {
                int count = counts[batch * width + i];
                all[batch] += count;
                sums[i] += count;
                calls += count;
            }
        }
        double rarer = Math.min(fraction, 1 - fraction);
        long each = (long) Math.ceil(MIN_BEYOND / rarer - 1e-9);
        int most = calls >= each * BATCHES ? BATCHES : BATCHES / 2;
        String fewCalls =
                calls < each * most ? "only " + calls + " calls, but at least " + each * most + " are required" : "";
        int edge = edge(sums, calls, fraction);
        if (edge < 0 || calls < BatchMeans.FEWEST_CALLS) {
            return Interval.none(fewCalls.isEmpty() ? "nearly all times are the same" : fewCalls);
        }
        double[] below = below(edge);
        double share = Arrays.stream(below).sum() / calls;
        double[] residuals = new double[BATCHES];
        for (int i = 0; i < BATCHES; i++) {
            residuals[i] = below[i] - share * all[i];
        }
        // The share at an edge of a bucket stands for the one at the quantile itself.
        double scale = Math.sqrt(fraction * (1 - fraction) / (share * (1 - share)));
        for (int batches = most; batches >= BATCHES / 2 && fewCalls.isEmpty(); batches /= 2) {
            double[] joined = BatchMeans.joined(residuals, batches);
            if (!BatchMeans.isCorrelated(joined)) {
                double half = scale * BatchMeans.studentT(batches - 1) * BatchMeans.deviation(joined) / calls;
                return half >= rarer
                        ? coarse(
                                fraction,
                                half,
                                calls,
                                "too few bursts of such calls to estimate how many there are",
                                valueAt)
                        : Interval.of(
                                valueAt.applyAsDouble(fraction - half),
                                valueAt.applyAsDouble(fraction + half),
                                batches);
            }
        }
        double independent = INDEPENDENT * Math.sqrt(fraction * (1 - fraction) / calls);
        double half = Math.max(independent, scale * BatchMeans.coarseHalf(residuals) / calls);
        return coarse(fraction, half, calls, fewCalls.isEmpty() ? BatchMeans.STILL_CORRELATED : fewCalls, valueAt);
    }

    /** Returns the least that the number of values leaves open of a statistic of them: as much as if they were independent. */
    static Interval independent(ValueSet values, Statistic statistic) {
        long count = values.count();
        double each = INDEPENDENT / Math.sqrt(count);
        String reason = "not kept over time";
        if (count < BatchMeans.FEWEST_CALLS) {
            return Interval.none("only " + count + " values");
        }
        if (statistic.isQuantile()) {
            double fraction = statistic.fraction();
            return coarse(fraction, each * Math.sqrt(fraction * (1 - fraction)), count, reason, values::quantile);
        }
        return statistic.equals(Statistic.MEAN)
                ? Interval.coarse(
                        values.mean() - each * values.stddev(), values.mean() + each * values.stddev(), reason)
                : Interval.none(reason);
    }

    /**
     * Returns bounds that, where those of the share reach beyond 0 or 1, reach beyond the extremes of what was seen: as far as these are
     * from the quantile, or, of one beyond which few calls lie, from the median. That is what an exponential tail reaches in as many calls
     * again, squared.
     */
    private static Interval coarse(
            double fraction, double half, long calls, String reason, DoubleUnaryOperator valueAt) {
        double value = valueAt.applyAsDouble(fraction);
        double low = valueAt.applyAsDouble(Math.max(0, fraction - half));
        double high = valueAt.applyAsDouble(Math.min(1, fraction + half));
        boolean isRare = calls * (1 - fraction) < MIN_BEYOND;
        double from = isRare ? Math.min(value, valueAt.applyAsDouble(0.5)) : value;
        return Interval.coarse(
                half < fraction ? low : Math.max(0, 2 * low - value),
                half < 1 - fraction ? high : 2 * high - from,
                reason);
    }

    /** Counts the calls of each batch in the buckets before an edge. */
    private double[] below(int edge) {
        double[] below = new double[BATCHES];
        for (int batch = 0; batch < BATCHES; batch++) {
            for (int i = 0; i < edge; i++) {
                below[batch] += counts[batch * width + i];
            }
        }
        return below;
    }

    /** Finds the edge between buckets where the share of calls is nearest to a fraction, and neither 0 nor 1; -1: none. */
    private static int edge(long[] sums, long calls, double fraction) {
        int best = -1;
        double least = Double.MAX_VALUE;
        long seen = 0;
        for (int i = 0; i < sums.length; i++) {
            seen += sums[i];
            double odds = Math.log((double) seen / (calls - seen)) - Math.log(fraction / (1 - fraction));
            if (seen > 0 && seen < calls && Math.abs(odds) < least) {
                least = Math.abs(odds);
                best = i + 1;
            }
        }
        return best;
    }
}
