package org.diperf.core.clock;

import java.util.ArrayList;
import java.util.List;
import org.diperf.core.clock.Bound.Middle;

/** Names what happened to a clock between and within the segments of its corridor. */
final class ClockEvents {

    private static final int FEW = 8;
    private static final int FEWEST_FRAGMENTS = 2;
    private static final double MILLI = 1e6;

    /** The wall clock's stamps have whole milliseconds, and the jump is known as well as the corridor is narrow. */
    private static final double WALL_TOLERANCE_MILLIS = 3;

    private final List<Segment> segments;
    private final long clientBase;

    ClockEvents(List<Segment> segments, long clientBase) {
        this.segments = segments;
        this.clientBase = clientBase;
    }

    List<ClockEvent> all() {
        List<ClockEvent> found = new ArrayList<>();
        for (int i = 1; i < segments.size(); i++) {
            int last = lastOfSlew(i);
            if (last - i >= FEWEST_FRAGMENTS) {
                found.add(slew(segments.get(i - 1), segments.get(last)));
                i = last;
            } else {
                found.add(jump(segments.get(i - 1), segments.get(i)));
            }
        }
        for (Segment segment : segments) {
            for (LevelShifts.Shift shift : segment.part().shifts()) {
                found.add(event(ClockEvent.Kind.ROUTE_CHANGE, shift.fromAt(), shift.toAt(), shift.roundTrip()));
            }
            for (Segment.Slew slew : segment.slews()) {
                found.add(event(ClockEvent.Kind.SLEW, slew.from(), slew.to(), slew.rate() * 1e6));
            }
        }
        return found;
    }

    /** Several steps in a row, a few seconds apart each, are a clock that is slewed by more than a step's rho. */
    private int lastOfSlew(int from) {
        int last = from;
        while (last + 1 < segments.size()
                && segments.get(last).to() - segments.get(last).from() < Segment.FRAGMENT_NANOS) {
            last++;
        }
        return last;
    }

    private ClockEvent slew(Segment before, Segment after) {
        double length = after.from() - before.to();
        double rate = jumped(before, after) / length;
        return event(ClockEvent.Kind.SLEW, before.to(), after.from(), -rate * 1e6);
    }

    private static double jumped(Segment before, Segment after) {
        double from = before.to();
        double to = after.from();
        return after.estimate(to, 0) - before.estimate(from, before.place(from, 0)) - before.meanSlope() * (to - from);
    }

    private ClockEvent event(ClockEvent.Kind kind, double from, double to, double amount) {
        return new ClockEvent(kind, clientBase + Math.round(from), clientBase + Math.round(to), amount);
    }

    private ClockEvent jump(Segment before, Segment after) {
        double from = before.to();
        double to = after.from();
        double grown = jumped(before, after);
        double width = after.upper(to, 0) - after.lower(to, 0);
        double wall = wall(after.part().middles(), true) - wall(before.part().middles(), false);
        double tolerance = WALL_TOLERANCE_MILLIS + width / 2 / MILLI;
        boolean suspended = grown > 2 * WALL_TOLERANCE_MILLIS * MILLI && Math.abs(wall - grown / MILLI) <= tolerance;
        return suspended
                ? event(ClockEvent.Kind.SUSPEND, from, to, grown)
                : event(ClockEvent.Kind.STEP, Math.min(from, to), Math.max(from, to), -grown);
    }

    /** Returns the wall clock minus the client's clock, ms, at an end of a segment; {@code NaN}: unknown. */
    private static double wall(List<Middle> middles, boolean atBegin) {
        double[] known = middles.stream()
                .mapToDouble(Middle::wallMinusClient)
                .filter(wall -> !Double.isNaN(wall))
                .toArray();
        if (known.length == 0) {
            return Double.NaN;
        }
        int from = atBegin ? 0 : Math.max(0, known.length - FEW);
        int to = atBegin ? Math.min(FEW, known.length) : known.length;
        double[] near = java.util.Arrays.copyOfRange(known, from, to);
        java.util.Arrays.sort(near);
        return near[near.length / 2];
    }
}
