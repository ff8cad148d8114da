package org.diperf.plugins.iperf;

/** What the senders of one direction may send together. Confined to its event loop. */
final class Quota {

    private final boolean bounded;
    private final boolean ofBlocks;
    private long left;
    private boolean omitting;

    /** @param omitting whether the first bytes do not count; see {@link #omitOver} */
    Quota(Request request, boolean omitting) {
        this(request, omitting, request.hasQuota());
    }

    /** Makes one without a bound: of datagrams, some are lost, and only the receiver knows when it has enough. */
    static Quota ofServer(Request request) {
        return new Quota(request, request.omitSeconds() > 0, request.hasQuota() && !request.udp());
    }

    private Quota(Request request, boolean omitting, boolean bounded) {
        this.bounded = bounded;
        this.ofBlocks = request.bytes() == 0;
        this.left = ofBlocks ? request.blocks() : request.bytes();
        this.omitting = omitting;
    }

    void omitOver() {
        omitting = false;
    }

    /**
     * Takes the next block.
     *
     * @return its bytes: {@code block}, less for the last, 0 when there is none
     */
    int take(int block) {
        if (!bounded || omitting) {
            return block;
        }
        if (left == 0) {
            return 0;
        }
        int taken = ofBlocks ? block : (int) Math.min(block, left);
        left -= ofBlocks ? 1 : taken;
        return taken;
    }

    /** Takes the next datagram, which is whole also where fewer bytes are left. */
    boolean takeDatagram(int bytes) {
        return take(bytes) > 0;
    }
}
