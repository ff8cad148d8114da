package org.diperf.analyzer.model;

import java.util.List;

/**
 * Where throughput stopped growing with the load: points are fitted by least squares with {@code slope x min(load, bend)}.
 * The bend counts only if that explains them far better than a straight line, if a good part of the points lies beyond
 * it, and if throughput there is level within its noise, or falls.
 */
public final class ThroughputKnee {

    private static final double LEVEL = 0.05;
    private static final double HIGHEST_SHARE = 0.75;
    private static final double BETTER = 0.4;
    private static final int TRIES = 200;

    private final List<double[]> points;
    private final double most;
    private final int leastBeyond;

    /**
     * @param points load and throughput each
     * @param leastBeyond points that must lie beyond a bend
     */
    public ThroughputKnee(List<double[]> points, int leastBeyond) {
        this.points = List.copyOf(points);
        this.most = points.stream().mapToDouble(p -> p[0]).max().orElse(0);
        this.leastBeyond = leastBeyond;
    }

    /** Returns the load at the bend; {@link Double#NaN} where none can be told. */
    public double load() {
        if (points.isEmpty()) {
            return Double.NaN;
        }
        double straight = errorOf(most);
        double best = Double.NaN;
        double bestError = Double.POSITIVE_INFINITY;
        for (int i = 1; i <= TRIES; i++) {
            double bend = most * i / TRIES;
            double error = errorOf(bend);
            if (error < bestError) {
                bestError = error;
                best = bend;
            }
        }
        boolean within =
                best <= HIGHEST_SHARE * most && best >= 1 && beyond(best).size() >= leastBeyond;
        return within && bestError < BETTER * straight && isLevel(best) ? best : Double.NaN;
    }

    /** Returns the mean throughput beyond a load. */
    public double plateau(double load) {
        return beyond(load).stream().mapToDouble(p -> p[1]).average().orElse(0);
    }

    /** Returns the sum of squared errors of the best slope for this bend. */
    private double errorOf(double bend) {
        double xy = 0;
        double xx = 0;
        double yy = 0;
        for (double[] point : points) {
            double x = Math.min(point[0], bend);
            xy += x * point[1];
            xx += x * x;
            yy += point[1] * point[1];
        }
        return xx == 0 ? yy : yy - xy * xy / xx;
    }

    private List<double[]> beyond(double load) {
        return points.stream().filter(p -> p[0] > load).toList();
    }

    /** Returns whether the line through the points beyond gains no more than its noise, or 5 %. */
    private boolean isLevel(double bend) {
        List<double[]> beyond = beyond(bend);
        double plateau = plateau(bend);
        double meanX = beyond.stream().mapToDouble(p -> p[0]).average().orElse(0);
        double xx = 0;
        double xy = 0;
        double low = Double.POSITIVE_INFINITY;
        double high = 0;
        for (double[] point : beyond) {
            xx += (point[0] - meanX) * (point[0] - meanX);
            xy += (point[0] - meanX) * (point[1] - plateau);
            low = Math.min(low, point[0]);
            high = Math.max(high, point[0]);
        }
        if (xx == 0 || plateau <= 0) {
            return false;
        }
        double slope = xy / xx;
        double residuals = 0;
        for (double[] point : beyond) {
            double error = point[1] - plateau - slope * (point[0] - meanX);
            residuals += error * error;
        }
        double standardError = Math.sqrt(residuals / Math.max(1, beyond.size() - 2) / xx);
        double gain = slope * (high - low);
        return gain < Math.max(LEVEL * plateau, 2 * standardError * (high - low)) && gain < 4 * LEVEL * plateau;
    }
}
