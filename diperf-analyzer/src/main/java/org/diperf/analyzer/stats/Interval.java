package org.diperf.analyzer.stats;

/**
 * A confidence interval, or why there is none.
 *
 * @param low {@code NaN} where there is none, as {@code high}
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

    /** Returns whether there is one. */
    public boolean isCarried() {
        return batches > 0;
    }

    /** Returns whether it contains a value. */
    public boolean contains(double value) {
        return value >= low && value <= high;
    }

    /** Returns the same in another unit. */
    public Interval times(double factor) {
        return isCarried() ? of(low * factor, high * factor, batches) : this;
    }

    /**
     * Returns the same without digits that say nothing: ends are moved outwards to the place of the second digit of half the
     * width.
     */
    public Interval rounded() {
        double half = (high - low) / 2;
        if (!isCarried() || !(half > 0)) {
            return this;
        }
        int place = (int) Math.floor(Math.log10(half)) - 1;
        // A power of ten with a negative exponent is no binary fraction; its inverse is exact.
        double scale = Math.pow(10, Math.abs(place));
        return place < 0
                ? of(Math.floor(low * scale) / scale, Math.ceil(high * scale) / scale, batches)
                : of(Math.floor(low / scale) * scale, Math.ceil(high / scale) * scale, batches);
    }
}
