package org.diperf.analyzer.compare;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Consecutive time batches of a run, merged into blocks that can be drawn again and again. Immutable but for its scratch
 * space; confined to one thread.
 */
final class Blocks {

    private final CallBatches batches;
    private final int factor;
    private final int[][] response;
    private final long[] ok;
    private final long[] failed;
    private final double[] responseSums;
    private final double[] serviceSums;
    private final int[] merged;
    private final long[] clients;
    private final int[] once;

    /** @param factor so many batches are one block; a rest that fills none joins the last */
    Blocks(CallBatches batches, int factor) {
        this.batches = batches;
        this.factor = factor;
        int size = Math.max(1, batches.size() / factor);
        response = new int[size][batches.buckets()];
        ok = new long[size];
        failed = new long[size];
        responseSums = new double[size];
        serviceSums = new double[size];
        for (int batch = 0; batch < batches.size(); batch++) {
            int block = Math.min(size - 1, batch / factor);
            batches.addResponses(batch, 1, response[block]);
            ok[block] += batches.ok(batch);
            failed[block] += batches.failed(batch);
            responseSums[block] += batches.responseSum(batch);
            serviceSums[block] += batches.serviceSum(batch);
        }
        merged = new int[batches.buckets()];
        clients = batches.clients();
        once = new int[size];
        Arrays.fill(once, 1);
    }

    int size() {
        return ok.length;
    }

    int factor() {
        return factor;
    }

    long calls(int block) {
        return ok[block];
    }

    /** Returns every metric over the whole run, by {@link Metric#ordinal}; {@code NaN} where it cannot be told. */
    double[] values() {
        double[] values = values(once, false);
        values[Metric.FAIRNESS.ordinal()] = JainIndex.index(clients);
        return values;
    }

    /** Returns every metric but fairness of one block alone. */
    double[] values(int block) {
        int[] alone = new int[size()];
        alone[block] = 1;
        return values(alone, true);
    }

    /** Returns every metric over as many blocks as there are, drawn with replacement; of fairness over clients so drawn. */
    double[] drawn(RandomGenerator random) {
        int[] times = new int[size()];
        for (int i = 0; i < times.length; i++) {
            times[random.nextInt(times.length)]++;
        }
        double[] values = values(times, false);
        values[Metric.FAIRNESS.ordinal()] = JainIndex.drawn(clients, random);
        return values;
    }

    private double[] values(int[] times, boolean oneBlock) {
        long calls = 0;
        long bad = 0;
        double responseSum = 0;
        double serviceSum = 0;
        double width = 0;
        Arrays.fill(merged, 0);
        for (int block = 0; block < times.length; block++) {
            if (times[block] == 0) {
                continue;
            }
            calls += times[block] * ok[block];
            bad += times[block] * failed[block];
            responseSum += times[block] * responseSums[block];
            serviceSum += times[block] * serviceSums[block];
            width += times[block] * seconds(block);
            add(response[block], times[block]);
        }
        double[] values = new double[Metric.all().size()];
        Arrays.fill(values, Double.NaN);
        values[Metric.THROUGHPUT.ordinal()] = calls / width;
        values[Metric.FAILED.ordinal()] = calls + bad == 0 ? Double.NaN : bad / (double) (calls + bad);
        if (calls > 0) {
            values[Metric.RESPONSE_MEAN.ordinal()] = responseSum / calls / 1e6;
            values[Metric.SERVICE_MEAN.ordinal()] = serviceSum / calls / 1e6;
            quantiles(calls, oneBlock, values);
        }
        return values;
    }

    private double seconds(int block) {
        int first = block * factor;
        int end = block == size() - 1 ? batches.size() : first + factor;
        return (end - first) * batches.batchSeconds();
    }

    private void add(int[] counts, int times) {
        if (times == 1) {
            for (int i = 0; i < counts.length; i++) {
                merged[i] += counts[i];
            }
        } else {
            for (int i = 0; i < counts.length; i++) {
                merged[i] += times * counts[i];
            }
        }
    }

    /** Fills in the quantiles in one pass, those that so few calls can tell; a block alone need hold only half as many. */
    private void quantiles(long calls, boolean oneBlock, double[] values) {
        long seen = 0;
        int bucket = -1;
        for (Metric metric : Metric.all()) {
            if (metric.quantile() == 0 || calls < metric.fewestCalls() / (oneBlock ? 2 : 1)) {
                continue;
            }
            long rank = (long) Math.ceil(metric.quantile() * calls - 1e-9 * calls);
            while (seen < rank && bucket + 1 < merged.length) {
                seen += merged[++bucket];
            }
            values[metric.ordinal()] = batches.nanosOfBucket(bucket) / 1e6;
        }
    }
}
