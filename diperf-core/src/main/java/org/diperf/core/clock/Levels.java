package org.diperf.core.clock;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.diperf.core.clock.Bound.Middle;

/**
 * Finds where the bounds of a clock go over to other levels. When those from above and from below jump together, the clock
 * was stepped; when they open or close, the route changed. Compared are the best bounds of the three bursts before and
 * after; a jump must be ten times what is usual between bursts.
 */
final class Levels {

    private static final int WINDOW = 3;
    private static final int LEAST_WINDOW = 2;
    private static final int ENOUGH_PROBES = 16;
    private static final double BURST_NANOS = 1e9;
    private static final double USUAL = 10;
    private static final double LEAST_SHIFT_NANOS = 50e3;
    private static final double LEAST_SHARE = 0.1;

    /**
     * A change of level.
     *
     * @param before last instant surely before, on the server's clock
     * @param after first instant surely after
     * @param roundTrip by which the least round trip grew
     */
    record Shift(double before, double after, double fromAt, double toAt, double roundTrip) {}

    /** The best bounds of a burst. */
    private static final class Burst {
        final Middle first;
        Middle last;
        double upper = Double.POSITIVE_INFINITY;
        double lower = Double.NEGATIVE_INFINITY;

        Burst(Middle first) {
            this.first = first;
            this.last = first;
        }
    }

    private final List<Burst> bursts = new ArrayList<>();
    private final List<Shift> steps = new ArrayList<>();
    private final List<Shift> routes = new ArrayList<>();

    private Levels() {}

    /**
     * @param middles in the order of the server's clock
     * @param rho by which the rate may stray without being a step
     */
    static Levels of(List<Middle> middles, double slope, double rho) {
        Levels levels = new Levels();
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
            if (bursts.isEmpty() || middle.server() - last().first.server() > BURST_NANOS) {
                bursts.add(new Burst(middle));
            }
            Burst burst = last();
            burst.last = middle;
            burst.upper = Math.min(burst.upper, middle.upper() - slope * middle.at());
            burst.lower = Math.max(burst.lower, middle.lower() - slope * middle.at());
        }
    }

    private Burst last() {
        return bursts.get(bursts.size() - 1);
    }

    private void compare(double rho) {
        int n = bursts.size();
        if (n < 2 * LEAST_WINDOW) {
            return;
        }
        double[] upper = new double[n];
        double[] lower = new double[n];
        double[] roundTrip = new double[n];
        double[] least = new double[n];
        for (int i = LEAST_WINDOW; i <= n - LEAST_WINDOW; i++) {
            double upperBefore = upper(i - WINDOW, i);
            double lowerBefore = lower(i - WINDOW, i);
            double upperAfter = upper(i, i + WINDOW);
            double lowerAfter = lower(i, i + WINDOW);
            upper[i] = upperAfter - upperBefore;
            lower[i] = lowerAfter - lowerBefore;
            roundTrip[i] = upper[i] - lower[i];
            least[i] = Math.min(upperAfter - lowerAfter, upperBefore - lowerBefore);
        }
        double usual = USUAL * Math.max(usual(upper), usual(lower));
        double usualRoundTrip = USUAL * usual(roundTrip);
        double[] step = new double[n];
        double[] route = new double[n];
        for (int i = LEAST_WINDOW; i <= n - LEAST_WINDOW; i++) {
            double stray = rho
                    * (bursts.get(Math.min(n, i + WINDOW) - 1).last.at() - bursts.get(Math.max(0, i - WINDOW)).first.at());
            double together = upper[i] * lower[i] > 0 ? Math.min(Math.abs(upper[i]), Math.abs(lower[i])) : 0;
            step[i] = together > stray + Math.max(usual, LEAST_SHARE * Math.abs(least[i])) ? together : 0;
            double apart = Math.abs(roundTrip[i]);
            double limit = Math.max(usualRoundTrip, Math.max(LEAST_SHIFT_NANOS, LEAST_SHARE * Math.abs(least[i])));
            route[i] = apart > limit ? apart : 0;
        }
        for (int i = LEAST_WINDOW; i <= n - LEAST_WINDOW; i++) {
            if (isPeak(step, i, false)) {
                steps.add(shift(i, roundTrip[i]));
            } else if (isPeak(route, i, roundTrip[i] < 0) && max(step, i) == 0) {
                routes.add(shift(i, roundTrip[i]));
            }
        }
    }

    private Shift shift(int i, double roundTrip) {
        Middle before = bursts.get(i - 1).last;
        Middle after = bursts.get(i).first;
        return new Shift(before.server(), after.server(), before.at(), after.at(), roundTrip);
    }

    private double upper(int from, int to) {
        double least = Double.POSITIVE_INFINITY;
        for (int i = Math.max(0, from); i < Math.min(bursts.size(), to); i++) {
            least = Math.min(least, bursts.get(i).upper);
        }
        return least;
    }

    private double lower(int from, int to) {
        double most = Double.NEGATIVE_INFINITY;
        for (int i = Math.max(0, from); i < Math.min(bursts.size(), to); i++) {
            most = Math.max(most, bursts.get(i).lower);
        }
        return most;
    }

    private static double usual(double[] jumps) {
        double[] sizes = Arrays.stream(jumps, LEAST_WINDOW, jumps.length - LEAST_WINDOW + 1)
                .map(Math::abs)
                .sorted()
                .toArray();
        return sizes[sizes.length / 2];
    }

    private static double max(double[] of, int around) {
        double max = 0;
        for (int i = Math.max(0, around - WINDOW); i < Math.min(of.length, around + WINDOW + 1); i++) {
            max = Math.max(max, of[i]);
        }
        return max;
    }

    /**
     * Says whether a change is the largest around. The least of a window changes as soon as the first of the lesser level
     * comes in, so a jump looks the same at several places: at growth the first of them is the true one, else the last.
     */
    private static boolean isPeak(double[] of, int i, boolean lastOne) {
        double most = max(of, i);
        if (of[i] == 0 || of[i] < 0.8 * most) {
            return false;
        }
        int step = lastOne ? 1 : -1;
        for (int j = i + step; j >= 0 && j < of.length && Math.abs(j - i) <= WINDOW; j += step) {
            if (of[j] >= 0.8 * most) {
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
            while (level[i] < shifts.size() && middles.get(i).server() > shifts.get(level[i]).before()) {
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
