package org.diperf.analyzer.text;

import java.util.ArrayList;
import java.util.List;
import org.diperf.analyzer.Analysis;
import org.diperf.analyzer.Analysis.MarkedInterval;
import org.diperf.analyzer.Series;

/**
 * Where throughput stopped growing while the clients grew. Closed load with one ramp only: the ramp's quanta are fitted by
 * least squares with {@code slope x min(clients, knee)}; the knee is told only if that explains them far better than
 * a straight line, if a good part of the ramp lies beyond it, and if throughput there is level within its noise, and
 * no lower than what was reached after the ramp. Otherwise it is silent.
 */
final class Knee {

    private static final int MIN_QUANTA = 12;
    private static final int MIN_CLIENTS = 4;
    private static final double LEVEL = 0.05;

    private Knee() {}

    /** Gives the number of clients, 0 where nothing can be said. */
    static int clients(Analysis analysis) {
        Series series = analysis.series();
        List<MarkedInterval> ramps = analysis.intervals().stream()
                .filter(i -> i.kind() == MarkedInterval.Kind.RAMP)
                .toList();
        if (Words.isOpen(analysis) || analysis.run().stages().size() != 1 || ramps.size() != 1) {
            return 0;
        }
        MarkedInterval ramp = ramps.get(0);
        List<double[]> points = new ArrayList<>();
        double after = 0;
        int afterCount = 0;
        for (int i = 0; i < series.size(); i++) {
            double n = series.activeClients()[i];
            double x = series.throughput()[i];
            double from = i * series.quantumSeconds();
            boolean whole = from + series.quantumSeconds() <= series.durationSeconds();
            if (!whole || !Double.isFinite(n) || !Double.isFinite(x)) {
                continue;
            }
            if (from >= ramp.fromSeconds() && from + series.quantumSeconds() <= ramp.toSeconds()) {
                points.add(new double[] {n, x});
            } else if (from >= ramp.toSeconds() && n > 0.95 * largest(points)) {
                after += x;
                afterCount++;
            }
        }
        double most = largest(points);
        if (points.size() < MIN_QUANTA || most < MIN_CLIENTS) {
            return 0;
        }
        double knee = fit(points, most);
        if (Double.isNaN(knee)) {
            return 0;
        }
        double plateau = meanBeyond(points, knee);
        boolean grewLater = afterCount > 0 && after / afterCount > plateau * (1 + 2 * LEVEL);
        return grewLater || !level(points, knee, plateau) ? 0 : (int) Math.round(knee);
    }

    private static double largest(List<double[]> points) {
        return points.stream().mapToDouble(p -> p[0]).max().orElse(0);
    }

    /** Tries 200 knees; {@code NaN} where none lies well within the ramp and beats the straight line. */
    private static double fit(List<double[]> points, double most) {
        double straight = errorOf(points, most);
        double best = Double.NaN;
        double bestError = Double.POSITIVE_INFINITY;
        for (int i = 1; i <= 200; i++) {
            double knee = most * i / 200;
            double error = errorOf(points, knee);
            if (error < bestError) {
                bestError = error;
                best = knee;
            }
        }
        long beyond = beyond(points, best).size();
        return best <= 0.75 * most && best >= 1 && beyond >= MIN_QUANTA / 3 && bestError < 0.4 * straight
                ? best
                : Double.NaN;
    }

    /** Gives the sum of squared errors of the best slope for this knee. */
    private static double errorOf(List<double[]> points, double knee) {
        double xy = 0;
        double xx = 0;
        double yy = 0;
        for (double[] point : points) {
            double x = Math.min(point[0], knee);
            xy += x * point[1];
            xx += x * x;
            yy += point[1] * point[1];
        }
        return xx == 0 ? yy : yy - xy * xy / xx;
    }

    private static List<double[]> beyond(List<double[]> points, double knee) {
        return points.stream().filter(p -> p[0] > knee).toList();
    }

    private static double meanBeyond(List<double[]> points, double knee) {
        return beyond(points, knee).stream().mapToDouble(p -> p[1]).average().orElse(0);
    }

    /** Says whether the line through the points beyond the knee gains no more than its noise, or 5 %. */
    private static boolean level(List<double[]> points, double knee, double plateau) {
        List<double[]> beyond = beyond(points, knee);
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
