package org.diperf.plugins.iperf;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;
import io.netty.util.concurrent.FastThreadLocal;
import java.nio.ByteBuffer;

/**
 * One piece of memory for each event loop, into which all its connections are read: nobody keeps what comes, so it stays in the
 * processor's cache.
 */
final class SharedReadBuffer implements RecvByteBufAllocator {

    private static final int READ_BYTES = 128 << 10;
    /** Reads of a connection before others of the loop get their turn. */
    private static final int READS_A_TURN = 16;

    private static final FastThreadLocal<ByteBuf> OF_LOOP = new FastThreadLocal<>() {
        @Override
        protected ByteBuf initialValue() {
            // A tester's loop ends without a word to thread-locals: the garbage collector takes the memory with it.
            return Unpooled.wrappedBuffer(ByteBuffer.allocateDirect(READ_BYTES));
        }
    };

    @Override
    public ExtendedHandle newHandle() {
        FixedRecvByteBufAllocator counting = new FixedRecvByteBufAllocator(READ_BYTES);
        counting.maxMessagesPerRead(READS_A_TURN);
        return new Shared((ExtendedHandle) counting.newHandle());
    }

    private static final class Shared extends DelegatingHandle implements ExtendedHandle {

        private final ExtendedHandle counting;

        Shared(ExtendedHandle counting) {
            super(counting);
            this.counting = counting;
        }

        @Override
        public ByteBuf allocate(ByteBufAllocator allocator) {
            ByteBuf memory = OF_LOOP.get();
            return memory.refCnt() > 1
                    ? counting.allocate(allocator)
                    : memory.clear().retainedDuplicate();
        }

        @Override
        public boolean continueReading(UncheckedBooleanSupplier maybeMore) {
            return counting.continueReading(maybeMore);
        }
    }
}
