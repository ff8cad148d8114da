package org.diperf.plugins.iperf;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Datagrams whose contents are filled once, and again sent when the system has let go of them. Confined to its event loop. */
final class DatagramBuffers implements AutoCloseable {

    private static final int DATAGRAMS = 256;

    private final @Nullable ByteBuf[] datagrams = new ByteBuf[DATAGRAMS];
    private final int bytes;
    private int next;

    DatagramBuffers(int bytes) {
        this.bytes = bytes;
    }

    /** Returns one to write the header into and to send, which releases it. */
    ByteBuf take() {
        ByteBuf datagram = datagrams[next];
        if (datagram != null && datagram.refCnt() > 1) {
            return PayloadPattern.block(bytes); // more are under way than are kept
        }
        if (datagram == null) {
            datagram = PayloadPattern.block(bytes);
            datagrams[next] = datagram;
        }
        next = (next + 1) % DATAGRAMS;
        return datagram.retainedDuplicate().setIndex(0, bytes);
    }

    @Override
    public void close() {
        for (int i = 0; i < DATAGRAMS; i++) {
            ByteBuf datagram = datagrams[i];
            datagrams[i] = null;
            if (datagram != null) {
                datagram.release();
            }
        }
    }
}
