package org.diperf.core.clock;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.diperf.core.clock.Bound.All;
import org.diperf.core.clock.ClockBounds.Observed;

/**
 * Maps a client's clock to global time, with a hard bound on the error, from all exchanges of a run at once.
 *
 * <p>Each exchange bounds the offset "global minus client" from above and from below; a bound holds for neighbouring
 * instants too, widened by how far the rate may stray (rho). The corridor is what all bounds leave open, after the trend was
 * taken off; its middle is the estimate. This is Marzullo's intersection of intervals carried through time (K. Marzullo,
 * 1984), with the drift budget of Cristian (1989), from both sides. The estimate uses 1 ppm, and between bounds that
 * contradict each other the smallest rho that leaves the corridor open; the bound uses at least 25 ppm, at least four times
 * that of the estimate, and more where the trend's slope is uncertain or changes. Where 100 ppm leaves nothing open, or the bounds on both
 * sides jump together, the clock was stepped: the corridor is cut, and between the last instant surely before and the first
 * surely after the step the bound spans both parts.
 *
 * <p><b>Caveats.</b> An asymmetric path shifts the estimate by half the asymmetry, within the bound: no method can see it. A
 * rate that strays by more than 25 ppm within the run for less than shows in the exchanges breaks the bound; so does a step
 * that is longer than the shorter way, not as long as the round trip, and smaller than what bursts scatter by.
 *
 * <p>Immutable; a {@link Reader} is confined to one thread.
 */
public final class Corridor {

    private static final double MIN_PIECE_NANOS = 1_000;

    private final long clientBase;
    private final long offsetBase;
    private final List<Segment> segments;
    private final List<Observed> observed;
    private final List<ClockEvent> events;
    private final long exchanges;

    private Corridor(All all, List<Segment> segments, ClockBounds of) {
        this.clientBase = all.clientBase();
        this.offsetBase = all.offsetBase();
        this.segments = segments;
        this.observed = List.copyOf(of.exchanges());
        this.exchanges = of.added();
        List<ClockEvent> found = new ArrayList<>(of.events());
        found.addAll(new ClockEvents(segments, clientBase).all());
        found.sort(Comparator.comparingLong(ClockEvent::fromNanos));
        this.events = List.copyOf(found);
    }

    /**
     * Makes the corridor of a clock.
     *
     * @return empty when the offset is not bounded from both sides
     */
    public static Optional<Corridor> of(ClockBounds of) {
        boolean above = of.exchanges().stream().anyMatch(one -> one.exchange().hasUpper());
        boolean below = of.exchanges().stream().anyMatch(one -> one.exchange().hasLower());
        if (!above || !below) {
            return Optional.empty();
        }
        All all = All.of(of.exchanges());
        StepSplitter parts = StepSplitter.of(all);
        List<Segment> segments = parts.parts().stream()
                .map(part -> new Segment(part, parts.roughSlope(), parts.parts().size() == 1))
                .toList();
        return Optional.of(new Corridor(all, segments, of));
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

    /** Returns the largest bound of a range of the client's clock. */
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
            double begin = Math.min(segments.get(i - 1).to(), segments.get(i).from());
            double end = Math.max(segments.get(i - 1).to(), segments.get(i).from());
            double middle = reader.middleBefore(i);
            for (double x : new double[] {Math.nextUp(begin), Math.nextDown(middle), middle, Math.nextDown(end)}) {
                largest = x >= from && x <= to && x > begin && x < end ? Math.max(largest, reader.bound(x)) : largest;
            }
        }
        return rounded(largest);
    }

    /** Returns the rate of the client's clock against global time, in parts per million. */
    public double driftPpm() {
        return -longest().meanSlope() * 1e6;
    }

    private Segment longest() {
        Segment longest = segments.get(0);
        for (Segment segment : segments) {
            longest = segment.to() - segment.from() > longest.to() - longest.from() ? segment : longest;
        }
        return longest;
    }

    /**
     * Returns the expected error of the estimate, from how much two halves of the exchanges disagree. Does not see what all
     * exchanges have in common, such as an asymmetric path.
     *
     * @return nanoseconds; {@link Long#MAX_VALUE} when there are too few exchanges
     */
    public long expectedErrorNanos() {
        return rounded(
                segments.stream().mapToDouble(Segment::expectedError).max().orElse(Double.POSITIVE_INFINITY));
    }

    /** Counts the steps of the clock that were found, and the times when it stood still. */
    public int steps() {
        return segments.size() - 1;
    }

    /** Returns what happened to the clock and to the path to it, in order of time. */
    public List<ClockEvent> events() {
        return events;
    }

    /**
     * What the corridor is at one instant, in nanoseconds relative to a straight line through the run, which starts again
     * after each step.
     *
     * @param globalNanos estimated
     * @param estimate of the offset
     * @param lower bound of it
     * @param upper bound of it
     */
    public record Section(long globalNanos, double estimate, double lower, double upper) {}

    /**
     * One exchange as it bounds the offset, relative to the same line; without those that bound one side only.
     *
     * @param globalNanos estimated
     */
    public record Dot(long globalNanos, double lower, double upper, Source source) {}

    /** Cuts across the corridor at one instant of the client's clock. */
    public Section section(long clientNanos) {
        double x = clientNanos - clientBase;
        Reader reader = reader();
        double estimate = reader.estimate(x);
        reader.bound(x);
        double line = line(segments.get(reader.segment), x);
        return new Section(
                clientNanos + offsetBase + Math.round(estimate),
                estimate - line,
                reader.least - line,
                reader.most - line);
    }

    /** Returns the exchanges that bound both sides, as they were kept. */
    public List<Dot> dots() {
        List<Dot> dots = new ArrayList<>();
        Reader reader = reader();
        for (Observed one : observed) {
            Exchange exchange = one.exchange();
            if (exchange.hasLower() && exchange.hasUpper()) {
                double received = exchange.clientReceived() - clientBase;
                double sent = exchange.clientSent() - clientBase;
                long global = reader.globalNanos(clientBase + Math.round((received + sent) / 2));
                Segment here = segments.get(reader.segment);
                double upper = exchange.upperNanos() - offsetBase - line(here, sent);
                double lower = exchange.lowerNanos() - offsetBase - line(here, received);
                dots.add(new Dot(global, lower, upper, one.source()));
            }
        }
        return dots;
    }

    /** Returns the first instant of the client's clock that an exchange has. */
    public long firstNanos() {
        return clientBase
                + Math.round(segments.stream().mapToDouble(Segment::from).min().orElse(0));
    }

    /** Returns the last instant of the client's clock that an exchange has. */
    public long lastNanos() {
        return clientBase
                + Math.round(segments.stream().mapToDouble(Segment::to).max().orElse(0));
    }

    private double line(Segment of, double x) {
        return of.trend(of.from(), 0) + longest().meanSlope() * (x - of.from());
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
        private double most;
        private double least;
        private double pieceFrom;
        private double pieceTo = Double.NEGATIVE_INFINITY;
        private double pieceOffset;
        private double pieceSlope;

        private Reader() {}

        /** Maps an instant of the client's clock to global time. */
        public long globalNanos(long clientNanos) {
            double x = clientNanos - clientBase;
            double offset = x >= pieceFrom && x < pieceTo ? pieceOffset + pieceSlope * (x - pieceFrom) : onPiece(x);
            return clientNanos + offsetBase + (long) Math.floor(offset + 0.5);
        }

        /**
         * Maps the sums of starts and lengths, instants of the client's clock, to global time after an instant.
         *
         * @param since subtracted from what {@link #globalNanos(long)} gives
         */
        public void globalNanos(long[] starts, long[] lengths, long since, long[] into, int count) {
            int i = 0;
            while (i < count) {
                into[i] = globalNanos(starts[i] + lengths[i]) - since;
                i = onSamePiece(starts, lengths, since, into, i + 1, count);
            }
        }

        /** Maps instants until one is not on the line that was kept; gives its place. */
        private int onSamePiece(long[] starts, long[] lengths, long since, long[] into, int from, int to) {
            double first = pieceFrom;
            // Distances are whole numbers, which are quicker to compare.
            long least = (long) Math.ceil(pieceFrom);
            long behind = (long) Math.ceil(pieceTo);
            double offset = pieceOffset;
            double slope = pieceSlope;
            long shift = offsetBase - since;
            long clientZero = clientBase;
            for (int i = from; i < to; i++) {
                long local = starts[i] + lengths[i];
                long x = local - clientZero;
                if (x < least || x >= behind) {
                    return i;
                }
                into[i] = local + shift + (long) Math.floor(offset + slope * (x - first) + 0.5);
            }
            return to;
        }

        /** The estimate is a straight line between knots: reads it, and keeps the line for the instants that follow. */
        private double onPiece(double x) {
            double estimate = estimate(x);
            Segment here = segments.get(segment);
            double[] ends = here.straight(x, place);
            double from = segment == 0 ? ends[0] : Math.max(ends[0], middleBefore(segment));
            double to = segment + 1 == segments.size() ? ends[1] : Math.min(ends[1], middleBefore(segment + 1));
            if (!(to - from > MIN_PIECE_NANOS)) {
                return estimate;
            }
            pieceFrom = from;
            pieceTo = to;
            pieceOffset = here.estimate(from, place);
            pieceSlope = (here.estimate(to, place) - pieceOffset) / (to - from);
            return pieceOffset + pieceSlope * (x - pieceFrom);
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
            Segment here = segments.get(segment);
            most = estimate;
            least = estimate;
            widen(here, x, place);
            // In the gap around a step the clock may be on either side of it; readings that came twice are on both.
            if (segment + 1 < segments.size()) {
                Segment next = segments.get(segment + 1);
                if (x > Math.min(here.to(), next.from())) {
                    widen(next, x, next.place(x, -1));
                }
            }
            if (segment > 0) {
                Segment before = segments.get(segment - 1);
                if (x < Math.max(here.from(), before.to())) {
                    widen(before, x, before.place(x, -1));
                }
            }
            return Math.max(most - estimate, estimate - least);
        }

        private void widen(Segment by, double x, int at) {
            most = Math.max(most, by.upper(x, at));
            least = Math.min(least, by.lower(x, at));
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
