package org.diperf.controller.collect;

import static java.util.stream.Collectors.toList;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.WireException;

/** A way to the collector that notes what is sent by it, and tells it at once. */
final class FakePeer extends Peer {

    final List<Frame> sent = new ArrayList<>();
    private final boolean relay;
    private final Consumer<Frame> listener;
    private volatile boolean open = true;
    private volatile long lastSentNanos;

    FakePeer(boolean relay) {
        this(relay, frame -> {});
    }

    FakePeer(boolean relay, Consumer<Frame> listener) {
        super(0);
        this.relay = relay;
        this.listener = listener;
    }

    /** Returns when the last frame was sent, which what comes back echoes; 0: none was. */
    long lastSentNanos() {
        return lastSentNanos;
    }

    /** Lists what was said to testers, and forgets it. */
    List<Message> said() {
        List<Message> said = sent.stream().map(Frame::message).collect(toList());
        sent.clear();
        return said;
    }

    @Override
    boolean maySpeakFor(int tester) {
        return true;
    }

    @Override
    boolean isRelay() {
        return relay;
    }

    @Override
    public String address() {
        return "10.0.0.1";
    }

    @Override
    boolean isActive() {
        return open;
    }

    @Override
    void send(ByteBuf frame) {
        ByteBuffer bytes = frame.nioBuffer();
        bytes.position(Frame.LENGTH_FIELD);
        try {
            Frame frameSent = Frame.decode(bytes);
            sent.add(frameSent);
            lastSentNanos = frameSent.sentNanos();
            listener.accept(frameSent);
        } catch (WireException e) {
            throw new AssertionError(e);
        } finally {
            frame.release();
        }
    }

    @Override
    void pause(boolean wanted) {}

    @Override
    public void close() {
        open = false;
    }
}
