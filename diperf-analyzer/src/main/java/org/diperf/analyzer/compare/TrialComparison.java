package org.diperf.analyzer.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.apache.commons.math3.stat.StatUtils;

/**
 * Compares two sides of several runs each; a run is the unit.
 *
 * <p>The error of an effect has two sources, one within the other: runs differ, and each run is known from so many calls only.
 * What is seen between runs holds both. From few runs it may come out too small by chance, but never can it truly be smaller
 * than what is seen within runs, by drawing blocks of batches again and again. So the larger of the two is taken, side by
 * side, and intervals and p are Student's, with the degrees of freedom of Welch (<i>The Generalization of Student's Problem
 * when Several Different Population Variances are Involved</i>, 1947). Percentiles of a bootstrap over so few runs would be
 * too narrow.
 */
final class TrialComparison {

    /** Fewest runs a side. */
    static final int FEWEST = 3;

    private static final int DRAWS = 400;

    private TrialComparison() {}

    static List<Effects> compare(List<IndependentBlocks> a, List<IndependentBlocks> b, Settings settings) {
        SplittableRandom random = new SplittableRandom(settings.seed());
        double[][] withinA = within(a, random);
        double[][] withinB = within(b, random);
        List<Effects> effects = new ArrayList<>();
        for (Metric metric : Metric.all()) {
            effects.add(of(metric, values(metric, a), values(metric, b), withinA, withinB));
        }
        return effects;
    }

    private static Effects of(Metric metric, double[] a, double[] b, double[][] withinA, double[][] withinB) {
        double[] x = scaled(metric, a);
        double[] y = scaled(metric, b);
        double meanA = StatUtils.mean(x);
        double meanB = StatUtils.mean(y);
        double effect = meanB - meanA;
        if (!Double.isFinite(effect)) {
            return new Effects(metric, Double.NaN, Double.NaN, Optional.empty(), Double.NaN, a, b, "runs");
        }
        int m = metric.ordinal();
        double errorA = Math.max(StatUtils.variance(x), StatUtils.mean(withinA[m])) / x.length;
        double errorB = Math.max(StatUtils.variance(y), StatUtils.mean(withinB[m])) / y.length;
        double error = errorA + errorB;
        double freedom = error == 0
                ? x.length + y.length - 2.0
                : error * error / (errorA * errorA / (x.length - 1) + errorB * errorB / (y.length - 1));
        Estimate estimate = new Estimate.Student(effect, Math.sqrt(error), freedom);
        double p = Math.min(1, 2 * Math.min(estimate.pAbove(0), estimate.pBelow(0)));
        return new Effects(
                metric, metric.unscaled(meanA), metric.unscaled(meanB), Optional.of(estimate), p, a, b, "runs");
    }

    private static double[] values(Metric metric, List<IndependentBlocks> side) {
        return side.stream().mapToDouble(run -> run.values()[metric.ordinal()]).toArray();
    }

    private static double[] scaled(Metric metric, double[] values) {
        double[] scaled = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            scaled[i] = metric.scaled(values[i]);
        }
        return scaled;
    }

    /** Returns for each metric the variance of each run's value, on the adding scale, as draws of its blocks show it. */
    private static double[][] within(List<IndependentBlocks> side, SplittableRandom random) {
        double[][] variances = new double[Metric.all().size()][side.size()];
        for (int run = 0; run < side.size(); run++) {
            double[][] draws = new double[Metric.all().size()][DRAWS];
            for (int draw = 0; draw < DRAWS; draw++) {
                double[] drawn = side.get(run).blocks().drawn(random);
                for (Metric metric : Metric.all()) {
                    draws[metric.ordinal()][draw] = metric.scaled(drawn[metric.ordinal()]);
                }
            }
            for (int m = 0; m < draws.length; m++) {
                double variance = StatUtils.variance(draws[m]);
                variances[m][run] = Double.isFinite(variance) ? variance : 0;
            }
        }
        return variances;
    }
}
