package org.diperf.plugins.lib.http2;

/** The streams that this side has given up last, of which frames may still come. Confined to its connection. */
final class AbandonedStreams {

    private static final int KEPT = 64;

    private final int[] ids = new int[KEPT];
    private int count;

    void add(int id) {
        ids[count++ % KEPT] = id;
    }

    /** Returns whether a stream was given up, as far as is known. */
    boolean mayBe(int id) {
        for (int i = 0; i < Math.min(count, KEPT); i++) {
            if (ids[i] == id) {
                return true;
            }
        }
        return count > KEPT;
    }
}
