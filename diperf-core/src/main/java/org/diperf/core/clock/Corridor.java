package org.diperf.core.clock;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.diperf.core.clock.Segment.Bound;
import org.diperf.core.clock.Segment.Middle;

/**
 * Maps a client's clock to global time, with a hard bound on the error, from all exchanges of a run at once.
 *
 * <p>Each exchange bounds the offset "global minus client" from above and from below; a bound holds for neighbouring
 * instants too, widened by how far the rate may stray (rho). The corridor is what all bounds leave open, after a line was
 * taken off; its middle is the estimate. This is Marzullo's intersection of intervals carried through time (K. Marzullo,
 * 1984), with the drift budget of Cristian (1989), from both sides. The estimate uses the smallest rho from 1 ppm that leaves
 * the corridor open; the bound uses at least 25 ppm, more where the line's slope is uncertain. Where 100 ppm leaves nothing open, the clock was stepped: the
 * corridor is split, and between the last instant surely before and the first surely after the step the bound spans both
 * parts.
 *
 * <p><b>Caveats.</b> An asymmetric path shifts the estimate by half the asymmetry, within the bound: no method can see it. A
 * rate that strays by more than 25 ppm within the run for less than shows in the exchanges breaks the bound.
 *
 * <p>Immutable; a {@link Reader} is confined to one thread.
 */
public final class Corridor {

    private static final double STEP_RHO = 100e-6;
    private static final int BLOCKS = 64;

    private final long clientBase;
    private final long offsetBase;
    private final List<Segment> segments;
    private final long exchanges;

    private Corridor(long clientBase, long offsetBase, List<Segment> segments, long exchanges) {
        this.clientBase = clientBase;
        this.offsetBase = offsetBase;
        this.segments = segments;
        this.exchanges = exchanges;
    }

    /**
     * Makes the corridor of a clock.
     *
     * @return empty when the offset is not bounded from both sides
     */
    public static Optional<Corridor> of(ClockBounds of) {
        List<Exchange> exchanges = of.exchanges();
        boolean above = exchanges.stream().anyMatch(Exchange::hasUpper);
        boolean below = exchanges.stream().anyMatch(Exchange::hasLower);
        if (!above || !below) {
            return Optional.empty();
        }
        Exchange first =
                exchanges.stream().filter(Exchange::hasUpper).findFirst().orElseThrow();
        long clientBase = first.clientSent();
        long offsetBase = first.upperNanos();
        List<Bound> bounds = new ArrayList<>(2 * exchanges.size());
        List<Middle> middles = new ArrayList<>(exchanges.size());
        for (Exchange exchange : exchanges) {
            double sent = exchange.clientSent() - clientBase;
            double received = exchange.clientReceived() - clientBase;
            double upper = exchange.upperNanos() - offsetBase;
            double lower = exchange.lowerNanos() - offsetBase;
            if (exchange.hasUpper()) {
                bounds.add(new Bound(sent, upper, true));
            }
            if (exchange.hasLower()) {
                bounds.add(new Bound(received, lower, false));
            }
            if (exchange.hasUpper() && exchange.hasLower()) {
                middles.add(new Middle((sent + received) / 2, (upper + lower) / 2, upper - lower));
            }
        }
        bounds.sort(Comparator.comparingDouble(Bound::at));
        middles.sort(Comparator.comparingDouble(Middle::at));
        double slope = roughSlope(middles);
        return Optional.of(new Corridor(clientBase, offsetBase, split(bounds, middles, slope), of.added()));
    }

    /** The median slope between the best exchanges of 64 parts, a quarter of the run apart: a few steps do not harm it. */
    private static double roughSlope(List<Middle> middles) {
        if (middles.size() < 2) {
            return 0;
        }
        double from = middles.get(0).at();
        double width = (middles.get(middles.size() - 1).at() - from) / BLOCKS;
        List<Middle> best = new ArrayList<>();
        int block = -1;
        for (Middle middle : middles) {
            int of = width > 0 ? (int) ((middle.at() - from) / width) : 0;
            int last = best.size() - 1;
            if (of != block) {
                best.add(middle);
                block = of;
            } else if (middle.roundTrip() < best.get(last).roundTrip()) {
                best.set(last, middle);
            }
        }
        int apart = Math.max(1, best.size() / 4);
        double[] slopes = new double[Math.max(0, best.size() - apart)];
        for (int i = 0; i < slopes.length; i++) {
            Middle one = best.get(i);
            Middle other = best.get(i + apart);
            slopes[i] = (other.offset() - one.offset()) / Math.max(1, other.at() - one.at());
        }
        Arrays.sort(slopes);
        return slopes.length == 0 ? 0 : Math.max(-1e-3, Math.min(1e-3, slopes[slopes.length / 2]));
    }

    private static List<Segment> split(List<Bound> bounds, List<Middle> middles, double slope) {
        List<Segment> segments = new ArrayList<>();
        int from = 0;
        while (from < bounds.size()) {
            int to = conflict(bounds, from, 1, bounds.size(), slope);
            int sure = to;
            if (to < bounds.size()) {
                int next = conflict(bounds, to, 1, bounds.size(), slope);
                sure = Math.max(from, conflict(bounds, next - 1, -1, from - 1, slope)) + 1;
            }
            List<Bound> part = bounds.subList(from, Math.min(sure, to));
            double begin = part.get(0).at();
            double end = part.get(part.size() - 1).at();
            List<Middle> within = middles.stream()
                    .filter(middle -> middle.at() >= begin && middle.at() <= end)
                    .toList();
            segments.add(new Segment(part, within, slope));
            from = to;
        }
        return segments;
    }

    /** Goes on from a bound in one direction until one contradicts those before it, and returns it; else the end. */
    private static int conflict(List<Bound> bounds, int from, int step, int end, double slope) {
        double upper = Double.POSITIVE_INFINITY;
        double lower = Double.NEGATIVE_INFINITY;
        double at = bounds.get(from).at();
        for (int i = from; i != end; i += step) {
            Bound bound = bounds.get(i);
            double stray = STEP_RHO * Math.abs(bound.at() - at);
            double offset = bound.offset() - slope * bound.at();
            upper += stray;
            lower -= stray;
            at = bound.at();
            upper = bound.upper() ? Math.min(upper, offset) : upper;
            lower = bound.upper() ? lower : Math.max(lower, offset);
            if (upper < lower) {
                return i;
            }
        }
        return end;
    }

    /** Begins to read times; faster than the corridor's own methods when the times are near each other. */
    public Reader reader() {
        return new Reader();
    }

    /** Maps an instant of the client's clock to global time. */
    public long globalNanos(long clientNanos) {
        return reader().globalNanos(clientNanos);
    }

    /** Bounds the error of {@link #globalNanos} at this instant; {@link Long#MAX_VALUE} when nothing bounds it. */
    public long boundNanos(long clientNanos) {
        return reader().boundNanos(clientNanos);
    }

    /** Gives the largest bound of a range of the client's clock. */
    public long maxBoundNanos(long fromClientNanos, long toClientNanos) {
        double from = fromClientNanos - clientBase;
        double to = Math.max(from, toClientNanos - clientBase);
        Reader reader = reader();
        double largest = 0;
        for (Segment segment : segments) {
            for (double x : segment.extremes(from, to)) {
                largest = Math.max(largest, reader.bound(x));
            }
        }
        for (int i = 1; i < segments.size(); i++) {
            // Around a step the bound jumps where the sides of the gap and its middle are.
            double begin = segments.get(i - 1).to();
            double end = segments.get(i).from();
            double middle = reader.middleBefore(i);
            for (double x : new double[] {Math.nextUp(begin), Math.nextDown(middle), middle, Math.nextDown(end)}) {
                largest = x >= from && x <= to && x > begin && x < end ? Math.max(largest, reader.bound(x)) : largest;
            }
        }
        return rounded(largest);
    }

    /** Gives the rate of the client's clock against global time, in parts per million. */
    public double driftPpm() {
        Segment longest = segments.get(0);
        for (Segment segment : segments) {
            longest = segment.to() - segment.from() > longest.to() - longest.from() ? segment : longest;
        }
        return -longest.slope() * 1e6;
    }

    /**
     * Gives the expected error of the estimate, from how much two halves of the exchanges disagree. Does not see what all
     * exchanges have in common, such as an asymmetric path.
     *
     * @return nanoseconds; {@link Long#MAX_VALUE} when there are too few exchanges
     */
    public long expectedErrorNanos() {
        return rounded(
                segments.stream().mapToDouble(Segment::expectedError).max().orElse(Double.POSITIVE_INFINITY));
    }

    /** Counts the steps of the clock that were found. */
    public int steps() {
        return segments.size() - 1;
    }

    /** Counts the exchanges. */
    public long exchanges() {
        return exchanges;
    }

    private static long rounded(double bound) {
        return bound < 4e18 ? (long) Math.ceil(bound) : Long.MAX_VALUE;
    }

    /** Reads times one after another. Allocates nothing. Confined to one thread. */
    public final class Reader {

        private int segment;
        private int place;
        private double bound;

        private Reader() {}

        /** Maps an instant of the client's clock to global time. */
        public long globalNanos(long clientNanos) {
            return clientNanos + offsetBase + Math.round(estimate(clientNanos - clientBase));
        }

        /** Bounds the error of {@link #globalNanos} at this instant; {@link Long#MAX_VALUE} when nothing bounds it. */
        public long boundNanos(long clientNanos) {
            return rounded(bound(clientNanos - clientBase));
        }

        private double estimate(double x) {
            find(x);
            Segment here = segments.get(segment);
            place = here.place(x, place);
            return here.estimate(x, place);
        }

        private double bound(double x) {
            double estimate = estimate(x);
            bound = 0;
            widen(segments.get(segment), x, place, estimate);
            // In the gap around a step the clock may be on either side of it.
            if (segment + 1 < segments.size() && x > segments.get(segment).to()) {
                Segment next = segments.get(segment + 1);
                widen(next, x, next.place(x, -1), estimate);
            }
            if (segment > 0 && x < segments.get(segment).from()) {
                Segment before = segments.get(segment - 1);
                widen(before, x, before.place(x, -1), estimate);
            }
            return bound;
        }

        private void widen(Segment by, double x, int at, double estimate) {
            bound = Math.max(bound, Math.max(by.upper(x, at) - estimate, estimate - by.lower(x, at)));
        }

        private void find(double x) {
            while (segment > 0 && x < middleBefore(segment)) {
                segment--;
                place = -1;
            }
            while (segment + 1 < segments.size() && x >= middleBefore(segment + 1)) {
                segment++;
                place = -1;
            }
        }

        private double middleBefore(int next) {
            return (segments.get(next - 1).to() + segments.get(next).from()) / 2;
        }
    }
}
