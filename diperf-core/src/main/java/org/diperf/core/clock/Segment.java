package org.diperf.core.clock;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A corridor between two steps of a clock. Times and offsets are nanoseconds relative to the corridor's bases. Offsets
 * are kept relative to the line {@code intercept + slope x}. Two envelopes: a narrow one for the estimate and a wide one
 * for the hard bound. Immutable.
 */
final class Segment {

    private static final double LEAST_RHO = 1e-6;
    private static final double BOUND_RHO = 25e-6;
    private static final double MOST_RHO = 400e-6;
    private static final int FEW = 8;

    /** A bound on the offset at one instant of the client's clock. */
    record Bound(double at, double offset, boolean upper) {}

    /** The middle of an exchange: when, offset, and the round trip without the time for which the client held it. */
    record Middle(double at, double offset, double roundTrip) {}

    private final double intercept;
    private final double slope;
    private final double[] at;
    private final Envelope centre;
    private final Envelope hard;
    private final double expectedError;

    /** @param bounds at least one, by time; without a step between them */
    Segment(List<Bound> bounds, List<Middle> middles, double roughSlope) {
        int n = bounds.size();
        double[] line = line(middles, roughSlope, bounds.get(0));
        this.intercept = line[0];
        this.slope = line[1];
        this.at = new double[n];
        double[] offset = new double[n];
        boolean[] upper = new boolean[n];
        for (int i = 0; i < n; i++) {
            Bound bound = bounds.get(i);
            at[i] = bound.at();
            offset[i] = bound.offset() - intercept - slope * bound.at();
            upper[i] = bound.upper();
        }
        double rho = LEAST_RHO;
        Envelope found = new Envelope(at, offset, upper, rho, null);
        while (found.inverted() && rho < MOST_RHO) {
            rho = Math.min(2 * rho, MOST_RHO);
            found = new Envelope(at, offset, upper, rho, null);
        }
        this.centre = found;
        this.hard = new Envelope(at, offset, upper, Math.max(BOUND_RHO, rho) + slopeError(found), null);
        this.expectedError = expectedError(offset, upper, rho);
    }

    /** The line's slope is only known as well as the corridor is narrow at its ends. */
    private double slopeError(Envelope envelope) {
        int last = at.length - 1;
        double span = at[last] - at[0];
        double open = envelope.upper[0] - envelope.lower[0] + envelope.upper[last] - envelope.lower[last];
        return span > 0 && open > 0 && !Double.isInfinite(open) ? Math.min(MOST_RHO, open / span) : MOST_RHO;
    }

    /**
     * Halves the bounds; the two estimates' difference is twice as large as the error of their mean, and the estimate from
     * all is no worse than that.
     */
    private double expectedError(double[] offset, boolean[] upper, double rho) {
        boolean[] odd = new boolean[at.length];
        int uppers = 0;
        int lowers = 0;
        for (int i = 0; i < at.length; i++) {
            odd[i] = ((upper[i] ? uppers++ : lowers++) & 1) != 0;
        }
        if (uppers < FEW || lowers < FEW) {
            return Double.POSITIVE_INFINITY;
        }
        boolean[] even = new boolean[at.length];
        for (int i = 0; i < at.length; i++) {
            even[i] = !odd[i];
        }
        Envelope one = new Envelope(at, offset, upper, rho, odd);
        Envelope other = new Envelope(at, offset, upper, rho, even);
        double squares = 0;
        for (int i = 0; i < at.length; i++) {
            double difference = (one.upper[i] + one.lower[i] - other.upper[i] - other.lower[i]) / 2;
            squares += difference * difference;
        }
        return Math.sqrt(squares / at.length) / 2;
    }

    /** Fits a line with the weights of chrony: exchanges that took long count little. */
    private static double[] line(List<Middle> middles, double roughSlope, Bound first) {
        if (middles.isEmpty()) {
            return new double[] {first.offset() - roughSlope * first.at(), roughSlope};
        }
        double[] roundTrips =
                middles.stream().mapToDouble(Middle::roundTrip).sorted().toArray();
        double least = roundTrips[0];
        double spread = Math.max(1, (roundTrips[roundTrips.length / 2] - least) / 0.7);
        double weights = 0;
        double meanAt = 0;
        double meanOffset = 0;
        for (Middle middle : middles) {
            double weight = weight(middle, least, spread);
            weights += weight;
            meanAt += weight * middle.at();
            meanOffset += weight * middle.offset();
        }
        meanAt /= weights;
        meanOffset /= weights;
        double xx = 0;
        double xy = 0;
        for (Middle middle : middles) {
            double weight = weight(middle, least, spread);
            double x = middle.at() - meanAt;
            xx += weight * x * x;
            xy += weight * x * (middle.offset() - meanOffset);
        }
        double slope = xx > 0 && middles.size() > 2 ? Math.max(-1e-3, Math.min(1e-3, xy / xx)) : roughSlope;
        return new double[] {meanOffset - slope * meanAt, slope};
    }

    private static double weight(Middle middle, double least, double spread) {
        double excess = (middle.roundTrip() - least) / spread;
        return 1 / (1 + excess * excess);
    }

    double from() {
        return at[0];
    }

    double to() {
        return at[at.length - 1];
    }

    double slope() {
        return slope;
    }

    double expectedError() {
        return expectedError;
    }

    /** Finds the last bound at or before the instant, -1 before the first; tries the hint and its neighbour before. */
    int place(double x, int hint) {
        for (int i = hint; i <= hint + 1; i++) {
            if (i >= -1 && i < at.length && (i < 0 || at[i] <= x) && (i + 1 >= at.length || at[i + 1] > x)) {
                return i;
            }
        }
        int found = Arrays.binarySearch(at, x);
        if (found < 0) {
            return -found - 2;
        }
        while (found + 1 < at.length && at[found + 1] <= x) {
            found++;
        }
        return found;
    }

    double estimate(double x, int place) {
        double above = centre.upper(x, place);
        double below = centre.lower(x, place);
        double middle = Double.isInfinite(above) ? below : Double.isInfinite(below) ? above : (above + below) / 2;
        return intercept + slope * x + middle;
    }

    double upper(double x, int place) {
        return intercept + slope * x + hard.upper(x, place);
    }

    double lower(double x, int place) {
        return intercept + slope * x + hard.lower(x, place);
    }

    /** Lists where the bound may be largest within a range: ends, knots, and where the sides of two knots meet. */
    double[] extremes(double from, double to) {
        int first = Math.max(0, place(from, 0));
        int last = Math.max(0, place(to, first));
        double[] found = new double[2 + (last - first + 1) * 5];
        int n = 0;
        found[n++] = from;
        found[n++] = to;
        for (int i = first; i <= last; i++) {
            n = add(found, n, at[i], from, to);
            if (i + 1 < at.length) {
                n = add(found, n, centre.meeting(i, true), from, to);
                n = add(found, n, centre.meeting(i, false), from, to);
                n = add(found, n, hard.meeting(i, true), from, to);
                n = add(found, n, hard.meeting(i, false), from, to);
            }
        }
        return Arrays.copyOf(found, n);
    }

    private static int add(double[] to, int n, double x, double least, double most) {
        if (x >= least && x <= most) {
            to[n] = x;
            return n + 1;
        }
        return n;
    }

    /** What bounds leave open when the clock's rate strays from the line's by rho at most; by two sweeps, O(n). */
    private static final class Envelope {

        private final double[] at;
        private final double rho;
        private final double[] upper;
        private final double[] lower;

        Envelope(double[] at, double[] offset, boolean[] isUpper, double rho, boolean @Nullable [] use) {
            int n = at.length;
            this.at = at;
            this.rho = rho;
            this.upper = new double[n];
            this.lower = new double[n];
            for (int i = 0; i < n; i++) {
                boolean used = use == null || use[i];
                upper[i] = used && isUpper[i] ? offset[i] : Double.POSITIVE_INFINITY;
                lower[i] = used && !isUpper[i] ? offset[i] : Double.NEGATIVE_INFINITY;
            }
            for (int i = 1; i < n; i++) {
                double stray = rho * (at[i] - at[i - 1]);
                upper[i] = Math.min(upper[i], upper[i - 1] + stray);
                lower[i] = Math.max(lower[i], lower[i - 1] - stray);
            }
            for (int i = n - 2; i >= 0; i--) {
                double stray = rho * (at[i + 1] - at[i]);
                upper[i] = Math.min(upper[i], upper[i + 1] + stray);
                lower[i] = Math.max(lower[i], lower[i + 1] - stray);
            }
        }

        boolean inverted() {
            for (int i = 0; i < at.length; i++) {
                if (upper[i] < lower[i]) {
                    return true;
                }
            }
            return false;
        }

        double upper(double x, int place) {
            double left = place < 0 ? Double.POSITIVE_INFINITY : upper[place] + rho * (x - at[place]);
            return place + 1 >= at.length ? left : Math.min(left, upper[place + 1] + rho * (at[place + 1] - x));
        }

        double lower(double x, int place) {
            double left = place < 0 ? Double.NEGATIVE_INFINITY : lower[place] - rho * (x - at[place]);
            return place + 1 >= at.length ? left : Math.max(left, lower[place + 1] - rho * (at[place + 1] - x));
        }

        double meeting(int i, boolean ofUpper) {
            double rise = ofUpper ? upper[i + 1] - upper[i] : lower[i] - lower[i + 1];
            return (at[i] + at[i + 1] + rise / rho) / 2;
        }
    }
}
