package org.diperf.plugins.iperf;

/** When a sender with a limit may send its next bytes. */
final class SendPacer {

    private static final double BITS = 8;
    private static final double NANOS = 1e9;

    private final double bytesPerNano;
    private long sinceNanos;

    /** @param bitsPerSecond 0 for no limit */
    SendPacer(long bitsPerSecond) {
        bytesPerNano = bitsPerSecond / BITS / NANOS;
    }

    void start(long nowNanos) {
        sinceNanos = nowNanos;
    }

    /**
     * Says how long a sender has to wait.
     *
     * @param sent bytes since the start
     * @return nanoseconds; 0 or less when it may send
     */
    long waitNanos(long sent, long nowNanos) {
        return bytesPerNano == 0 ? 0 : (long) Math.ceil(sent / bytesPerNano) - (nowNanos - sinceNanos);
    }
}
