package org.diperf.analyzer.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.apache.commons.math3.distribution.TDistribution;
import org.diperf.analyzer.model.LoadModel.Answer;

/**
 * A model fitted to levels, with how well it foretells a level that it was not shown. Immutable.
 *
 * <p>Each level in turn is left out, the model fitted to the others, and asked about that one. The mean of these errors is
 * the held-out error, by which models are compared; the spread of these fits, with what each missed, makes the bands of
 * predictions (jackknife).
 */
public final class FittedModel {

    /** Fewer levels than this carry no model. */
    public static final int FEWEST_LEVELS = 4;

    private static final double FARTHEST = 2;
    private static final double WORST_ERROR = 0.25;
    /** A band that is wider than this share of the value, to either side, foretells nothing. */
    private static final double WIDEST = 0.5;

    private static final double CONFIDENCE = 0.975;

    private final LoadModel model;
    /** Fits of the same kind that were not shown one level each. */
    private final List<LoadModel> without;

    private final List<LoadModel> rivals;
    private final double throughputError;
    private final double responseError;
    private final double throughputScatter;
    private final double responseScatter;
    private final double least;
    private final double most;
    /** By how much the fit without the highest level missed it, for each unit of load beyond the one below it. */
    private final double throughputDrift;

    private final double responseDrift;
    /** The highest load but one. */
    private final double below;

    private FittedModel(List<LevelPoint> points, Function<List<LevelPoint>, LoadModel> fit) {
        this.model = fit.apply(points);
        this.without = new ArrayList<>();
        this.rivals = model.rivals(points);
        double[] throughput = new double[points.size()];
        double[] response = new double[points.size()];
        for (int i = 0; i < points.size(); i++) {
            List<LevelPoint> others = new ArrayList<>(points);
            LevelPoint asked = others.remove(i);
            LoadModel other = fit.apply(others);
            without.add(model.refit(others));
            Answer answer = other.at(asked.load());
            throughput[i] = missed(answer.perSecond(), asked.perSecond());
            response[i] = missed(answer.responseSeconds(), asked.responseSeconds());
        }
        this.throughputError = mean(throughput);
        this.responseError = mean(response);
        this.throughputScatter = scatter(points, LevelPoint::perSecond, Answer::perSecond);
        this.responseScatter = scatter(points, LevelPoint::responseSeconds, Answer::responseSeconds);
        this.least = points.get(0).load();
        this.most = points.get(points.size() - 1).load();
        int last = points.size() - 1;
        double step = most - points.get(last - 1).load();
        Answer without = this.without.get(last).at(most);
        this.throughputDrift = missed(without.perSecond(), points.get(last).perSecond()) / step;
        this.responseDrift = missed(without.responseSeconds(), points.get(last).responseSeconds()) / step;
        this.below = points.get(last - 1).load();
    }

    /**
     * Fits all models of closed load, the best first.
     *
     * @param points levels of different load
     * @param thinkSeconds mean think time
     * @return empty when there are fewer than {@link #FEWEST_LEVELS}
     */
    public static List<FittedModel> closed(List<LevelPoint> points, double thinkSeconds) {
        return ranked(
                points,
                List.of(shown -> ClosedQueue.fit(shown, thinkSeconds), shown -> Scalability.fit(shown, thinkSeconds)));
    }

    /** Fits all models of open load; as {@link #closed}. */
    public static List<FittedModel> open(List<LevelPoint> points) {
        return ranked(points, List.of(OpenQueue::fit));
    }

    private static List<FittedModel> ranked(List<LevelPoint> points, List<Function<List<LevelPoint>, LoadModel>> fits) {
        if (points.size() < FEWEST_LEVELS) {
            return List.of();
        }
        List<LevelPoint> sorted = new ArrayList<>(points);
        sorted.sort(Comparator.comparingDouble(LevelPoint::load));
        List<FittedModel> fitted = new ArrayList<>();
        for (Function<List<LevelPoint>, LoadModel> fit : fits) {
            fitted.add(new FittedModel(sorted, fit));
        }
        fitted.sort(Comparator.comparingDouble(each -> each.throughputError + each.responseError));
        return Collections.unmodifiableList(fitted);
    }

    private static double missed(double predicted, double measured) {
        return Double.isFinite(predicted) ? Math.min(1, Math.abs(predicted / measured - 1)) : 1;
    }

    private static double mean(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum / values.length;
    }

    private double scatter(
            List<LevelPoint> points, ToDoubleFunction<LevelPoint> measured, ToDoubleFunction<Answer> predicted) {
        double sum = 0;
        for (LevelPoint point : points) {
            double missed = missed(predicted.applyAsDouble(model.at(point.load())), measured.applyAsDouble(point));
            sum += missed * missed;
        }
        return Math.sqrt(sum / Math.max(1, points.size() - model.parameters().size() + 1));
    }

    /** Returns the model that all levels together make. */
    public LoadModel model() {
        return model;
    }

    /** Returns the mean error of throughput at levels that were left out, as a share. */
    public double throughputError() {
        return throughputError;
    }

    /** Returns the mean error of response time at levels that were left out, as a share. */
    public double responseError() {
        return responseError;
    }

    /** Returns the highest load that was measured. */
    public double mostMeasured() {
        return most;
    }

    /** Says why the data do not carry a prediction for this load; empty: they do. */
    public Optional<String> refusal(double load) {
        if (!(load > 0)) {
            return Optional.of("the load must be above 0");
        }
        double error = Math.max(throughputError, responseError);
        if (error > WORST_ERROR) {
            return Optional.of(String.format(
                    Locale.ROOT,
                    "the best model is off by %.0f %% at levels that it was not fitted to; hold levels longer, or "
                            + "measure more of them",
                    100 * error));
        }
        if (load > FARTHEST * most) {
            return Optional.of(String.format(
                    Locale.ROOT, "it is more than twice the highest measured load, %.4g; measure closer to it", most));
        }
        if (load > most && most < model.knee()) {
            return Optional.of(String.format(
                    Locale.ROOT,
                    "no measured level lies beyond the knee, so the service's limit is not known; measure levels "
                            + "above %.4g",
                    most));
        }
        if (load < least / FARTHEST) {
            return Optional.of(String.format(
                    Locale.ROOT, "it is less than half the lowest measured load, %.4g; measure closer to it", least));
        }
        Prediction said = at(load);
        double width = Math.max(
                Math.max(said.perSecondHigh() / said.perSecond() - 1, 1 - said.perSecondLow() / said.perSecond()),
                Math.max(
                        said.responseSecondsHigh() / said.responseSeconds() - 1,
                        1 - said.responseSecondsLow() / said.responseSeconds()));
        if (Double.isFinite(said.responseSeconds()) && !(width <= WIDEST)) {
            return Optional.of(String.format(
                    Locale.ROOT,
                    "the levels leave an uncertainty of %.0f %% either way; hold levels longer, or measure closer "
                            + "to it",
                    100 * width));
        }
        return Optional.empty();
    }

    /**
     * Predicts, also where {@link #refusal} says that nobody should rely on it.
     *
     * @param load above 0
     */
    public Prediction at(double load) {
        Answer answer = model.at(load);
        double x = answer.perSecond();
        double r = answer.responseSeconds();
        double widthX = width(load, x, Answer::perSecond, throughputScatter, throughputDrift);
        double widthR = width(load, r, Answer::responseSeconds, responseScatter, responseDrift);
        double[] boundsX = {Math.max(0, x - widthX), x + widthX};
        double[] boundsR = {Math.max(0, r - widthR), r + widthR};
        for (LoadModel rival : rivals) {
            Answer other = rival.at(load);
            widen(boundsX, other.perSecond());
            widen(boundsR, other.responseSeconds());
        }
        return new Prediction(load, x, boundsX[0], boundsX[1], r, boundsR[0], boundsR[1]);
    }

    private static void widen(double[] bounds, double value) {
        bounds[0] = Math.min(bounds[0], value);
        bounds[1] = Math.max(bounds[1], value);
    }

    private double width(double load, double predicted, ToDoubleFunction<Answer> of, double scatter, double drift) {
        if (!Double.isFinite(predicted)) {
            return Double.NaN;
        }
        int n = without.size();
        double[] each = without.stream()
                .mapToDouble(other -> of.applyAsDouble(other.at(load)))
                .filter(Double::isFinite)
                .toArray();
        double mean = each.length == 0 ? predicted : mean(each);
        double squares = 0;
        for (double value : each) {
            squares += (value - mean) * (value - mean);
        }
        double jackknife = (n - 1.0) / n * squares;
        double residual = scatter * predicted;
        // A model that is not the service's drifts away from it beyond what it was shown, as it did from the highest
        // level.
        double beyond = load > most ? drift * (load - below) * predicted : 0;
        double quantile = new TDistribution(n - 1.0).inverseCumulativeProbability(CONFIDENCE);
        return quantile * Math.sqrt(jackknife + residual * residual) + beyond;
    }
}
