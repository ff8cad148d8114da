package org.diperf.plugins.lib.forecast;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An interval about a forecast, from how far the latest forecasts were off: of n such errors, the k-th least and greatest bound the
 * next one with probability 1 - 2k/(n+1), if they are exchangeable (split conformal prediction; Vovk, Gammerman, Shafer, 2005).
 * Without enough errors for that there is none. Confined to its owner; nothing grows.
 */
public final class Interval {

    private static final int KEPT = 200;
    /** Of the values that come, so many lie outside at each side. */
    private static final double OUTSIDE = 0.05;

    private final double[] errors = new double[KEPT];
    private long count;

    /** Bounds of the next value. */
    public record Bounds(double low, double high) {}

    /** Learns how far the value that came was above the forecast. */
    public void add(double above) {
        errors[(int) (count++ % KEPT)] = above;
    }

    /** Returns where the next value will be in nine cases of ten, {@code null} while nothing is known. */
    @Nullable
    public Bounds about(double forecast) {
        int n = (int) Math.min(count, KEPT);
        int outside = (int) Math.floor(OUTSIDE * (n + 1));
        if (outside < 1) {
            return null;
        }
        double[] sorted = Arrays.copyOf(errors, n);
        Arrays.sort(sorted);
        return new Bounds(forecast + sorted[outside - 1], forecast + sorted[n - outside]);
    }
}
