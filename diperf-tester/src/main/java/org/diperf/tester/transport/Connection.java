package org.diperf.tester.transport;

import io.netty.buffer.ByteBuf;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** One way to the controller, until it is closed or gone. Confined to the link's event loop. */
public interface Connection {

    /** Queues a frame, which is consumed. */
    void write(ByteBuf frame);

    /** Sends what was queued. */
    void flush();

    /** Returns whether it takes more now. */
    boolean isWritable();

    /** Returns whether it leads to the controller still. */
    boolean isActive();

    /** Returns whether it ends by itself when the process at its other end does. */
    default boolean noticesEnd() {
        return true;
    }

    /** Ends it; its maker is told that it is gone. */
    void close();

    /** Returns the address of its other end; {@code null}: not known. */
    @Nullable
    InetAddress host();

    /** Says what is worth a line in the run's log at the end; {@code null}: nothing. */
    default @Nullable String remark() {
        return null;
    }
}
