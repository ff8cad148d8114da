package org.diperf.core.clock;

import java.util.Arrays;
import java.util.List;
import org.diperf.core.clock.Bound.Middle;

/**
 * The trend of an offset: a line, or lines that join, fitted to the middles of the exchanges with the weights of chrony:
 * exchanges that took long count little. Where the route changed the levels are fitted apart,
 * with the slope in common: an asymmetric route shifts middles, not the clock. Immutable.
 */
final class Trend {

    /** By so much the rates of neighbouring pieces differ, in proportion. */
    private static final double RATE_CHANGE = 1e-6;

    private static final double STEEPEST = 1e-3;

    private final double[] knots;
    private final double[] values;

    private Trend(double[] knots, double[] values) {
        this.knots = knots;
        this.values = values;
    }

    static Trend line(double at, double offset, double slope) {
        return new Trend(new double[] {at, at + 1e9}, new double[] {offset, offset + slope * 1e9});
    }

    /**
     * @param part at least one middle
     * @param from begin of the first piece
     * @param to end of the last piece
     * @param pieces lines to be joined
     * @param roughSlope where the middles tell none
     */
    static Trend fit(StepSplitter.Part part, double from, double to, int pieces, double roughSlope) {
        List<Middle> middles = part.middles();
        int[] level = part.level();
        int levels = Arrays.stream(level).max().orElse(0) + 1;
        double[] weights = new double[middles.size()];
        double variance = weigh(middles, level, levels, weights);
        double span = to - from;
        if (middles.size() < 3 || span <= 0) {
            Middle best = middles.get(0);
            for (Middle middle : middles) {
                best = middle.roundTrip() < best.roundTrip() ? middle : best;
            }
            return line(best.at(), best.offset(), roughSlope);
        }
        if (pieces == 1 && levels == 1 && 2 * Math.sqrt(variance) > RATE_CHANGE * span) {
            return widestGap(middles, (from + to) / 2, roughSlope);
        }
        int unknowns = pieces + levels;
        double width = span / pieces;
        double[][] a = new double[unknowns][unknowns];
        double[] b = new double[unknowns];
        for (int i = 0; i < weights.length; i++) {
            Middle middle = middles.get(i);
            double place = Math.max(0, Math.min(pieces, (middle.at() - from) / width));
            int left = Math.min(pieces - 1, (int) place);
            int[] of = {left, left + 1, pieces + level[i]};
            double[] share = {left + 1 - place, place - left, level[i] > 0 ? 1 : 0};
            double offset = middle.offset() - roughSlope * (middle.at() - from);
            for (int j = 0; j < 3; j++) {
                for (int k = 0; k < 3 && share[j] != 0; k++) {
                    if (share[k] != 0) {
                        a[of[j]][of[k]] += weights[i] * share[j] * share[k];
                    }
                }
                if (share[j] != 0) {
                    b[of[j]] += weights[i] * share[j] * offset;
                }
            }
        }
        smooth(a, pieces, variance / (RATE_CHANGE * width * RATE_CHANGE * width));
        double[] values = solved(a, b, pieces + 1);
        double[] knots = new double[pieces + 1];
        for (int k = 0; k <= pieces; k++) {
            knots[k] = from + k * width;
            values[k] += roughSlope * k * width;
        }
        for (int k = 1; k <= pieces; k++) {
            double slope = (values[k] - values[k - 1]) / width;
            if (Double.isNaN(slope) || Math.abs(slope) > STEEPEST) {
                Middle first = middles.get(0);
                return line(first.at(), first.offset(), roughSlope);
            }
        }
        return new Trend(knots, values);
    }

    /**
     * Finds the line between upper and lower bounds that is as far as can be from both: where the ways scatter more than the
     * rate strays, that is the likeliest, and its error falls with the number of exchanges, not with its root. How far they
     * are apart is a concave function of the slope.
     */
    private static Trend widestGap(List<Middle> middles, double centre, double roughSlope) {
        double low = roughSlope - STEEPEST;
        double high = roughSlope + STEEPEST;
        for (int i = 0; i < 60; i++) {
            double left = low + (high - low) / 3;
            double right = high - (high - low) / 3;
            if (gap(middles, centre, left)[0] < gap(middles, centre, right)[0]) {
                low = left;
            } else {
                high = right;
            }
        }
        double slope = (low + high) / 2;
        return line(centre, gap(middles, centre, slope)[1], slope);
    }

    /** Returns how far upper and lower bounds are apart along a slope, and their middle. */
    private static double[] gap(List<Middle> middles, double centre, double slope) {
        double upper = Double.POSITIVE_INFINITY;
        double lower = Double.NEGATIVE_INFINITY;
        for (Middle middle : middles) {
            double trend = slope * (middle.at() - centre);
            upper = Math.min(upper, middle.upper() - trend);
            lower = Math.max(lower, middle.lower() - trend);
        }
        return new double[] {upper - lower, (upper + lower) / 2};
    }

    /** Returns the variance of a middle of weight 1. */
    private static double weigh(List<Middle> middles, int[] level, int levels, double[] weights) {
        double variance = 1;
        for (int of = 0; of < levels; of++) {
            int which = of;
            double[] roundTrips = java.util.stream.IntStream.range(0, weights.length)
                    .filter(i -> level[i] == which)
                    .mapToDouble(i -> middles.get(i).roundTrip())
                    .sorted()
                    .toArray();
            if (roundTrips.length == 0) {
                continue;
            }
            double least = roundTrips[0];
            double spread = Math.max(100, (roundTrips[roundTrips.length / 2] - least) / 0.7);
            variance = Math.max(variance, spread * spread / 4);
            for (int i = 0; i < weights.length; i++) {
                if (level[i] == of) {
                    double excess = (middles.get(i).roundTrip() - least) / spread;
                    weights[i] = 1 / (1 + excess * excess);
                }
            }
        }
        return variance;
    }

    private static void smooth(double[][] a, int pieces, double strength) {
        for (int k = 1; k < pieces; k++) {
            int[] of = {k - 1, k, k + 1};
            double[] share = {1, -2, 1};
            for (int i = 0; i < 3; i++) {
                for (int j = 0; j < 3; j++) {
                    a[of[i]][of[j]] += strength * share[i] * share[j];
                }
            }
        }
    }

    /** Solves a symmetric system by elimination and gives the first unknowns. */
    private static double[] solved(double[][] a, double[] b, int first) {
        int n = b.length;
        for (int i = 0; i < n; i++) {
            // A knot or level without middles is left where it is.
            double pivot = a[i][i] > 1e-12 ? a[i][i] : 1;
            a[i][i] = pivot;
            for (int j = i + 1; j < n; j++) {
                double factor = a[j][i] / pivot;
                if (factor != 0) {
                    for (int k = i; k < n; k++) {
                        a[j][k] -= factor * a[i][k];
                    }
                    b[j] -= factor * b[i];
                }
            }
        }
        for (int i = n - 1; i >= 0; i--) {
            for (int k = i + 1; k < n; k++) {
                b[i] -= a[i][k] * b[k];
            }
            b[i] /= a[i][i];
        }
        return Arrays.copyOf(b, first);
    }

    private int piece(double x) {
        int place = (int) ((x - knots[0]) / (knots[1] - knots[0]));
        return Math.max(0, Math.min(knots.length - 2, place));
    }

    double at(double x) {
        int piece = piece(x);
        return values[piece] + slope(piece) * (x - knots[piece]);
    }

    double slopeAt(double x) {
        return slope(piece(x));
    }

    /** Returns by how much slopes near an instant differ from the mean one at most. */
    double strayAround(double x) {
        double width = knots[1] - knots[0];
        double mean = meanSlope();
        return Math.max(
                Math.abs(slopeAt(x) - mean),
                Math.max(Math.abs(slopeAt(x - width) - mean), Math.abs(slopeAt(x + width) - mean)));
    }

    /** Returns the ends of the pieces. */
    double[] knots() {
        return knots;
    }

    /** Returns the slope from end to end. */
    double meanSlope() {
        int last = knots.length - 1;
        return (values[last] - values[0]) / (knots[last] - knots[0]);
    }

    private double slope(int piece) {
        return (values[piece + 1] - values[piece]) / (knots[piece + 1] - knots[piece]);
    }
}
