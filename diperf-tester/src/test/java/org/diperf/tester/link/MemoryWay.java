package org.diperf.tester.link;

import io.netty.buffer.ByteBuf;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.WireException;
import org.diperf.tester.transport.Connection;
import org.jspecify.annotations.Nullable;

/** A way whose other end is the test: what the tester sends stays in a list. */
final class MemoryWay implements Connection {

    private final List<Message> queued = new ArrayList<>();
    private final List<Message> sent = new ArrayList<>();
    boolean writable = true;
    boolean active = true;
    boolean noticesEnd = true;

    @Override
    public void write(ByteBuf frame) {
        try {
            frame.skipBytes(Frame.LENGTH_FIELD);
            queued.add(Frame.decode(frame.nioBuffer()).message());
        } catch (WireException e) {
            throw new AssertionError(e);
        } finally {
            frame.release();
        }
    }

    @Override
    public void flush() {
        sent.addAll(queued);
        queued.clear();
    }

    @Override
    public boolean isWritable() {
        return writable;
    }

    @Override
    public boolean isActive() {
        return active;
    }

    @Override
    public boolean noticesEnd() {
        return noticesEnd;
    }

    @Override
    public void close() {
        active = false;
    }

    @Override
    public @Nullable InetAddress host() {
        return null;
    }

    /** Takes what was sent since the last time. */
    List<Message> taken() {
        List<Message> taken = List.copyOf(sent);
        sent.clear();
        return taken;
    }

    /** Takes what was sent of one type since the last time; the rest is forgotten. */
    <T extends Message> List<T> taken(Class<T> type) {
        return taken().stream().filter(type::isInstance).map(type::cast).toList();
    }
}
