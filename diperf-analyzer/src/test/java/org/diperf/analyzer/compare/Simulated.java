package org.diperf.analyzer.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Runs of a service whose response times are lognormal and follow one another closely (AR(1) of their logarithms), and whose
 * mean differs a little from run to run.
 *
 * @param medianMillis of response times
 * @param sigma of their logarithms
 * @param correlation of each logarithm with the next
 * @param betweenRuns coefficient of variation of the median from run to run
 * @param seconds of each run
 * @param perSecond calls, evenly spaced
 * @param failed share of calls that fail
 */
record Simulated(
        double medianMillis,
        double sigma,
        double correlation,
        double betweenRuns,
        int seconds,
        int perSecond,
        double failed) {

    /** As the acceptance of a comparison has it. */
    static final Simulated DEFAULT = new Simulated(10, 0.5, 0.9, 0.01, 60, 1000, 0);

    Simulated slower(double factor) {
        return new Simulated(medianMillis * factor, sigma, correlation, betweenRuns, seconds, perSecond, failed);
    }

    Simulated perSecond(int calls) {
        return new Simulated(medianMillis, sigma, correlation, betweenRuns, seconds, calls, failed);
    }

    Simulated failing(double share) {
        return new Simulated(medianMillis, sigma, correlation, betweenRuns, seconds, perSecond, share);
    }

    Simulated betweenRuns(double variation) {
        return new Simulated(medianMillis, sigma, correlation, variation, seconds, perSecond, failed);
    }

    Side side(String name, int runs, SplittableRandom random) {
        List<MeasuredRun> all = new ArrayList<>();
        for (int i = 0; i < runs; i++) {
            all.add(MeasuredRun.of(name + "/" + (i + 1), run(random)));
        }
        return Side.of(name, all, false);
    }

    private CallBatches run(SplittableRandom random) {
        long length = seconds * 1_000_000_000L;
        CallBatches batches = new CallBatches(0, length, length, length, MeasuredRun.BATCHES);
        double medianNanos = medianMillis * 1e6 * (1 + betweenRuns * random.nextGaussian());
        double innovation = Math.sqrt(1 - correlation * correlation);
        double state = random.nextGaussian();
        long calls = (long) seconds * perSecond;
        for (long call = 0; call < calls; call++) {
            state = correlation * state + innovation * random.nextGaussian();
            long end = call * length / calls;
            if (failed > 0 && random.nextDouble() < failed) {
                batches.failed(end);
            } else {
                batches.ok(0, end, Math.round(medianNanos * Math.exp(sigma * state)), 0);
            }
        }
        return batches;
    }
}
