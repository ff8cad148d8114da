package org.diperf.core.plan;

/**
 * The total work of a closed load, after which it is over: a constant volume, divided evenly in advance so that no
 * tester has to ask another.
 *
 * @param calls of the whole run; 0: no limit
 * @param bytes of the whole run; 0: no limit. A client starts no more calls when it has moved its share
 */
public record Quota(long calls, long bytes) {

    /** No limit. */
    public static final Quota NONE = new Quota(0, 0);

    public Quota {
        if (calls < 0 || bytes < 0) {
            throw new IllegalArgumentException(
                    "Quota: expected calls >= 0 and bytes >= 0, got calls=" + calls + ", bytes=" + bytes);
        }
    }

    /** Returns whether anything is limited. */
    public boolean isLimited() {
        return calls > 0 || bytes > 0;
    }

    /**
     * Returns a client's share of the calls.
     *
     * @param client from 0
     * @param clients of the load
     * @return {@link Long#MAX_VALUE} where calls are not limited
     */
    public long callsOf(int client, int clients) {
        return share(calls, client, clients);
    }

    /**
     * Returns a client's share of the bytes.
     *
     * @param client from 0
     * @param clients of the load
     * @return {@link Long#MAX_VALUE} where bytes are not limited
     */
    public long bytesOf(int client, int clients) {
        return share(bytes, client, clients);
    }

    private static long share(long whole, int client, int clients) {
        return whole == 0 ? Long.MAX_VALUE : whole / clients + (client < whole % clients ? 1 : 0);
    }
}
