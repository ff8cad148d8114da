package org.diperf.core.clock;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What bounds leave open when the clock's rate strays from its trend by at most rho, which each gap between two bounds has
 * its own; by two sweeps, O(n). Immutable but for {@link #grow}.
 */
final class Envelope {

    private static final double MAX_RHO = 400e-6;

    final double[] upper;
    final double[] lower;
    /** Of the gap after each bound; the last one is for what lies behind. */
    final double[] rho;

    private final double[] at;
    private final int[] upperFrom;
    private final int[] lowerFrom;

    /**
     * @param at instants, rising
     * @param offset relative to the trend
     * @param rho one a gap
     * @param use which of the bounds; {@code null}: all
     */
    Envelope(double[] at, double[] offset, boolean[] isUpper, double[] rho, boolean @Nullable [] use) {
        int n = at.length;
        this.at = at;
        this.rho = rho;
        this.upper = new double[n];
        this.lower = new double[n];
        this.upperFrom = new int[n];
        this.lowerFrom = new int[n];
        for (int i = 0; i < n; i++) {
            boolean used = use == null || use[i];
            upper[i] = used && isUpper[i] ? offset[i] : Double.POSITIVE_INFINITY;
            lower[i] = used && !isUpper[i] ? offset[i] : Double.NEGATIVE_INFINITY;
            upperFrom[i] = i;
            lowerFrom[i] = i;
        }
        for (int i = 1; i < n; i++) {
            narrow(i, i - 1, rho[i - 1] * (at[i] - at[i - 1]));
        }
        for (int i = n - 2; i >= 0; i--) {
            narrow(i, i + 1, rho[i] * (at[i + 1] - at[i]));
        }
    }

    private void narrow(int i, int by, double stray) {
        if (upper[by] + stray < upper[i]) {
            upper[i] = upper[by] + stray;
            upperFrom[i] = upperFrom[by];
        }
        if (lower[by] - stray > lower[i]) {
            lower[i] = lower[by] - stray;
            lowerFrom[i] = lowerFrom[by];
        }
    }

    /** Finds how far the rate must have strayed, where it did: doubles rho between bounds that contradict each other. */
    static Envelope open(double[] at, double[] offset, boolean[] isUpper, double least) {
        double[] rho = new double[at.length];
        Arrays.fill(rho, least);
        Envelope found = new Envelope(at, offset, isUpper, rho, null);
        while (found.grow()) {
            found = new Envelope(at, offset, isUpper, rho, null);
        }
        return found;
    }

    private boolean grow() {
        int n = at.length;
        int[] marks = new int[n + 1];
        for (int i = 0; i < n; i++) {
            if (upper[i] < lower[i]) {
                marks[Math.min(i, Math.min(upperFrom[i], lowerFrom[i]))]++;
                marks[Math.max(i, Math.max(upperFrom[i], lowerFrom[i]))]--;
            }
        }
        boolean grown = false;
        int within = 0;
        for (int i = 0; i < n - 1; i++) {
            within += marks[i];
            if (within > 0 && rho[i] < MAX_RHO) {
                rho[i] = Math.min(2 * rho[i], MAX_RHO);
                grown = true;
            }
        }
        return grown;
    }

    double upper(double x, int place) {
        double left = place < 0 ? Double.POSITIVE_INFINITY : upper[place] + rho[place] * (x - at[place]);
        return place + 1 >= at.length
                ? left
                : Math.min(left, upper[place + 1] + rho[Math.max(0, place)] * (at[place + 1] - x));
    }

    double lower(double x, int place) {
        double left = place < 0 ? Double.NEGATIVE_INFINITY : lower[place] - rho[place] * (x - at[place]);
        return place + 1 >= at.length
                ? left
                : Math.max(left, lower[place + 1] - rho[Math.max(0, place)] * (at[place + 1] - x));
    }

    /** Returns where the sides of two knots meet. */
    double meeting(int i, boolean ofUpper) {
        double rise = ofUpper ? upper[i + 1] - upper[i] : lower[i] - lower[i + 1];
        return (at[i] + at[i + 1] + rise / rho[i]) / 2;
    }
}
