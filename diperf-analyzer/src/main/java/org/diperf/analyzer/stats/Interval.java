package org.diperf.analyzer.stats;

/**
 * A confidence interval, or why there is none. Where the data do not carry one there may be coarse bounds in its place, by which
 * something can be decided without taking the value itself for certain.
 *
 * @param low {@code NaN} where there is neither, as {@code high}
 * @param batches on which it rests; 0 where there is none
 * @param reason why there is none; empty where there is one
 */
public record Interval(double low, double high, int batches, String reason) {

    /** Of all intervals here. */
    public static final double LEVEL = 0.95;

    /** Returns an interval. */
    public static Interval of(double low, double high, int batches) {
        return new Interval(low, high, batches, "");
    }

    /** Returns none. */
    public static Interval none(String reason) {
        return new Interval(Double.NaN, Double.NaN, 0, reason);
    }

    /** Returns none, but coarse bounds. */
    public static Interval coarse(double low, double high, String reason) {
        return new Interval(low, high, 0, reason);
    }

    /** Returns whether there is one. */
    public boolean isCarried() {
        return batches > 0;
    }

    /** Returns whether there are coarse bounds in its place. */
    public boolean isCoarse() {
        return !isCarried() && !Double.isNaN(low);
    }

    /** Returns whether it contains a value. */
    public boolean contains(double value) {
        return value >= low && value <= high;
    }

    /** Returns the same in another unit. */
    public Interval times(double factor) {
        return new Interval(low * factor, high * factor, batches, reason);
    }

    /**
     * Returns the same without digits that say nothing: ends are moved outwards to the place of the second digit of half the
     * width.
     */
    public Interval rounded() {
        double half = (high - low) / 2;
        if (!(half > 0)) {
            return this;
        }
        int place = (int) Math.floor(Math.log10(half)) - 1;
        // A power of ten with a negative exponent is no binary fraction; its inverse is exact.
        double scale = Math.pow(10, Math.abs(place));
        return place < 0
                ? new Interval(Math.floor(low * scale) / scale, Math.ceil(high * scale) / scale, batches, reason)
                : new Interval(Math.floor(low / scale) * scale, Math.ceil(high / scale) * scale, batches, reason);
    }
}
