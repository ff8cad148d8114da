package org.diperf.plugins.emulated.engine;

/**
 * The physical links of a link, in one direction.
 *
 * @param members at least one
 * @param salt makes the choice of one link independent of that of others
 */
record Pipes(Pipe[] members, int salt) {

    /** Chooses the one that a flow uses, all equally likely. */
    Pipe of(int flow) {
        if (members.length == 1) {
            return members[0];
        }
        long spread = PacketSegmenter.mixed(flow ^ salt) & 0xffff_ffffL;
        return members[(int) (spread * members.length >>> 32)];
    }
}
