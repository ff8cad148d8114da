package org.diperf.tester.transport;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** A connection with TLS as a way to the controller. */
public record ChannelConnection(Channel channel) implements Connection {

    @Override
    public void write(ByteBuf frame) {
        channel.write(frame, channel.voidPromise());
    }

    @Override
    public void flush() {
        channel.flush();
    }

    @Override
    public boolean isWritable() {
        return channel.isWritable();
    }

    @Override
    public boolean isActive() {
        return channel.isActive();
    }

    @Override
    public void close() {
        channel.close();
    }

    @Override
    public @Nullable InetAddress host() {
        return channel.remoteAddress() instanceof InetSocketAddress internet ? internet.getAddress() : null;
    }
}
