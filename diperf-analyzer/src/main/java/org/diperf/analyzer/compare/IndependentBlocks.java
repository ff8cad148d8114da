package org.diperf.analyzer.compare;

import java.util.HashMap;
import java.util.Map;
import org.diperf.analyzer.stats.BatchMeans;

/**
 * A run's batches, merged until neighbouring blocks are no longer correlated: neither in mean response time nor in
 * throughput, as far as so many blocks can tell (lag-1 autocorrelation below 0.1, or not above it by more than chance, one in
 * twenty). At least eight blocks stay.
 */
final class IndependentBlocks {

    /** Fewest blocks from which anything is said. */
    static final int FEWEST = 8;

    private static final double ONE_IN_TWENTY = 1.645;
    private static final int CALLS_PER_BLOCK = 20;

    private final MeasuredRun run;
    private final CallBatches batches;
    private final Blocks blocks;
    private final double[] values;
    private final boolean correlated;
    private final Map<Integer, Blocks> merged = new HashMap<>();

    private IndependentBlocks(MeasuredRun run, CallBatches batches, Blocks blocks, boolean correlated) {
        this.run = run;
        this.batches = batches;
        this.blocks = blocks;
        this.correlated = correlated;
        this.values = run.values(blocks.values());
    }

    static IndependentBlocks of(MeasuredRun run) {
        CallBatches batches = run.batches();
        if (batches == null) {
            throw new IllegalArgumentException("expected a run with measurements, got " + run.name());
        }
        int largest = Math.max(1, batches.size() / FEWEST);
        for (int factor = 1; ; factor *= 2) {
            Blocks blocks = new Blocks(batches, factor);
            boolean full = run.okCalls() >= (long) CALLS_PER_BLOCK * blocks.size();
            boolean correlated = isCorrelated(blocks);
            if (full && !correlated || 2 * factor > largest) {
                return new IndependentBlocks(run, batches, blocks, correlated);
            }
        }
    }

    private static boolean isCorrelated(Blocks blocks) {
        double[] mean = new double[blocks.size()];
        double[] rate = new double[blocks.size()];
        for (int i = 0; i < blocks.size(); i++) {
            double[] values = blocks.values(i);
            mean[i] = values[Metric.RESPONSE_MEAN.ordinal()];
            rate[i] = values[Metric.THROUGHPUT.ordinal()];
        }
        double largest = Math.max(BatchMeans.CORRELATED, ONE_IN_TWENTY / Math.sqrt(blocks.size()));
        return !(BatchMeans.autocorrelation(mean) <= largest) || !(BatchMeans.autocorrelation(rate) <= largest);
    }

    Blocks blocks() {
        return blocks;
    }

    /** Returns every metric over the whole run, by {@link Metric#ordinal}. */
    double[] values() {
        return values;
    }

    /** Returns whether even the longest blocks were correlated. */
    boolean isCorrelated() {
        return correlated;
    }

    /** Returns by how much batches must be merged so that a block tells a metric; 0: no eight blocks would. */
    int factorFor(Metric metric) {
        for (int factor = blocks.factor(); batches.size() / factor >= FEWEST; factor *= 2) {
            if (run.okCalls() / (batches.size() / factor) >= metric.fewestCalls()) {
                return factor;
            }
        }
        return 0;
    }

    /** Returns the blocks of so many batches. */
    Blocks merged(int factor) {
        return factor == blocks.factor() ? blocks : merged.computeIfAbsent(factor, by -> new Blocks(batches, by));
    }

    long[] clients() {
        return batches.clients();
    }
}
