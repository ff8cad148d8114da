package org.diperf.plugins.lib.gridftp.data;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.gridftp.control.DataTransferException;
import org.diperf.plugins.lib.gridftp.control.Failures;
import org.jspecify.annotations.Nullable;

/**
 * Reads one stream of an extended download, block after block. Where data comes before the server's word on the control
 * channel that its transfer has begun, the stream waits. Confined to its event loop.
 */
final class ExtendedReader extends ChannelInboundHandlerAdapter {

    private final ExtendedGet path;
    private final Channel channel;
    private final ReadBuffers buffers = ReadBuffers.ofData();
    private final Deque<ByteBuf> held = new ArrayDeque<>();
    private final BlockHeaders blocks;
    private long number;
    private boolean closed;
    private boolean resuming;

    ExtendedReader(ExtendedGet path, Channel channel, long number) {
        this.path = path;
        this.channel = channel;
        this.number = number;
        long length = path.settings().length();
        this.blocks = new BlockHeaders(path.baseOffset(), length < 0 ? Long.MAX_VALUE : length);
    }

    ReadBuffers buffers() {
        return buffers;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object in) throws IOException {
        held.add((ByteBuf) in);
        resume();
        if (blocks.left() > 0 && buffers.isBrief() && held.isEmpty() && !closed) {
            drop();
        }
    }

    /** Has the rest of the block dropped, as far as it has come. */
    private void drop() throws IOException {
        Transfer transfer = path.transferFrom(number);
        if (transfer == null || transfer.number != number || !path.mayDrop(channel, transfer)) {
            return;
        }
        long count = buffers.drop(channel, blocks.left());
        if (count > 0) {
            transfer.got(blocks.offset(), count);
            blocks.skip(count);
            transfer.moved(count);
            if (blocks.left() == 0) {
                endBlock(transfer);
            }
        }
    }

    /** Reads on, as far as transfers have begun. */
    void resume() {
        if (resuming) {
            return; // what ends a transfer here may begin the next one
        }
        resuming = true;
        try {
            ByteBuf first = held.peek();
            while (first != null && !closed) {
                Transfer transfer = path.transferFrom(number);
                if (transfer == null || !transfer.started) {
                    channel.config().setAutoRead(false);
                    return;
                }
                number = transfer.number;
                read(transfer, first);
                if (!first.isReadable()) {
                    held.remove().release();
                    first = held.peek();
                }
            }
            if (!closed) {
                channel.config().setAutoRead(true);
            }
        } catch (IOException e) {
            path.failed(path.transferFrom(number), e);
            close();
        } finally {
            resuming = false;
        }
    }

    /** Reads until the buffer is empty, or the stream's part of this transfer. */
    private void read(Transfer transfer, ByteBuf in) throws IOException {
        while (in.isReadable()) {
            if (blocks.isExpected()) {
                if (!blocks.read(in)) {
                    return;
                }
                begin(transfer);
            }
            int now = (int) Math.min(blocks.left(), in.readableBytes());
            if (now > 0) {
                transfer.sink().write(in, now, blocks.offset() - path.baseOffset());
                transfer.got(blocks.offset(), now);
                blocks.skip(now);
                transfer.moved(now);
            }
            if (blocks.left() == 0 && endBlock(transfer)) {
                return;
            }
        }
    }

    /** Ends a block; says whether it was the stream's last one of its transfer. */
    private boolean endBlock(Transfer transfer) {
        boolean last = blocks.end();
        if (last) {
            transfer.streamEnded();
            number++;
        }
        path.finishWhenWhole(transfer);
        return last;
    }

    private void begin(Transfer transfer) throws DataTransferException {
        long channels = blocks.begin(transfer.endsOfDataWanted);
        if (channels != BlockHeaders.UNTOLD) {
            transfer.endsOfDataWanted = channels;
        }
        long count = blocks.count();
        if (count > 0) {
            // Blocks of a transfer are of one size, but for the last.
            buffers.brief(count > ReadBuffers.LARGE_BYTES && path.mayDrop(channel, transfer));
            transfer.reachedOffset = Math.max(transfer.reachedOffset, blocks.offset() + count);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (closed) {
            return;
        }
        Transfer transfer = path.transferFrom(number);
        boolean inBlock = blocks.isWithin();
        close();
        if (transfer != null && (inBlock || (transfer.started && !transfer.dataEnded))) {
            path.failed(transfer, Failure.ofService(inBlock ? "data block cut off" : "data connection closed"));
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (!closed) {
            Transfer transfer = path.transferFrom(number);
            close();
            path.failed(transfer, Failures.of(cause).in("data connection"));
        }
    }

    void close() {
        closed = true;
        path.gone(this);
        channel.close();
        @Nullable ByteBuf next = held.poll();
        while (next != null) {
            next.release();
            next = held.poll();
        }
    }
}
