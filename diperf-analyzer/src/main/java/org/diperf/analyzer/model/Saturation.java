package org.diperf.analyzer.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The knee of closed load over levels, by two methods that should agree: the {@link ThroughputKnee} of the measured curve, and where
 * its asymptotes cross, {@code N* = Xmax (R1 + Z)} (P. Denning, J. Buzen, 1978). The interval holds both for 95 % of
 * resamplings of each level's quanta, in blocks because neighbouring quanta resemble each other.
 *
 * @param reached whether both methods see a knee within the levels
 * @param clients at the knee, the mean of both methods; {@link Double#NaN} when not reached
 * @param perSecond throughput beyond it; when not reached the highest that was measured
 * @param low lower end of the interval of clients
 * @param high upper end of it
 * @param byBend what the first method alone says; {@link Double#NaN}: no knee
 * @param byBounds what the second method alone says
 * @param doubt why nothing can be said of a knee that was not reached
 */
public record Saturation(
        boolean reached,
        double clients,
        double perSecond,
        double low,
        double high,
        double byBend,
        double byBounds,
        Doubt doubt) {

    /** What keeps levels from telling whether there is a knee. */
    public enum Doubt {
        /** Nothing: it is there, or lies beyond them. */
        NONE,
        /** A knee takes more of them. */
        FEW_LEVELS,
        /** Throughput within a level scatters so much that level throughput and a growing one look alike. */
        SHORT_LEVELS
    }

    /** Methods that differ by more than this factor do not agree. */
    private static final double AGREED = 1.5;

    /** How many levels tell a knee at least. */
    public static final int FEWEST_LEVELS = 5;

    /** The mean throughput of a level must be known as well as {@link ThroughputKnee} judges it. */
    private static final double LARGEST_ERROR = 0.05;

    private static final int FEWEST_QUANTA = 3;
    private static final int MIN_BEYOND = 2;
    private static final int RESAMPLINGS = 200;
    private static final int BLOCK = 3;

    /**
     * Looks for the knee.
     *
     * @param levels of different load
     * @param thinkSeconds mean think time
     * @param seed of the resampling
     * @return not reached too when there are fewer than five levels
     */
    public static Saturation of(List<LevelSamples> levels, double thinkSeconds, long seed) {
        List<LevelSamples> sorted = new ArrayList<>(levels);
        sorted.sort(Comparator.comparingDouble(LevelSamples::load));
        Knees all = knees(points(sorted, null), thinkSeconds);
        boolean reached = Double.isFinite(all.bend)
                && all.bounds <= sorted.get(sorted.size() - 1).load();
        if (!reached) {
            return new Saturation(
                    false, Double.NaN, all.perSecond, Double.NaN, Double.NaN, all.bend, all.bounds, doubt(sorted));
        }
        SplittableRandom random = new SplittableRandom(seed);
        double[] lows = new double[RESAMPLINGS];
        double[] highs = new double[RESAMPLINGS];
        int found = 0;
        for (int i = 0; i < RESAMPLINGS; i++) {
            Knees other = knees(points(sorted, random), thinkSeconds);
            if (Double.isFinite(other.bend)) {
                lows[found] = Math.min(other.bend, other.bounds);
                highs[found++] = Math.max(other.bend, other.bounds);
            }
        }
        double low = least(quantile(lows, found, 0.025), Math.min(all.bend, all.bounds));
        double high = most(quantile(highs, found, 0.975), Math.max(all.bend, all.bounds));
        return new Saturation(
                true, (all.bend + all.bounds) / 2, all.perSecond, low, high, all.bend, all.bounds, Doubt.NONE);
    }

    private static Doubt doubt(List<LevelSamples> levels) {
        if (levels.size() < FEWEST_LEVELS) {
            return Doubt.FEW_LEVELS;
        }
        return levels.stream().anyMatch(level -> error(level.perSecond()) > LARGEST_ERROR)
                ? Doubt.SHORT_LEVELS
                : Doubt.NONE;
    }

    /** Returns the standard error of the mean as a share of it; infinite where there are too few values to tell. */
    private static double error(double[] values) {
        double mean = Arrays.stream(values).average().orElse(0);
        double squares = Arrays.stream(values)
                .map(value -> (value - mean) * (value - mean))
                .sum();
        return values.length < FEWEST_QUANTA || mean <= 0
                ? Double.POSITIVE_INFINITY
                : Math.sqrt(squares / (values.length - 1) / values.length) / mean;
    }

    /** Returns whether both methods found the same, by and large. */
    public boolean agreed() {
        return reached && Math.max(byBend, byBounds) <= AGREED * Math.min(byBend, byBounds);
    }

    private record Knees(double bend, double bounds, double perSecond) {}

    private static Knees knees(List<LevelPoint> points, double thinkSeconds) {
        double most = points.stream().mapToDouble(LevelPoint::perSecond).max().orElse(0);
        double first = points.isEmpty() ? Double.NaN : points.get(0).responseSeconds();
        if (points.size() < FEWEST_LEVELS) {
            return new Knees(Double.NaN, most * (first + thinkSeconds), most);
        }
        ThroughputKnee bend = new ThroughputKnee(
                points.stream()
                        .map(point -> new double[] {point.load(), point.perSecond()})
                        .toList(),
                MIN_BEYOND);
        double at = bend.load();
        double plateau = Double.isNaN(at) ? most : bend.plateau(at);
        return new Knees(at, plateau * (first + thinkSeconds), plateau);
    }

    private static List<LevelPoint> points(List<LevelSamples> levels, @Nullable SplittableRandom random) {
        List<LevelPoint> points = new ArrayList<>();
        for (LevelSamples level : levels) {
            LevelPoint point = level.point(random == null ? null : resample(level.perSecond().length, random));
            if (point != null) {
                points.add(point);
            }
        }
        return points;
    }

    private static int[] resample(int count, SplittableRandom random) {
        int block = Math.min(BLOCK, count);
        int[] indices = new int[count];
        int at = 0;
        for (int i = 0; i < count; i++) {
            at = i % block == 0 ? random.nextInt(count) : (at + 1) % count;
            indices[i] = at;
        }
        return indices;
    }

    /** Of a value and one that may be missing. */
    private static double least(double maybe, double value) {
        return Double.isNaN(maybe) ? value : Math.min(maybe, value);
    }

    private static double most(double maybe, double value) {
        return Double.isNaN(maybe) ? value : Math.max(maybe, value);
    }

    private static double quantile(double[] values, int count, double share) {
        if (count == 0) {
            return Double.NaN;
        }
        double[] sorted = Arrays.copyOf(values, count);
        Arrays.sort(sorted);
        return sorted[(int) Math.min(count - 1, Math.round(share * (count - 1)))];
    }
}
