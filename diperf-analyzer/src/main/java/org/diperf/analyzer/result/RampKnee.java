package org.diperf.analyzer.result;

import java.util.ArrayList;
import java.util.List;
import org.diperf.analyzer.model.ThroughputKnee;
import org.diperf.analyzer.result.Analysis.MarkedInterval;
import org.diperf.analyzer.result.Summary.SaturationSummary;
import org.diperf.core.run.RunRecord;
import org.jspecify.annotations.Nullable;

/**
 * Where throughput stopped growing while the clients of a ramp grew: closed load with one ramp only. Reached only where the
 * ramp's quanta bend ({@link ThroughputKnee}) and throughput after the ramp is no higher than what was reached beyond the bend.
 */
public final class RampKnee {

    private static final int MIN_QUANTA = 12;
    private static final int MIN_CLIENTS = 4;
    private static final double LEVEL = 0.05;
    /** Share of the ramp's most clients from which on a quantum behind it tells of the full load. */
    private static final double FULL = 0.95;

    private RampKnee() {}

    /** Returns {@code null} where it cannot be asked: there is not one ramp, or it has too few quanta or clients. */
    public static @Nullable SaturationSummary of(RunRecord run, Series series, List<MarkedInterval> intervals) {
        List<MarkedInterval> ramps = intervals.stream()
                .filter(interval -> interval.kind() == MarkedInterval.Kind.RAMP)
                .toList();
        if (run.stages().size() != 1 || run.stages().get(0).closed() == null || ramps.size() != 1) {
            return null;
        }
        MarkedInterval ramp = ramps.get(0);
        List<double[]> points = new ArrayList<>();
        double after = 0;
        int afterCount = 0;
        for (int i = 0; i < series.size(); i++) {
            double clients = series.of(Series.ACTIVE_CLIENTS)[i];
            double perSecond = series.of(Series.THROUGHPUT)[i];
            double from = i * series.quantumSeconds();
            double to = from + series.quantumSeconds();
            if (to > series.durationSeconds() || !Double.isFinite(clients) || !Double.isFinite(perSecond)) {
                continue;
            }
            if (from >= ramp.fromSeconds() && to <= ramp.toSeconds()) {
                points.add(new double[] {clients, perSecond});
            } else if (from >= ramp.toSeconds() && clients > FULL * most(points, 0)) {
                after += perSecond;
                afterCount++;
            }
        }
        if (points.size() < MIN_QUANTA || most(points, 0) < MIN_CLIENTS) {
            return null;
        }
        ThroughputKnee bend = new ThroughputKnee(points, MIN_QUANTA / 3);
        double knee = bend.load();
        double full = afterCount > 0 ? after / afterCount : most(points, 1);
        double plateau = Double.isNaN(knee) ? 0 : bend.plateau(knee);
        boolean grewLater = afterCount > 0 && full > plateau * (1 + 2 * LEVEL);
        Double bent = Double.isNaN(knee) ? null : (Double) (double) Math.round(knee);
        return bent == null || grewLater
                ? new SaturationSummary(false, null, full, null, null, null, bent, null, null)
                : new SaturationSummary(true, bent, plateau, null, null, null, bent, null, null);
    }

    private static double most(List<double[]> points, int column) {
        return points.stream().mapToDouble(point -> point[column]).max().orElse(0);
    }
}
