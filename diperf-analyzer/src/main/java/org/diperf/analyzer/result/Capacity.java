package org.diperf.analyzer.result;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.diperf.analyzer.model.FittedModel;
import org.diperf.analyzer.model.LevelPoint;
import org.diperf.analyzer.model.LevelSamples;
import org.diperf.analyzer.model.Saturation;
import org.diperf.analyzer.result.Summary.StageSummary;
import org.diperf.analyzer.result.Summary.Throughput;
import org.diperf.analyzer.stats.Range;
import org.diperf.analyzer.stats.Statistic;
import org.diperf.analyzer.stats.Statistics;
import org.diperf.analyzer.stats.Uncertainty;
import org.diperf.core.run.RunRecord;
import org.jspecify.annotations.Nullable;

/**
 * What the levels of a run say of the service's capacity: measured points, the knee, and models that predict. Levels
 * that do not count by {@link LevelRule} carry nothing.
 *
 * @param closed whether the load is clients; else calls offered a second
 * @param points the levels that count, by load
 * @param leftOut levels that carry nothing
 * @param thinkSeconds mean think time as Little's law shows it, {@code N / X - R} over all levels
 * @param saturation of closed load with at least two levels; {@code null}: cannot be asked
 * @param kneeWithout the clients at the knee had the load generator added nothing to the calls; {@link Double#NaN}: not known, and
 *     infinite: beyond the levels
 * @param models the best first; empty with fewer than four levels
 */
public record Capacity(
        boolean closed,
        List<LevelPoint> points,
        int leftOut,
        double thinkSeconds,
        @Nullable Saturation saturation,
        double kneeWithout,
        List<FittedModel> models) {

    /** Of a run without levels. */
    public static final Capacity NONE = new Capacity(true, List.of(), 0, 0, null, Double.NaN, List.of());

    private static final int FEWEST_QUANTA = 3;
    /** Think times below this share of the response time are what the ends of a level leave over. */
    private static final double MIN_THINK = 0.05;

    public Capacity {
        points = List.copyOf(points);
        models = List.copyOf(models);
    }

    /** Asks the levels of a run. */
    public static Capacity of(RunRecord run, List<StageSummary> stages, Series series) {
        List<StageSummary> counting = LevelRule.countingOf(stages);
        Map<Double, LevelSamples> levels = new LinkedHashMap<>();
        Map<Double, LevelSamples> without = new LinkedHashMap<>();
        Map<Double, LevelPoint> points = new LinkedHashMap<>();
        boolean closed = true;
        int leftOut = 0;
        for (StageSummary stage : stages) {
            Throughput throughput = stage.throughput();
            Statistics response = stage.responseTime();
            Double value = stage.level();
            if (value == null) {
                continue;
            }
            boolean counts = value > 0 && counting.contains(stage);
            if (!counts || throughput == null || response == null || !(throughput.mean() > 0 && response.mean() > 0)) {
                leftOut++;
                continue;
            }
            closed &= stage.model().equals("closed");
            // What was held twice, as a search does near the limit, counts as it was last.
            points.put(value, new LevelPoint(value, throughput.mean(), response.mean() / 1e3));
            LevelSamples samples = samples(value, stage, throughput.mean(), response.mean() / 1e3, series);
            levels.put(value, samples);
            LevelSamples least = without(samples, response);
            if (least != null) {
                without.put(value, least);
            }
        }
        List<LevelPoint> sorted = points.values().stream()
                .sorted((a, b) -> Double.compare(a.load(), b.load()))
                .toList();
        if (sorted.isEmpty()) {
            return new Capacity(true, List.of(), leftOut, 0, null, Double.NaN, List.of());
        }
        double think = closed ? think(sorted) : 0;
        boolean canBend = closed && sorted.size() > 1;
        List<LevelSamples> samples = new ArrayList<>(levels.values());
        return new Capacity(
                closed,
                sorted,
                leftOut,
                think,
                canBend ? Saturation.of(samples, think, run.seed()) : null,
                canBend ? kneeWithout(samples, without.values(), think, run.seed()) : Double.NaN,
                closed ? FittedModel.closed(sorted, think) : FittedModel.open(sorted));
    }

    /** Looks for the knee in levels without what the load generator may have added; only where it is known of all of them. */
    private static double kneeWithout(
            List<LevelSamples> levels, Collection<LevelSamples> without, double think, long seed) {
        if (without.size() < levels.size()) {
            return Double.NaN;
        }
        Saturation saturation = Saturation.of(List.copyOf(without), think, seed);
        return saturation.reached() ? saturation.clients() : Double.POSITIVE_INFINITY;
    }

    /**
     * Returns a level without what the load generator may have added, as a share of the mean response time: clients would have made their
     * next calls so much sooner. {@code null} where that is not known.
     */
    private static @Nullable LevelSamples without(LevelSamples level, Statistics response) {
        Uncertainty range = response.range(Statistic.MEAN);
        Range instrument = range == null ? null : range.parts().get(Uncertainty.INSTRUMENT);
        if (instrument == null) {
            return null;
        }
        double left = instrument.low() / response.mean();
        double[] perSecond = level.perSecond().clone();
        double[] seconds = level.responseSeconds().clone();
        for (int i = 0; i < perSecond.length; i++) {
            double added = seconds[i] * (1 - left);
            double cycle = level.load() / perSecond[i];
            perSecond[i] = added < cycle ? level.load() / (cycle - added) : perSecond[i];
            seconds[i] *= left;
        }
        return new LevelSamples(level.load(), perSecond, seconds);
    }

    private static double think(List<LevelPoint> points) {
        double think = LevelPoint.thinkSeconds(points);
        return think > MIN_THINK * points.get(0).responseSeconds() ? think : 0;
    }

    private static LevelSamples samples(
            double value, StageSummary stage, double perSecond, double responseSeconds, Series series) {
        Double settled = stage.settledSeconds();
        double from = settled == null ? stage.fromSeconds() : settled;
        int first = (int) Math.ceil(from / series.quantumSeconds() - 1e-9);
        int end = (int) Math.min(series.size(), Math.floor(stage.toSeconds() / series.quantumSeconds() + 1e-9));
        if (end - first < FEWEST_QUANTA) {
            return new LevelSamples(value, new double[] {perSecond}, new double[] {responseSeconds});
        }
        double[] throughput = Arrays.copyOfRange(series.of(Series.THROUGHPUT), first, end);
        double[] response = Arrays.copyOfRange(series.response(Statistic.MEAN), first, end);
        for (int i = 0; i < response.length; i++) {
            response[i] /= 1e3;
        }
        return new LevelSamples(value, throughput, response);
    }

    /** Returns the model that foretells best; empty where there are too few levels. */
    public Optional<FittedModel> best() {
        return models.stream().findFirst();
    }
}
