package org.diperf.core.clock;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.diperf.core.clock.Bound.All;
import org.diperf.core.clock.Bound.Middle;

/**
 * Cuts the bounds of a clock where it was stepped: where bounds contradict each other by more than 100 ppm allow, and where
 * bounds from above and from below jump together by more than they scatter, which tells steps that are shorter than the
 * round trip. Bounds between the last instant surely before and the first surely after a step belong to neither part.
 */
final class StepSplitter {

    private static final double STEP_RHO = 100e-6;
    private static final double MAX_STEP_RHO = 1e-3;
    private static final double STEEPEST = 1e-3;
    private static final int BLOCKS = 64;

    /**
     * The bounds between two steps, in their order.
     *
     * @param bounds at least one
     * @param middles of exchanges within
     * @param level of each middle: which route it took, 0 that with the least round trip
     * @param shifts where the route changed
     */
    record Part(List<Bound> bounds, List<Middle> middles, int[] level, List<LevelShifts.Shift> shifts) {}

    private final List<Bound> bounds;
    private final List<Middle> middles;
    private final List<Part> parts = new ArrayList<>();
    private double slope;
    private double rho = STEP_RHO;
    private double levelRho = STEP_RHO;

    private StepSplitter(All all) {
        this.bounds = all.bounds();
        this.middles = all.middles();
    }

    /** Cuts all bounds; gives at least one part. */
    static StepSplitter of(All all) {
        StepSplitter made = new StepSplitter(all);
        made.findRoughSlope();
        made.cut();
        return made;
    }

    List<Part> parts() {
        return parts;
    }

    double roughSlope() {
        return slope;
    }

    /** The median slope between the best exchanges of 64 blocks, a quarter of the run apart: a few steps do not harm it. */
    private void findRoughSlope() {
        if (middles.size() < 2) {
            rho = MAX_STEP_RHO;
            return;
        }
        double from = middles.get(0).order();
        double width = (middles.get(middles.size() - 1).order() - from) / BLOCKS;
        List<Middle> best = new ArrayList<>();
        int block = -1;
        for (Middle middle : middles) {
            int of = width > 0 ? (int) ((middle.order() - from) / width) : 0;
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
        double[] errors = new double[slopes.length];
        for (int i = 0; i < slopes.length; i++) {
            Middle one = best.get(i);
            Middle other = best.get(i + apart);
            double length = Math.max(1, Math.abs(other.at() - one.at()));
            slopes[i] = (other.offset() - one.offset()) / length;
            errors[i] = (one.roundTrip() + other.roundTrip()) / 2 / length;
        }
        if (slopes.length == 0) {
            rho = MAX_STEP_RHO;
            return;
        }
        Arrays.sort(slopes);
        Arrays.sort(errors);
        slope = Math.max(-STEEPEST, Math.min(STEEPEST, slopes[slopes.length / 2]));
        rho = Math.min(MAX_STEP_RHO, STEP_RHO + errors[errors.length / 2]);
        double[] apartFrom =
                Arrays.stream(slopes).map(one -> Math.abs(one - slope)).sorted().toArray();
        levelRho = Math.min(MAX_STEP_RHO, STEP_RHO + apartFrom[apartFrom.length / 2]);
    }

    private void cut() {
        int from = 0;
        while (from < bounds.size()) {
            int to = conflict(from, 1, bounds.size());
            int sure = to;
            if (to < bounds.size()) {
                int next = conflict(to, 1, bounds.size());
                sure = Math.max(from, conflict(next - 1, -1, from - 1)) + 1;
            }
            cutFinely(bounds.subList(from, Math.min(sure, to)));
            from = to;
        }
    }

    /** Goes on from a bound in one direction until one contradicts those before it, and returns it; else the end. */
    private int conflict(int from, int step, int end) {
        double upper = Double.POSITIVE_INFINITY;
        double lower = Double.NEGATIVE_INFINITY;
        double at = bounds.get(from).at();
        for (int i = from; i != end; i += step) {
            Bound bound = bounds.get(i);
            double stray = rho * Math.abs(bound.at() - at);
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

    private void cutFinely(List<Bound> coarse) {
        LevelShifts levels = LevelShifts.of(within(coarse), slope, levelRho);
        double from = Double.NEGATIVE_INFINITY;
        for (LevelShifts.Shift step : levels.steps()) {
            add(coarse, from, step.before(), levels);
            from = step.after();
        }
        add(coarse, from, Double.POSITIVE_INFINITY, levels);
    }

    private void add(List<Bound> coarse, double from, double to, LevelShifts levels) {
        List<Bound> part = coarse.stream()
                .filter(bound -> bound.order() >= from && bound.order() <= to)
                .toList();
        if (part.isEmpty()) {
            return;
        }
        List<Middle> inside = within(part);
        List<LevelShifts.Shift> shifts = levels.routes().stream()
                .filter(shift -> shift.before() >= from && shift.after() <= to)
                .toList();
        parts.add(new Part(part, inside, LevelShifts.numbered(inside, shifts), shifts));
    }

    private List<Middle> within(List<Bound> part) {
        // Of an exchange with a step between its stamps, both bounds hold, each on its side; its middle means nothing.
        BitSet above = new BitSet();
        BitSet both = new BitSet();
        for (Bound bound : part) {
            if (bound.upper()) {
                above.set(bound.exchange());
            } else {
                both.set(bound.exchange());
            }
        }
        both.and(above);
        return middles.stream().filter(middle -> both.get(middle.exchange())).toList();
    }
}
