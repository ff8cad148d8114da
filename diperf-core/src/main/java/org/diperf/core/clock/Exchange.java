package org.diperf.core.clock;

/**
 * One exchange of stamps between the time server and a client: the server sent, the client received, the client sent,
 * the server received. No delay is negative, so it bounds the offset "global minus client" from both sides: at
 * {@code clientReceived} it is at least {@code serverSent - clientReceived}, at {@code clientSent} at most
 * {@code serverReceived - clientSent}. Either side may have begun: the one that answers may hold what it got as long as it
 * likes.
 *
 * @param serverSent on the server's clock, ns
 * @param clientReceived on the client's clock, ns
 * @param clientSent on the client's clock, ns
 * @param serverReceived on the server's clock, ns
 */
public record Exchange(long serverSent, long clientReceived, long clientSent, long serverReceived) {

    /** Returns whether there was a way from server to client; a client's first frame echoes none, and both stamps are 0. */
    public boolean hasLower() {
        return serverSent != 0 || clientReceived != 0;
    }

    /** Returns whether there was a way from client to server. */
    public boolean hasUpper() {
        return clientSent != 0 || serverReceived != 0;
    }

    /** Returns what the offset was at least, when the client received. */
    public long lowerNanos() {
        return serverSent - clientReceived;
    }

    /** Returns what the offset was at most, when the client sent. */
    public long upperNanos() {
        return serverReceived - clientSent;
    }

    /** Returns the time on the way, both ways; what either side held it for is not in it. */
    public long roundTripNanos() {
        return serverReceived - serverSent - (clientSent - clientReceived);
    }

    /** Returns whether the stamps can be true: both sides agree who began, and the ways take time. */
    public boolean isPlausible() {
        long onServer = serverReceived - serverSent;
        long onClient = clientSent - clientReceived;
        boolean agreed = onServer >= 0 && onClient >= 0 || onServer <= 0 && onClient <= 0;
        return agreed && roundTripNanos() >= 0;
    }
}
