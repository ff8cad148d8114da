package org.diperf.plugins.iperf;

/**
 * Counts datagrams that came: a gap in their numbers is lost, one that comes late was not lost after all. The same rules as
 * iperf3's, by which a datagram that comes twice hides a loss. Confined to its event loop.
 */
final class UdpReceiveCounter {

    /** How much of a change the smoothed jitter takes up (RFC 1889, 6.3.1). */
    private static final double GAIN = 1 / 16.0;

    private static final double MICROS = 1e6;
    private static final double NANOS_PER_MICRO = 1e3;

    private long highest;
    private long lost;
    private long late;
    private double jitterSeconds;
    private double lastTransitSeconds;
    private boolean any;

    /**
     * @param number from 1
     * @param sentMicros on the sender's clock, whose zero and rate are its own
     * @param nowNanos on this machine's clock
     */
    void take(long number, long sentMicros, long nowNanos) {
        if (number > highest) {
            lost += number - 1 - highest;
            highest = number;
        } else {
            late++;
            lost = Math.max(0, lost - 1);
        }
        double transitSeconds = (nowNanos / NANOS_PER_MICRO - sentMicros) / MICROS;
        if (any) {
            jitterSeconds += (Math.abs(transitSeconds - lastTransitSeconds) - jitterSeconds) * GAIN;
        }
        lastTransitSeconds = transitSeconds;
        any = true;
    }

    /** The smoothing begins anew. */
    void resetJitter() {
        any = false;
        jitterSeconds = 0;
    }

    long highest() {
        return highest;
    }

    long lost() {
        return lost;
    }

    /** Counts those that came after one that was sent later. */
    long late() {
        return late;
    }

    double jitterSeconds() {
        return jitterSeconds;
    }
}
