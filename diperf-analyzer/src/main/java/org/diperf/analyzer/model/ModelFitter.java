package org.diperf.analyzer.model;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.apache.commons.math3.exception.TooManyEvaluationsException;
import org.apache.commons.math3.optim.InitialGuess;
import org.apache.commons.math3.optim.MaxEval;
import org.apache.commons.math3.optim.PointValuePair;
import org.apache.commons.math3.optim.SimpleValueChecker;
import org.apache.commons.math3.optim.nonlinear.scalar.GoalType;
import org.apache.commons.math3.optim.nonlinear.scalar.ObjectiveFunction;
import org.apache.commons.math3.optim.nonlinear.scalar.noderiv.NelderMeadSimplex;
import org.apache.commons.math3.optim.nonlinear.scalar.noderiv.SimplexOptimizer;
import org.diperf.analyzer.model.LoadModel.Answer;

/** How models are fitted: by least squares of relative errors of throughput and response time alike. */
final class ModelFitter {

    private static final int MAX_EVALUATIONS = 2_000;
    /** An error of this much, e-fold, counts as no worse: a queue without end would outweigh all else. */
    private static final double WORST = 5;

    private ModelFitter() {}

    /** Sums the squared logarithms of predicted over measured. */
    static double error(LoadModel model, List<LevelPoint> points) {
        double sum = 0;
        for (LevelPoint point : points) {
            sum += error(model, point);
        }
        return sum;
    }

    static double error(LoadModel model, LevelPoint point) {
        Answer answer = model.at(point.load());
        double throughput = squaredLog(answer.perSecond(), point.perSecond());
        double response = squaredLog(answer.responseSeconds(), point.responseSeconds());
        // A queue that grows without end has no mean response time: what was measured is the length of the level.
        boolean endless = Double.isInfinite(answer.responseSeconds()) && point.perSecond() < 0.98 * point.load();
        return throughput + (endless ? throughput : response);
    }

    private static double squaredLog(double predicted, double measured) {
        if (!(predicted > 0) || Double.isInfinite(predicted)) {
            return WORST * WORST;
        }
        double log = Math.max(-WORST, Math.min(WORST, Math.log(predicted / measured)));
        return log * log;
    }

    /** Searches the least value by the simplex of Nelder and Mead (1965). */
    static double[] least(ToDoubleFunction<double[]> of, double[] start, double[] steps) {
        double[][] best = {start};
        double[] least = {of.applyAsDouble(start)};
        try {
            PointValuePair found = new SimplexOptimizer(new SimpleValueChecker(1e-9, 1e-12))
                    .optimize(
                            new MaxEval(MAX_EVALUATIONS),
                            new ObjectiveFunction(at -> {
                                double value = of.applyAsDouble(at);
                                if (value < least[0]) {
                                    least[0] = value;
                                    best[0] = at.clone();
                                }
                                return value;
                            }),
                            GoalType.MINIMIZE,
                            new InitialGuess(start),
                            new NelderMeadSimplex(steps));
            return found.getValue() <= least[0] ? found.getPoint() : best[0];
        } catch (TooManyEvaluationsException e) {
            // The best that was seen is as good a fit as there is.
            return best[0];
        }
    }
}
