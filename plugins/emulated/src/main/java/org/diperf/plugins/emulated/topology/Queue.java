package org.diperf.plugins.emulated.topology;

/**
 * Room before a link, for packets that wait and the one that is being sent. A packet that finds no room is dropped.
 *
 * @param limit packets or bytes, at least 1
 * @param inBytes whether the limit counts bytes of IP packets
 */
public record Queue(long limit, boolean inBytes) {

    /** What a link has that says nothing of it. */
    public static final Queue DEFAULT = new Queue(1_000, false);

    public Queue {
        if (limit < 1) {
            throw new IllegalArgumentException("Expected room for at least one packet, got " + limit);
        }
    }

    @Override
    public String toString() {
        return limit + (inBytes ? " bytes" : limit == 1 ? " packet" : " packets");
    }
}
