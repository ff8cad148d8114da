package org.diperf.plugins.lib.gridftp.data;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.util.UncheckedBooleanSupplier;
import io.netty.util.concurrent.FastThreadLocal;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * How one data channel is read. All channels of an event loop have the same memory to read into, which then stays in the
 * processor's cache; where somebody holds what was read before, there is other memory. Large data that nobody wants is not read
 * at all but for a few bytes at a time, which show where it begins and ends: the kernel drops the rest. Confined to its event
 * loop.
 */
final class ReadBuffers implements RecvByteBufAllocator {

    private static final int READ_BYTES = 256 << 10;

    private static final int REPLY_BYTES = 4 << 10;

    /** From so many bytes on it is cheaper to have them dropped, by a call to the kernel of its own, than to read them. */
    static final int LARGE_BYTES = 64 << 10;

    /** Most that is dropped at once, so that other channels of the loop get their turn. */
    private static final long DROP_BYTES = 1 << 20;

    /** Reads of a channel before others of the loop get their turn. */
    private static final int READS_A_TURN = 16;

    private static final Memory DATA = new Memory(READ_BYTES);
    private static final Memory REPLIES = new Memory(REPLY_BYTES);

    private final Memory memory;
    private boolean brief;
    private boolean drained;

    private ReadBuffers(Memory memory) {
        this.memory = memory;
    }

    /** Makes those of a data channel. */
    static ReadBuffers ofData() {
        return new ReadBuffers(DATA);
    }

    /** Makes those of control channels, which need not wait until data that is held has been taken. */
    static ReadBuffers ofReplies() {
        return new ReadBuffers(REPLIES);
    }

    /** Memory of each loop, and what gives more where that is in use. */
    private static final class Memory extends FastThreadLocal<ByteBuf> {

        private final int bytes;
        private final FixedRecvByteBufAllocator more;

        Memory(int bytes) {
            this.bytes = bytes;
            more = new FixedRecvByteBufAllocator(bytes);
            more.maxMessagesPerRead(READS_A_TURN);
        }

        @Override
        protected ByteBuf initialValue() {
            // A tester's loop ends without a word to thread-locals: the garbage collector takes the memory with it.
            return Unpooled.wrappedBuffer(ByteBuffer.allocateDirect(bytes));
        }
    }

    @Override
    public ExtendedHandle newHandle() {
        return new OfChannel((ExtendedHandle) memory.more.newHandle());
    }

    /** Says whether the next reads are to take few bytes, because what follows them is dropped. */
    void brief(boolean brief) {
        this.brief = brief;
    }

    boolean isBrief() {
        return brief;
    }

    /** Returns whether what comes on a channel can be dropped; to be asked where it is discarded and goes as it came. */
    static boolean canDrop(Channel channel) {
        return channel instanceof EpollSocketChannel && KernelDiscard.isPossible();
    }

    /**
     * Drops what has come; only for channels that can.
     *
     * @return how many bytes
     * @throws IOException when the connection is broken
     */
    long drop(Channel channel, long most) throws IOException {
        if (!channel.isOpen()) {
            return 0; // the descriptor's number may be another's by now
        }
        long wanted = Math.min(most, DROP_BYTES);
        long count = KernelDiscard.drop(((EpollSocketChannel) channel).fd().intValue(), wanted);
        drained = count < wanted;
        return count;
    }

    private final class OfChannel extends DelegatingHandle implements ExtendedHandle {

        private final ExtendedHandle counting;

        OfChannel(ExtendedHandle counting) {
            super(counting);
            this.counting = counting;
        }

        @Override
        public ByteBuf allocate(ByteBufAllocator allocator) {
            drained = false;
            ByteBuf shared = memory.get();
            if (shared.refCnt() > 1) {
                return counting.allocate(allocator);
            }
            return brief
                    ? shared.retainedSlice(0, ExtendedBlock.HEADER_BYTES).clear()
                    : shared.clear().retainedDuplicate();
        }

        @Override
        public boolean continueReading(UncheckedBooleanSupplier maybeMore) {
            return !drained && counting.continueReading(maybeMore);
        }

        @Override
        public boolean continueReading() {
            return !drained && counting.continueReading();
        }
    }
}
