package org.diperf.analyzer.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;

/**
 * Compares two sides of too few runs to see what varies between them; a block of time batches is the unit. Intervals are by
 * drawing blocks within each run with replacement (K&uuml;nsch, <i>The Jackknife and the Bootstrap for General Stationary
 * Observations</i>, 1989, with blocks that do not overlap), p is Mann and Whitney's over the blocks' own values.
 */
final class WithinRunComparison {

    private final List<IndependentBlocks> a;
    private final List<IndependentBlocks> b;
    private final Settings settings;

    private WithinRunComparison(List<IndependentBlocks> a, List<IndependentBlocks> b, Settings settings) {
        this.a = a;
        this.b = b;
        this.settings = settings;
    }

    static List<Effects> compare(List<IndependentBlocks> a, List<IndependentBlocks> b, Settings settings) {
        return new WithinRunComparison(a, b, settings).effects();
    }

    private List<Effects> effects() {
        SplittableRandom random = new SplittableRandom(settings.seed());
        double[][] draws = new double[Metric.all().size()][settings.resamples()];
        for (int draw = 0; draw < settings.resamples(); draw++) {
            double[] drawnA = drawn(a, random);
            double[] drawnB = drawn(b, random);
            for (int m = 0; m < draws.length; m++) {
                draws[m][draw] = drawnB[m] - drawnA[m];
            }
        }
        List<Effects> effects = new ArrayList<>();
        for (Metric metric : Metric.all()) {
            effects.add(
                    metric == Metric.FAIRNESS
                            ? fairness(draws[metric.ordinal()])
                            : of(metric, draws[metric.ordinal()]));
        }
        return effects;
    }

    private Effects of(Metric metric, double[] draws) {
        int factor = factor(metric);
        double[] unitsA = factor == 0 ? new double[0] : units(metric, a, factor);
        double[] unitsB = factor == 0 ? new double[0] : units(metric, b, factor);
        boolean enough = Math.min(unitsA.length, unitsB.length) >= IndependentBlocks.FEWEST;
        double p = enough ? RankStatistics.mannWhitney(unitsA, unitsB) : Double.NaN;
        return made(metric, draws, p, unitsA, unitsB, "batches");
    }

    /** Clients are the units of fairness: by how much each is off its share. */
    private Effects fairness(double[] draws) {
        double[] unitsA = deviations(a);
        double[] unitsB = deviations(b);
        boolean enough = Math.min(unitsA.length, unitsB.length) >= IndependentBlocks.FEWEST;
        double p = enough ? RankStatistics.mannWhitney(unitsA, unitsB) : Double.NaN;
        return made(Metric.FAIRNESS, draws, p, unitsA, unitsB, "clients");
    }

    private Effects made(Metric metric, double[] draws, double p, double[] unitsA, double[] unitsB, String units) {
        double effect = mean(metric, b) - mean(metric, a);
        if (!Double.isFinite(effect)) {
            return new Effects(metric, Double.NaN, Double.NaN, Optional.empty(), Double.NaN, unitsA, unitsB, units);
        }
        // Buckets put the draws a little off what the summary has exactly; only their scatter is wanted.
        double shift = effect - (drawnFrom(metric, b) - drawnFrom(metric, a));
        double[] moved = DoubleStream.of(draws)
                .map(draw -> draw + shift)
                .filter(Double::isFinite)
                .toArray();
        int blocks = Math.min(blocks(a), blocks(b));
        boolean enough = blocks >= IndependentBlocks.FEWEST && moved.length == draws.length;
        return new Effects(
                metric,
                metric.unscaled(mean(metric, a)),
                metric.unscaled(mean(metric, b)),
                enough ? Optional.of(new Estimate.Resampled(effect, moved, blocks)) : Optional.empty(),
                p,
                unitsA,
                unitsB,
                units);
    }

    private static double[] drawn(List<IndependentBlocks> side, SplittableRandom random) {
        double[] sums = new double[Metric.all().size()];
        for (IndependentBlocks run : side) {
            double[] values = run.blocks().drawn(random);
            for (Metric metric : Metric.all()) {
                sums[metric.ordinal()] += metric.scaled(values[metric.ordinal()]) / side.size();
            }
        }
        return sums;
    }

    private static double mean(Metric metric, List<IndependentBlocks> side) {
        return side.stream()
                .mapToDouble(run -> metric.scaled(run.values()[metric.ordinal()]))
                .average()
                .orElse(Double.NaN);
    }

    private static double drawnFrom(Metric metric, List<IndependentBlocks> side) {
        return side.stream()
                .mapToDouble(run -> metric.scaled(run.blocks().values()[metric.ordinal()]))
                .average()
                .orElse(Double.NaN);
    }

    /** Returns the longest blocks that any run needs, so that all blocks are equally long parts; 0: too few calls. */
    private int factor(Metric metric) {
        int most = 0;
        for (List<IndependentBlocks> side : List.of(a, b)) {
            for (IndependentBlocks run : side) {
                int factor = run.factorFor(metric);
                if (factor == 0) {
                    return 0;
                }
                most = Math.max(most, factor);
            }
        }
        return most;
    }

    private static double[] units(Metric metric, List<IndependentBlocks> side, int factor) {
        return side.stream()
                .map(run -> run.merged(factor))
                .flatMapToDouble(blocks -> DoubleStream.iterate(0, i -> i < blocks.size(), i -> i + 1)
                        .map(i -> blocks.values((int) i)[metric.ordinal()]))
                .filter(value -> !Double.isNaN(value))
                .toArray();
    }

    private static double[] deviations(List<IndependentBlocks> side) {
        return side.stream()
                .flatMapToDouble(run -> DoubleStream.of(JainIndex.deviations(run.clients())))
                .toArray();
    }

    private static int blocks(List<IndependentBlocks> side) {
        return side.stream().mapToInt(run -> run.blocks().size()).sum();
    }
}
