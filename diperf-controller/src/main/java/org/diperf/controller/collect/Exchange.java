package org.diperf.controller.collect;

/**
 * Four stamps of one exchange that began at the controller (the server of time) and was echoed by a tester (the
 * client). With theta = server clock - client clock, {@code serverSent - clientReceived <= theta <= serverReceived -
 * clientSent}.
 *
 * @param source what carried the answer: {@code ping}, {@code block} or {@code status}
 */
record Exchange(
        String source, long serverSentNanos, long clientReceivedNanos, long clientSentNanos, long serverReceivedNanos) {

    /** Gives the time on the way, both ways; what the client held it for is not in it. */
    long roundTripNanos() {
        return serverReceivedNanos - serverSentNanos - (clientSentNanos - clientReceivedNanos);
    }

    /** Gives the greatest offset that is known to be too small or right, at the client's receive. */
    long lowerNanos() {
        return serverSentNanos - clientReceivedNanos;
    }

    /** Gives the least offset that is known to be too great or right, at the client's send. */
    long upperNanos() {
        return serverReceivedNanos - clientSentNanos;
    }

    /** Says whether the stamps can be true: each side's clock goes forward and the way takes time. */
    boolean isPlausible() {
        return serverReceivedNanos - serverSentNanos >= 0
                && clientSentNanos - clientReceivedNanos >= 0
                && roundTripNanos() >= 0;
    }
}
