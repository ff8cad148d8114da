package org.diperf.analyzer.grid;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.apache.commons.math3.distribution.TDistribution;
import org.diperf.analyzer.compare.ComparisonText;
import org.diperf.analyzer.grid.GridSummary.FindingSummary;
import org.diperf.analyzer.grid.GridSummary.PointSummary;
import org.diperf.analyzer.grid.GridSummary.RunSummary;
import org.diperf.analyzer.stats.HolmCorrection;
import org.diperf.analyzer.text.Numbers;
import org.jspecify.annotations.Nullable;

/**
 * Finds the best point of a grid, and whether it is better than the next by more than trials scatter; where it is not, none is called best. The change is that which {@code
 * compare} shows: the point that the grid has later against the earlier one, by their geometric means. Which points these two are is
 * seen from the same trials: so all pairs of points are tested, by Welch on logarithms, and corrected for that by {@link HolmCorrection}. The
 * interval is at the level that the correction leaves for the pair.
 */
final class GridFinding {

    private static final double ALPHA = 0.05;
    /** A point that fails more of its calls is not best, however fast the others are; in per cent. */
    private static final double MAX_FAILED = 1;

    private final List<RunSummary> runs;
    private final Metric metric;
    private final GridNames names;

    GridFinding(List<RunSummary> runs, Metric metric, GridNames names) {
        this.runs = runs;
        this.metric = metric;
        this.names = names;
    }

    @Nullable
    FindingSummary of(List<PointSummary> points) {
        List<PointSummary> measured =
                points.stream().filter(point -> metric.of(point) != null).toList();
        List<PointSummary> sound = measured.stream()
                .filter(point -> point.verdict().equals("valid") && failedPercent(point) <= MAX_FAILED)
                .toList();
        List<PointSummary> among = sound.size() >= 2 ? sound : measured;
        if (among.size() < 2) {
            return null;
        }
        Comparator<PointSummary> byMedian =
                Comparator.comparingDouble(point -> spread(point).median());
        List<PointSummary> ranked = among.stream()
                .sorted(metric.isHigherBetter() ? byMedian.reversed() : byMedian)
                .toList();
        boolean bestIsLater = points.indexOf(ranked.get(0)) > points.indexOf(ranked.get(1));
        return compare(ranked, bestIsLater, measured.size() - among.size(), sound.size() >= 2);
    }

    private FindingSummary compare(List<PointSummary> ranked, boolean bestIsLater, int passedOver, boolean isSound) {
        PointSummary best = ranked.get(0);
        PointSummary next = ranked.get(1);
        PointSummary later = bestIsLater ? best : next;
        PointSummary earlier = bestIsLater ? next : best;
        double[] after = logarithms(later);
        double[] before = logarithms(earlier);
        double difference = after.length == 0 || before.length == 0 ? 0 : Spread.mean(after) - Spread.mean(before);
        Welch test = Welch.of(after, before);
        double factor = test == null ? 1 : factor(ranked, test);
        Double half = test == null ? null : (Double) test.half(ALPHA / factor);
        Double low = half == null ? null : (Double) Math.expm1(difference - half);
        Double high = half == null ? null : (Double) Math.expm1(difference + half);
        Boolean larger = low == null || high == null ? null : (Boolean) (low > 0 || high < 0);
        // What is shown of each point is its median, which may differ the other way.
        boolean isOther = difference * (spread(later).median() - spread(earlier).median()) < 0;
        String change = names.point(later.set()) + " against " + names.point(earlier.set())
                + (isOther ? ", comparing means: " : ": ") + ComparisonText.change(Math.expm1(difference));
        StringBuilder words = new StringBuilder();
        words.append(Boolean.TRUE.equals(larger) ? first(best, next) : noneFirst(best, next))
                .append(noise(change, low, high, larger, factor));
        if (passedOver > 0) {
            words.append(' ')
                    .append(Numbers.count(passedOver, "point"))
                    .append(" with suspect runs or more than 1 % failed calls")
                    .append(passedOver == 1 ? " is" : " are")
                    .append(" excluded from this comparison.");
        } else if (!isSound) {
            words.append(" Note: some runs of these points are suspect, or more than 1 % of their calls failed.");
        }
        return new FindingSummary(
                metric.path(),
                metric.isHigherBetter() ? "higher" : "lower",
                best.set(),
                raw(spread(best).median()),
                next.set(),
                raw(spread(next).median()),
                100 * Math.expm1(difference),
                low == null ? null : (Double) (100 * low),
                high == null ? null : (Double) (100 * high),
                larger,
                words.toString());
    }

    private String first(PointSummary best, PointSummary next) {
        return names.point(best.set())
                + (metric.isHigherBetter() ? " has the highest " : " has the lowest ")
                + metric.words()
                + ", "
                + shown(spread(best))
                + medianOf(best)
                + "; the next best is "
                + names.point(next.set())
                + " with "
                + shown(spread(next))
                + ". ";
    }

    /** Names what was measured of the two nearest to it, and neither of them the best: that may be luck. */
    private String noneFirst(PointSummary one, PointSummary other) {
        return "No clear best point by " + metric.words() + ": " + names.point(one.set()) + " had "
                + shown(spread(one)) + medianOf(one) + ", " + names.point(other.set()) + " " + shown(spread(other))
                + ". ";
    }

    private static String medianOf(PointSummary point) {
        return point.n() > 1 ? " (median of " + point.n() + " trials)" : "";
    }

    private static String noise(
            String change, @Nullable Double low, @Nullable Double high, @Nullable Boolean larger, double factor) {
        if (low == null || high == null || larger == null) {
            return change + ", which cannot be distinguished from noise: that takes " + Spread.MIN_TRIALS
                    + " or more trials of each.";
        }
        return change + " (95 % CI: " + ComparisonText.interval(low, high)
                + (factor > 1 ? "; corrected for " + Numbers.brief(factor) + " comparisons" : "") + "), "
                + (larger
                        ? "larger than the scatter between trials."
                        : "no larger than the scatter between trials; diperf compare uses the individual calls and may "
                                + "show more.");
    }

    /**
     * Returns by how much the p of best and next is to be multiplied, for all pairs of points that could be tested.
     *
     * @param test of the best two, the first pair
     */
    private double factor(List<PointSummary> ranked, Welch test) {
        List<double[]> points = ranked.stream().map(this::logarithms).toList();
        List<Double> p = new ArrayList<>();
        for (int i = 0; i < points.size(); i++) {
            for (int k = i + 1; k < points.size(); k++) {
                Welch pair = Welch.of(points.get(i), points.get(k));
                p.add(pair == null ? Double.NaN : pair.p());
            }
        }
        double[] raw = p.stream().mapToDouble(Double::doubleValue).toArray();
        double adjusted = HolmCorrection.adjusted(raw)[0];
        long tests = Arrays.stream(raw).filter(each -> !Double.isNaN(each)).count();
        return test.p() == 0 || adjusted >= 1 ? tests : adjusted / test.p();
    }

    /** A difference of means with its standard error and degrees of freedom. */
    private record Welch(double difference, double error, double freedom) {

        /** Returns {@code null} where either has too few trials. */
        static @Nullable Welch of(double[] first, double[] second) {
            if (first.length < Spread.MIN_TRIALS || second.length < Spread.MIN_TRIALS) {
                return null;
            }
            double a = Spread.variance(first) / first.length;
            double b = Spread.variance(second) / second.length;
            double freedom = (a + b) * (a + b) / (a * a / (first.length - 1) + b * b / (second.length - 1));
            return new Welch(Spread.mean(first) - Spread.mean(second), Math.sqrt(a + b), freedom);
        }

        /** Returns the chance of so large a difference, either way, of points that are the same. */
        double p() {
            if (error == 0) {
                return difference == 0 ? 1 : 0;
            }
            return 2 * new TDistribution(freedom).cumulativeProbability(-Math.abs(difference) / error);
        }

        /** Returns half the width of the interval that misses the difference with a chance. */
        double half(double alpha) {
            return error == 0 ? 0 : new TDistribution(freedom).inverseCumulativeProbability(1 - alpha / 2) * error;
        }
    }

    /** Returns those of a point's values that are more than 0. */
    private double[] logarithms(PointSummary point) {
        return runs.stream()
                .filter(run -> point.runs().contains(run.number()) && GridPoints.counts(run))
                .mapToDouble(run -> Math.log(metric.of(run)))
                .filter(Double::isFinite)
                .toArray();
    }

    private Spread spread(PointSummary point) {
        return Objects.requireNonNull(metric.of(point), "a point without the metric was excluded");
    }

    private static double failedPercent(PointSummary point) {
        Spread failed = Metric.FAILED.of(point);
        return failed == null ? 100 : failed.median();
    }

    /** Returns a value as {@code summary.json} has it. */
    private double raw(double shown) {
        return metric == Metric.BANDWIDTH ? shown * 1e6 / 8 : shown;
    }

    private String shown(Spread spread) {
        return metric == Metric.MEDIAN || metric == Metric.P99
                ? Numbers.time(spread.median())
                : Numbers.brief(spread.median()) + (metric.unit().isEmpty() ? "" : " " + metric.unit());
    }
}
