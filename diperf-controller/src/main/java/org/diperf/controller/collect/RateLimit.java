package org.diperf.controller.collect;

/** What somebody may still do: so much at once, and so much more with every second. Confined to one thread. */
public final class RateLimit {

    private final double most;
    private final double perSecond;
    private double left;
    private long atNanos;

    /** Makes one of which nothing is used yet. */
    public RateLimit(double most, double perSecond, long nowNanos) {
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

    /** Takes one away where one is left, and returns whether it was: who asks too often gets no less for it. */
    public boolean take(long nowNanos) {
        boolean may = isLeft(nowNanos);
        left -= may ? 1 : 0;
        return may;
    }

    /** Takes away what something has cost, but not more than is left. */
    void spend(double cost, long nowNanos) {
        isLeft(nowNanos);
        left = Math.max(0, left - cost);
    }
}
