package org.diperf.analyzer.text;

import java.util.ArrayList;
import java.util.List;
import org.diperf.analyzer.Analysis;
import org.diperf.analyzer.Analysis.MarkedInterval;
import org.diperf.analyzer.Series;
import org.diperf.analyzer.model.Bend;

/**
 * Where throughput stopped growing while the clients of a ramp grew: closed load with one ramp only. Silent unless the
 * ramp's quanta bend ({@link Bend}) and throughput after the ramp is no higher than what was reached beyond the bend.
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
        Bend bend = new Bend(points, MIN_QUANTA / 3);
        double knee = bend.load();
        if (Double.isNaN(knee)) {
            return 0;
        }
        boolean grewLater = afterCount > 0 && after / afterCount > bend.plateau(knee) * (1 + 2 * LEVEL);
        return grewLater ? 0 : (int) Math.round(knee);
    }

    private static double largest(List<double[]> points) {
        return points.stream().mapToDouble(p -> p[0]).max().orElse(0);
    }
}
