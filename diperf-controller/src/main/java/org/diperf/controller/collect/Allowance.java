package org.diperf.controller.collect;

/** What somebody may still do: so much at once, and so much more with every second. Confined to one thread. */
final class Allowance {

    private final double most;
    private final double perSecond;
    private double left;
    private long atNanos;

    Allowance(double most, double perSecond, long nowNanos) {
        this.most = most;
        this.perSecond = perSecond;
        this.left = most;
        this.atNanos = nowNanos;
    }

    /** Returns whether something is left. */
    boolean isLeft(long nowNanos) {
        left = Math.min(most, left + Math.max(0, nowNanos - atNanos) / 1e9 * perSecond);
        atNanos = nowNanos;
        return left >= 1;
    }

    /** Takes something away, but not more than is left. */
    void spend(double cost, long nowNanos) {
        isLeft(nowNanos);
        left = Math.max(0, left - cost);
    }
}
