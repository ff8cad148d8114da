package org.diperf.controller.run;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;

/**
 * A connection, whose bytes are under way until its test delivers them, as many at a time as it likes. An end that closes is
 * noticed at the other one when everything that it sent has arrived or is lost.
 */
final class SimulatedLine {

    /** Who holds an end of it; told apart when one of them dies. */
    final Object caller;

    final Object called;
    private final End near;
    private final End far;

    /** One end, and what it has sent. */
    private static final class End {
        private final EmbeddedChannel channel;
        private final ByteBuf sent = Unpooled.buffer();
        private boolean dead;

        End(EmbeddedChannel channel) {
            this.channel = channel;
        }

        private void gather() {
            if (dead) {
                return;
            }
            channel.runPendingTasks();
            for (ByteBuf each = channel.readOutbound(); each != null; each = channel.readOutbound()) {
                sent.writeBytes(each);
                each.release();
            }
        }

        private boolean isOpen() {
            return !dead && channel.isActive();
        }
    }

    SimulatedLine(Object caller, EmbeddedChannel near, Object called, EmbeddedChannel far) {
        this.caller = caller;
        this.called = called;
        this.near = new End(near);
        this.far = new End(far);
    }

    /** Returns how many bytes are under way to the end that was called, or from it. */
    int underWay(boolean up) {
        End from = up ? near : far;
        from.gather();
        return from.sent.readableBytes();
    }

    /** Delivers so many bytes; none to an end that does not read. */
    void deliver(boolean up, int bytes) {
        End from = up ? near : far;
        End to = up ? far : near;
        from.gather();
        int length = Math.min(bytes, from.sent.readableBytes());
        if (!to.isOpen()) {
            from.sent.skipBytes(from.sent.readableBytes());
        } else if (length > 0 && to.channel.config().isAutoRead()) {
            byte[] arriving = new byte[length];
            from.sent.readBytes(arriving);
            to.channel.writeInbound(Unpooled.wrappedBuffer(arriving));
            from.sent.discardSomeReadBytes();
        }
        to.gather();
    }

    /** Closes an end whose other one is closed, when nothing more comes from there. */
    void notice() {
        notice(near, far);
        notice(far, near);
    }

    private static void notice(End closed, End open) {
        if (!closed.isOpen() && open.isOpen() && closed.sent.readableBytes() == 0) {
            open.channel.close();
            open.gather();
        }
    }

    /**
     * Loses what is under way.
     *
     * @param calledNotices whether the end that was called notices now, as the caller does, or later
     */
    void cut(boolean calledNotices) {
        near.gather();
        far.gather();
        near.sent.clear();
        far.sent.clear();
        if (near.isOpen()) {
            near.channel.close();
        }
        if (calledNotices && far.isOpen()) {
            far.channel.close();
        }
        near.sent.clear();
        far.sent.clear();
    }

    /** One of those who hold it has died: what it has sent may still arrive. */
    void died(Object holder) {
        for (End end : new End[] {near, far}) {
            if ((end == near ? caller : called) == holder && !end.dead) {
                end.gather();
                end.dead = true;
            }
        }
    }

    /** Returns whether it leads nowhere, and nothing more comes by it. */
    boolean isOver() {
        return !near.isOpen() && !far.isOpen();
    }

    /** Returns whether its caller can still use it. */
    boolean isUp() {
        return near.isOpen();
    }
}
