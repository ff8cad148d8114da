package org.diperf.analyzer.compare;

import java.util.Arrays;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.apache.commons.math3.distribution.TDistribution;

/** An effect on the adding scale of its metric, and how sure it is. */
sealed interface Estimate {

    /** Returns the effect that was seen. */
    double effect();

    /** Returns the lower end of the interval that holds the effect with this confidence. */
    double low(double confidence);

    /** Returns its upper end. */
    double high(double confidence);

    /** Returns the p of the claim that the effect is larger than a limit. */
    double pAbove(double limit);

    /** Returns the p of the claim that the effect is smaller than a limit. */
    double pBelow(double limit);

    /**
     * Of few runs: Student's t.
     *
     * @param standardError of the effect
     * @param freedom degrees of freedom
     */
    record Student(double effect, double standardError, double freedom) implements Estimate {

        @Override
        public double low(double confidence) {
            return effect - half(confidence);
        }

        @Override
        public double high(double confidence) {
            return effect + half(confidence);
        }

        @Override
        public double pAbove(double limit) {
            if (standardError == 0) {
                return effect > limit ? 0 : 1;
            }
            return new TDistribution(null, freedom).cumulativeProbability((limit - effect) / standardError);
        }

        @Override
        public double pBelow(double limit) {
            return new Student(-effect, standardError, freedom).pAbove(-limit);
        }

        private double half(double confidence) {
            return standardError == 0
                    ? 0
                    : standardError
                            * new TDistribution(null, freedom).inverseCumulativeProbability((1 + confidence) / 2);
        }
    }

    /**
     * Of many blocks, drawn again and again: percentiles of the draws, a little further out than the confidence says, because
     * draws from few blocks scatter too little (Hesterberg, <i>What Teachers Should Know about the Bootstrap</i>, 2015, 5.2).
     *
     * @param draws rising
     * @param blocks fewest of a side
     */
    record Resampled(double effect, double[] draws, int blocks) implements Estimate {

        public Resampled {
            draws = draws.clone();
            Arrays.sort(draws);
        }

        @Override
        public double low(double confidence) {
            return draw(tail(confidence));
        }

        @Override
        public double high(double confidence) {
            return draw(1 - tail(confidence));
        }

        @Override
        public double pAbove(double limit) {
            int below = 0;
            for (double draw : draws) {
                below += draw <= limit ? 1 : 0;
            }
            return (below + 1.0) / (draws.length + 1.0);
        }

        @Override
        public double pBelow(double limit) {
            int above = 0;
            for (double draw : draws) {
                above += draw >= limit ? 1 : 0;
            }
            return (above + 1.0) / (draws.length + 1.0);
        }

        private double tail(double confidence) {
            double t = new TDistribution(null, blocks - 1.0).inverseCumulativeProbability((1 + confidence) / 2);
            return new NormalDistribution().cumulativeProbability(-t * Math.sqrt(blocks / (blocks - 1.0)));
        }

        private double draw(double fraction) {
            double at = fraction * (draws.length - 1);
            int below = (int) Math.floor(at);
            int above = Math.min(draws.length - 1, below + 1);
            return draws[below] + (at - below) * (draws[above] - draws[below]);
        }
    }
}
