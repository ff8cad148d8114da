package org.diperf.tester.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.Message;

/** Keeps what the next frame to a peer says about the last one from it. Confined to the connection's event loop. */
public final class FrameTimestamps {

    private final int tester;
    private long firstSentNanos;
    private long lastSentNanos;
    private boolean sent;
    private long echoOfNanos;
    private long echoReceivedNanos;

    /** @param tester that the frames are from or for */
    public FrameTimestamps(int tester) {
        this.tester = tester;
    }

    /** Notes a frame of the peer. */
    public void received(Frame frame, long atNanos) {
        echoOfNanos = frame.sentNanos();
        echoReceivedNanos = atNanos;
    }

    /** Lays out a frame that is written now. */
    public ByteBuf frame(Message message, long nowNanos) {
        if (!sent) {
            firstSentNanos = nowNanos;
            sent = true;
        }
        lastSentNanos = nowNanos;
        return Unpooled.wrappedBuffer(new Frame(tester, nowNanos, echoOfNanos, echoReceivedNanos, message).encode());
    }

    /** Returns whether we can have sent a frame with this stamp: a peer may not invent one. */
    public boolean mayHaveSent(long sentNanos) {
        return sent && sentNanos - firstSentNanos >= 0 && sentNanos - lastSentNanos <= 0;
    }
}
