package org.diperf.core.clock;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * A corridor between two steps of a clock. Times and offsets are nanoseconds relative to the corridor's bases. Offsets
 * are kept relative to their trend. Two envelopes: a narrow one for the estimate and a wide one for the hard bound.
 * Immutable.
 */
final class Segment {

    private static final double MIN_RHO = 1e-6;
    private static final double BOUND_RHO = 25e-6;
    private static final double MAX_SLOPE_ERROR = 400e-6;
    /** After steps in a row the clock is being slewed by more than a step's rho, and its slope there is unknown. */
    private static final double MAX_FRAGMENT_ERROR = 1000e-6;

    static final double FRAGMENT_NANOS = 30e9;
    /** An oscillator's rate stays the same for about so long, as RADclock's model has it. */
    private static final double PIECE_NANOS = 1e12;

    private static final double MIN_PIECE_NANOS = 15e9;
    private static final int BURSTS_A_PIECE = 3;
    private static final int MAX_PIECES = 256;
    private static final double STRAYED_RHO = 2e-6;
    private static final double MIN_SLEW = 4e-6;
    private static final int FEW = 8;

    /** What the rate of a clock was for a while, relative to the rest. */
    record Slew(double from, double to, double rate) {}

    private final double[] at;
    private final double[] trend;
    /** Of the trend in the gap before each bound, and behind the last one. */
    private final double[] slope;

    private final Trend fitted;
    private final double meanSlope;
    private final Envelope centre;
    private final Envelope hard;
    private final double expectedError;
    private final StepSplitter.Part part;

    /**
     * @param part without a step in it
     * @param alone whether there is no other
     */
    Segment(StepSplitter.Part part, double roughSlope, boolean alone) {
        this.part = part;
        List<Bound> bounds = part.bounds().stream()
                .sorted(Comparator.comparingDouble(Bound::at))
                .toList();
        int n = bounds.size();
        this.at = bounds.stream().mapToDouble(Bound::at).toArray();
        this.trend = new double[n];
        this.slope = new double[n + 1];
        double[] offset = new double[n];
        boolean[] upper = new boolean[n];
        double span = at[n - 1] - at[0];
        int pieces = (int) Math.max(1, Math.min(MAX_PIECES, Math.round(span / PIECE_NANOS)));
        double leastPiece = Math.max(MIN_PIECE_NANOS, BURSTS_A_PIECE * span / Math.max(1, bursts()));
        Trend line;
        Envelope narrow;
        while (true) {
            line = part.middles().isEmpty()
                    ? Trend.line(at[0], bounds.get(0).offset(), roughSlope)
                    : Trend.fit(part, at[0], at[n - 1], pieces, roughSlope);
            lay(line, bounds, offset, upper);
            narrow = Envelope.open(at, offset, upper, MIN_RHO);
            boolean strayed = Arrays.stream(narrow.rho).max().orElse(0) >= STRAYED_RHO;
            if (!strayed || 2 * pieces > MAX_PIECES || span / (2 * pieces) < leastPiece) {
                break;
            }
            pieces *= 2;
        }
        this.fitted = line;
        this.meanSlope = line.meanSlope();
        this.centre = narrow;
        double slopeError = slopeError(!alone && span < FRAGMENT_NANOS ? MAX_FRAGMENT_ERROR : MAX_SLOPE_ERROR);
        double[] rho = new double[n];
        for (int i = 0; i < n; i++) {
            rho[i] = Math.max(BOUND_RHO, 4 * centre.rho[i]) + slopeError + line.strayAround(at[i]);
        }
        this.hard = new Envelope(at, offset, upper, rho, null);
        this.expectedError = expectedError(offset, upper);
    }

    private void lay(Trend line, List<Bound> bounds, double[] offset, boolean[] upper) {
        int n = at.length;
        for (int i = 0; i < n; i++) {
            trend[i] = line.at(at[i]);
            offset[i] = bounds.get(i).offset() - trend[i];
            upper[i] = bounds.get(i).upper();
            slope[i] =
                    i > 0 && at[i] > at[i - 1] ? (trend[i] - trend[i - 1]) / (at[i] - at[i - 1]) : line.slopeAt(at[i]);
        }
        slope[n] = line.slopeAt(at[n - 1]);
    }

    private int bursts() {
        int bursts = 0;
        double begun = Double.NEGATIVE_INFINITY;
        for (Bound.Middle middle : part.middles()) {
            if (middle.order() - begun > 1e9) {
                begun = middle.order();
                bursts++;
            }
        }
        return bursts;
    }

    /** The mean slope is only known as well as the corridor is narrow at its ends. */
    private double slopeError(double most) {
        int last = at.length - 1;
        double span = at[last] - at[0];
        double off = Math.max(centre.upper[last], -centre.lower[last]) + Math.max(centre.upper[0], -centre.lower[0]);
        return span > 0 && off > 0 && !Double.isInfinite(off) ? Math.min(most, off / span) : most;
    }

    /**
     * Halves the bounds; the two estimates' difference is twice as large as the error of their mean, and the estimate from
     * all is no worse than that.
     */
    private double expectedError(double[] offset, boolean[] upper) {
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
        Envelope one = new Envelope(at, offset, upper, centre.rho, odd);
        Envelope other = new Envelope(at, offset, upper, centre.rho, even);
        double squares = 0;
        for (int i = 0; i < at.length; i++) {
            double difference = (one.upper[i] + one.lower[i] - other.upper[i] - other.lower[i]) / 2;
            squares += difference * difference;
        }
        return Math.sqrt(squares / at.length) / 2;
    }

    /** Finds where the rate was another one than for most of the time; only where bounds told that it strayed. */
    List<Slew> slews() {
        List<Slew> found = new ArrayList<>();
        double[] knots = fitted.knots();
        int pieces = knots.length - 1;
        double[] slopes = new double[pieces];
        for (int i = 0; i < pieces; i++) {
            slopes[i] = fitted.slopeAt((knots[i] + knots[i + 1]) / 2);
        }
        double[] sorted = slopes.clone();
        Arrays.sort(sorted);
        double usual = sorted[pieces / 2];
        for (int i = 0; i < pieces; i++) {
            double sign = Math.signum(slopes[i] - usual);
            int to = i;
            while (to < pieces && sign * (slopes[to] - usual) > MIN_SLEW) {
                to++;
            }
            if (to > i) {
                double rate = (fitted.at(knots[to]) - fitted.at(knots[i])) / (knots[to] - knots[i]);
                found.add(new Slew(knots[i], knots[to], usual - rate));
                i = to;
            }
        }
        return found;
    }

    StepSplitter.Part part() {
        return part;
    }

    double from() {
        return at[0];
    }

    double to() {
        return at[at.length - 1];
    }

    double meanSlope() {
        return meanSlope;
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

    double trend(double x, int place) {
        return place < 0 ? trend[0] + slope[0] * (x - at[0]) : trend[place] + slope[place + 1] * (x - at[place]);
    }

    double estimate(double x, int place) {
        double above = centre.upper(x, place);
        double below = centre.lower(x, place);
        double middle = Double.isInfinite(above) ? below : Double.isInfinite(below) ? above : (above + below) / 2;
        return trend(x, place) + middle;
    }

    /** Returns the ends of the straight line on which the estimate is; without length where it cannot be told. */
    double[] straight(double x, int place) {
        if (place < 0 || place + 1 >= at.length) {
            return new double[] {x, x};
        }
        double from = at[place];
        double to = at[place + 1];
        for (int side = 0; side < 2; side++) {
            double meeting = centre.meeting(place, side == 0);
            if (!Double.isFinite(meeting)) {
                return new double[] {x, x};
            }
            if (meeting > from && meeting <= x) {
                from = meeting;
            } else if (meeting > x && meeting < to) {
                to = meeting;
            }
        }
        return new double[] {from, to};
    }

    double upper(double x, int place) {
        return trend(x, place) + hard.upper(x, place);
    }

    double lower(double x, int place) {
        return trend(x, place) + hard.lower(x, place);
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
}
