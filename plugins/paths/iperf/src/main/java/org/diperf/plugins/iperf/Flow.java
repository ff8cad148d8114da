package org.diperf.plugins.iperf;

import org.diperf.core.spi.Failure;
import org.jspecify.annotations.Nullable;

/** One end of one stream of a test: it sends or receives. Confined to its event loop. */
sealed interface Flow permits TcpFlow, UdpFlow {

    /** Takes what happens to a flow. */
    interface Watcher {

        /** Bytes or blocks are used up. */
        void quotaUsed();

        /** So many bytes came. */
        void received(long bytes);

        /** The other end closed the stream. */
        void ended(Flow flow);

        void failed(Failure why);
    }

    boolean sends();

    /** The test runs: a sender begins, and time counts from now. */
    void start();

    /** What went so far does not count. */
    void omitOver();

    /** Sends nothing more. */
    void stop();

    /** Returns whether the other end has all that was sent; of datagrams, whether they have left. */
    boolean isDelivered();

    /** Counts the bytes that are acknowledged, or sent as datagrams, or received, since the omitted time. */
    long bytes();

    /** Says what has happened until now, or until the last bytes came if that was after {@code endNanos}. */
    Results.OfStream result(long endNanos);

    /** Says what the kernel knows, where this is a connection. */
    default @Nullable TcpState state() {
        return null;
    }

    void close();
}
