package org.diperf.core.clock;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.diperf.core.clock.Bound.Middle;

/**
 * Finds where the bounds of a clock go over to other levels. When those from above and from below jump together, the clock
 * was stepped; when they open or close, the route changed. Compared are the best bounds of the three bursts before and
 * after; a jump must be ten times as long as the best of a burst and the second best are usually apart.
 */
final class LevelShifts {

    private static final int WINDOW = 3;
    private static final int MIN_WINDOW = 2;
    private static final int ENOUGH_PROBES = 16;
    private static final double BURST_NANOS = 1e9;
    private static final double OUTLIER_FACTOR = 10;
    private static final double MIN_SHIFT_NANOS = 50e3;
    private static final double MIN_SHARE = 0.15;
    private static final double MIN_STEP_SHARE = 0.05;
    private static final double WITHIN_BURST = 0.9;
    private static final double STEP_PEAK = 0.95;
    private static final double ROUTE_PEAK = 0.8;

    /**
     * A change of level.
     *
     * @param before last instant surely before, in the order of bounds
     * @param after first instant surely after
     * @param fromAt the former on the client's clock
     * @param toAt the latter on the client's clock
     * @param roundTrip by which the least round trip grew
     */
    record Shift(double before, double after, double fromAt, double toAt, double roundTrip) {}

    /** The best bounds of a burst. */
    private static final class Burst {
        final Middle first;
        Middle last;
        double upper = Double.POSITIVE_INFINITY;
        double lower = Double.NEGATIVE_INFINITY;
        double secondUpper = Double.POSITIVE_INFINITY;
        double secondLower = Double.NEGATIVE_INFINITY;
        double roundTrip = Double.POSITIVE_INFINITY;

        Burst(Middle first) {
            this.first = first;
            this.last = first;
        }

        void add(Middle middle, double above, double below) {
            last = middle;
            roundTrip = Math.min(roundTrip, middle.roundTrip());
            secondUpper = Math.min(secondUpper, Math.max(upper, above));
            secondLower = Math.max(secondLower, Math.min(lower, below));
            upper = Math.min(upper, above);
            lower = Math.max(lower, below);
        }

        double upperScatter() {
            return secondUpper - upper;
        }

        double lowerScatter() {
            return lower - secondLower;
        }
    }

    private final List<Burst> bursts = new ArrayList<>();
    private final List<Shift> steps = new ArrayList<>();
    private final List<Shift> routes = new ArrayList<>();

    private LevelShifts() {}

    /**
     * @param middles in their order
     * @param rho by which the rate may stray without being a step
     */
    static LevelShifts of(List<Middle> middles, double slope, double rho) {
        LevelShifts levels = new LevelShifts();
        levels.gather(middles, slope);
        levels.compare(rho);
        return levels;
    }

    private void gather(List<Middle> middles, double slope) {
        boolean probesOnly =
                middles.stream().filter(middle -> middle.source().isProbe()).count() >= ENOUGH_PROBES;
        for (Middle middle : middles) {
            if (probesOnly && !middle.source().isProbe()) {
                continue;
            }
            if (bursts.isEmpty() || middle.order() - last().first.order() > BURST_NANOS) {
                bursts.add(new Burst(middle));
            }
            last().add(middle, middle.upper() - slope * middle.at(), middle.lower() - slope * middle.at());
        }
    }

    private Burst last() {
        return bursts.get(bursts.size() - 1);
    }

    private void compare(double rho) {
        int n = bursts.size();
        if (n < 2 * MIN_WINDOW) {
            return;
        }
        double[] upper = new double[n];
        double[] lower = new double[n];
        double[] roundTrip = new double[n];
        double[] least = new double[n];
        for (int i = MIN_WINDOW; i <= n - MIN_WINDOW; i++) {
            upper[i] = upperJump(i, i);
            lower[i] = lowerJump(i, i);
            double before = least(b -> b.roundTrip, i - WINDOW, i);
            double after = least(b -> b.roundTrip, i, i + WINDOW);
            roundTrip[i] = after - before;
            least[i] = Math.min(before, after);
        }
        double above = usual(Burst::upperScatter, upper);
        double below = usual(Burst::lowerScatter, lower);
        double[] step = new double[2 * n];
        double[] route = new double[2 * n];
        for (int i = MIN_WINDOW; i <= n - MIN_WINDOW; i++) {
            double stray = rho
                    * (bursts.get(Math.min(n, i + WINDOW) - 1).last.at()
                            - bursts.get(Math.max(0, i - WINDOW)).first.at());
            double limit = stray + Math.max(OUTLIER_FACTOR * Math.max(above, below), MIN_STEP_SHARE * least[i]);
            step[2 * i] = beyond(limit, together(upper[i], lower[i]));
            if (i < n - MIN_WINDOW) {
                // A burst that has the step within it shows the worst of both sides.
                double around = together(upperJump(i, i + 1), lowerJump(i, i + 1));
                step[2 * i + 1] = WITHIN_BURST * beyond(limit, around);
            }
            double change = Math.max(OUTLIER_FACTOR * (above + below), Math.max(MIN_SHIFT_NANOS, MIN_SHARE * least[i]));
            route[2 * i] = beyond(change, Math.abs(roundTrip[i]));
        }
        for (int i = 2 * MIN_WINDOW; i < 2 * n; i++) {
            if (isPeak(step, i, false, STEP_PEAK)) {
                steps.add(shift(i / 2, (i + 1) / 2, roundTrip[i / 2]));
            } else if (isPeak(route, i, roundTrip[i / 2] < 0, ROUTE_PEAK) && max(step, i) == 0) {
                routes.add(shift(i / 2, i / 2, roundTrip[i / 2]));
            }
        }
    }

    private double upperJump(int before, int after) {
        return least(b -> b.upper, after, after + WINDOW) - least(b -> b.upper, before - WINDOW, before);
    }

    private double lowerJump(int before, int after) {
        return least(b -> -b.lower, before - WINDOW, before) - least(b -> -b.lower, after, after + WINDOW);
    }

    private static double together(double upper, double lower) {
        return upper * lower > 0 ? Math.min(Math.abs(upper), Math.abs(lower)) : 0;
    }

    private static double beyond(double limit, double value) {
        return value > limit ? value : 0;
    }

    private Shift shift(int to, int from, double roundTrip) {
        Middle before = bursts.get(to - 1).last;
        Middle after = bursts.get(from).first;
        return new Shift(before.order(), after.order(), before.at(), after.at(), roundTrip);
    }

    private double least(ToDoubleFunction<Burst> of, int from, int to) {
        double least = Double.POSITIVE_INFINITY;
        for (Burst burst : bursts.subList(Math.max(0, from), Math.min(bursts.size(), to))) {
            least = Math.min(least, of.applyAsDouble(burst));
        }
        return least;
    }

    /** Returns how far the best of a burst scatters; where exchanges come alone, how far those of neighbours do. */
    private double usual(ToDoubleFunction<Burst> scatter, double[] jumps) {
        double[] within = bursts.stream()
                .mapToDouble(scatter)
                .filter(Double::isFinite)
                .sorted()
                .toArray();
        if (within.length > bursts.size() / 2) {
            return within[within.length / 2];
        }
        double[] sizes = Arrays.stream(jumps, MIN_WINDOW, jumps.length - MIN_WINDOW + 1)
                .map(Math::abs)
                .sorted()
                .toArray();
        return sizes[sizes.length / 2];
    }

    private static double max(double[] of, int around) {
        double max = 0;
        for (int i = Math.max(0, around - 2 * WINDOW); i < Math.min(of.length, around + 2 * WINDOW + 1); i++) {
            max = Math.max(max, of[i]);
        }
        return max;
    }

    /**
     * Returns whether a change is the largest around. The least of a window changes as soon as the first of the lesser level
     * comes in, so a jump looks the same at several places: at growth the first of them is the true one, else the last.
     */
    private static boolean isPeak(double[] of, int i, boolean lastOne, double share) {
        double most = max(of, i);
        if (of[i] == 0 || of[i] < share * most) {
            return false;
        }
        int step = lastOne ? 1 : -1;
        for (int j = i + step; j >= 0 && j < of.length && Math.abs(j - i) <= 2 * WINDOW; j += step) {
            if (of[j] >= share * most) {
                return false;
            }
        }
        return true;
    }

    List<Shift> steps() {
        return steps;
    }

    List<Shift> routes() {
        return routes;
    }

    /** Numbers the routes that exchanges took: 0 is that with the least round trip. */
    static int[] numbered(List<Middle> middles, List<Shift> shifts) {
        int[] level = new int[middles.size()];
        double[] least = new double[shifts.size() + 1];
        Arrays.fill(least, Double.POSITIVE_INFINITY);
        for (int i = 0; i < level.length; i++) {
            while (level[i] < shifts.size()
                    && middles.get(i).order() > shifts.get(level[i]).before()) {
                level[i]++;
            }
            least[level[i]] = Math.min(least[level[i]], middles.get(i).roundTrip());
        }
        int best = 0;
        for (int i = 1; i < least.length; i++) {
            best = least[i] < least[best] ? i : best;
        }
        for (int i = 0; i < level.length; i++) {
            level[i] = level[i] == best ? 0 : level[i] < best ? level[i] + 1 : level[i];
        }
        return level;
    }
}
