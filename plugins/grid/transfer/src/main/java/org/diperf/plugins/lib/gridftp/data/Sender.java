package org.diperf.plugins.lib.gridftp.data;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.gridftp.control.Failures;
import org.jspecify.annotations.Nullable;

/**
 * Sends the data of one upload over its channels: whichever has room takes the next block. Confined to its event loop.
 */
final class Sender {

    /** Blocks sent before other channels of the loop get their turn. */
    private static final int BLOCKS_A_TURN = 16;

    private final FtpSession session;
    private final Transfer transfer;
    private final boolean extended;
    /** The channels, and the stripe that each leads to. */
    private final Map<Channel, Integer> channels = new LinkedHashMap<>();

    private final Set<Channel> ended = new HashSet<>();
    private final Set<Integer> endedStripes = new HashSet<>();
    /** What has not been sent, and how far the first part of it is. */
    private final Deque<RangeSet.Range> left = new ArrayDeque<>();

    private long next;
    private int wanted = 1;
    private boolean started;
    private @Nullable Channel filling;

    /**
     * @param extended whether blocks have headers, and the channels stay open
     */
    Sender(FtpSession session, Transfer transfer, boolean extended) {
        this.session = session;
        this.transfer = transfer;
        this.extended = extended;
    }

    /** Says how many channels there will be; it sends when all are there. */
    void channelsWanted(int count) {
        wanted = count;
    }

    /** Takes a channel, and the stripe that it leads to. */
    void connected(Channel channel, int stripe) {
        channels.put(channel, stripe);
        pumpAll();
    }

    /** The server is ready to take the data. */
    void start() {
        started = true;
        left.addAll(transfer.missing());
        next = left.isEmpty() ? 0 : left.element().from();
        pumpAll();
    }

    boolean isDone() {
        return started && ended.size() == wanted;
    }

    private void pumpAll() {
        if (started && channels.size() == wanted) {
            for (Channel channel : List.copyOf(channels.keySet())) {
                pump(channel);
            }
        }
    }

    /** Fills a channel that has room. */
    void pump(Channel channel) {
        // A channel says within a write that it has room again; whoever writes sees that by itself.
        if (!started
                || channels.size() < wanted
                || transfer.isOver()
                || ended.contains(channel)
                || channel == filling) {
            return;
        }
        Channel before = filling;
        filling = channel;
        try {
            fill(channel);
        } finally {
            filling = before;
        }
    }

    private void fill(Channel channel) {
        Source source = transfer.source();
        for (int blocks = 0; channel.isWritable() && !left.isEmpty(); blocks++) {
            if (blocks == BLOCKS_A_TURN) {
                session.loop().execute(() -> pump(channel));
                return;
            }
            long end = left.element().to();
            int count = (int) Math.min(session.settings().blockBytes(), end - next);
            if (extended) {
                channel.write(header(channel, 0, count, next), channel.voidPromise());
            }
            channel.write(source.part(next, count), channel.voidPromise());
            next += count;
            if (next == end) {
                left.remove();
                next = left.isEmpty() ? 0 : left.element().from();
            }
            transfer.moved(count);
            // Makes the socket's state known before the next block is asked for.
            channel.flush();
        }
        if (left.isEmpty() && channel.isActive()) {
            end(channel);
        }
    }

    private void end(Channel channel) {
        boolean exhausted = ended.isEmpty();
        ended.add(channel);
        if (!extended) {
            channel.writeAndFlush(channel.alloc().buffer(0)).addListener(gone -> channel.close());
            return;
        }
        // Each stripe is a receiver of its own, which must know how many ends of data come to it.
        int stripe = channels.getOrDefault(channel, 0);
        boolean tells = endedStripes.add(stripe);
        long streams = channels.values().stream().filter(of -> of == stripe).count();
        int descriptor = tells ? ExtendedBlock.END_OF_DATA | ExtendedBlock.END_OF_FILE : ExtendedBlock.END_OF_DATA;
        channel.writeAndFlush(header(channel, descriptor, 0, tells ? streams : 0), channel.voidPromise());
        if (exhausted) {
            for (Channel other : List.copyOf(channels.keySet())) {
                if (other.isWritable()) {
                    pump(other);
                }
            }
        }
    }

    private static ByteBuf header(Channel channel, int descriptor, long count, long offset) {
        return channel.alloc()
                .directBuffer(ExtendedBlock.HEADER_BYTES)
                .writeByte(descriptor)
                .writeLong(count)
                .writeLong(offset);
    }

    /** Wakes the sender when its channel has room, and says when the channel fails. */
    static final class Port extends ChannelInboundHandlerAdapter {

        private final Supplier<@Nullable Sender> sender;
        private final Consumer<Failure> whenFailed;

        Port(Supplier<@Nullable Sender> sender, Consumer<Failure> whenFailed) {
            this.sender = sender;
            this.whenFailed = whenFailed;
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            Sender at = sender.get();
            if (at != null && context.channel().isWritable()) {
                at.pump(context.channel());
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object in) {
            ((ByteBuf) in).release(); // nothing is expected from this side
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            Sender at = sender.get();
            if (at == null || !at.ended.contains(context.channel())) {
                whenFailed.accept(Failure.ofService("data connection closed"));
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            Sender at = sender.get();
            if (at != null && cause instanceof IOException read && Failures.isOfFile(read)) {
                TransferExchange.localFailed(at.session, at.transfer, read);
            } else {
                whenFailed.accept(Failures.of(cause).in("data connection"));
            }
            context.close();
        }
    }
}
