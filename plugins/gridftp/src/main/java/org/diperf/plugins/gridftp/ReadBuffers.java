package org.diperf.plugins.gridftp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;
import io.netty.util.concurrent.FastThreadLocal;

/**
 * Gives all data channels of an event loop the same memory to read into, which then stays in the processor's cache. Where somebody
 * holds what was read before, there is other memory. Thread-safe; handles are confined to their event loops.
 */
final class ReadBuffers implements RecvByteBufAllocator {

    static final ReadBuffers ALL = new ReadBuffers();

    private static final int READ_BYTES = 256 << 10;

    private static final FastThreadLocal<ByteBuf> OF_LOOP = new FastThreadLocal<>() {
        @Override
        protected ByteBuf initialValue() {
            return Unpooled.directBuffer(READ_BYTES, READ_BYTES);
        }

        @Override
        protected void onRemoval(ByteBuf memory) {
            memory.release();
        }
    };

    /** Reads of a channel before others of the loop get their turn. */
    private static final int READS_A_TURN = 16;

    private final FixedRecvByteBufAllocator fixed = new FixedRecvByteBufAllocator(READ_BYTES);

    private ReadBuffers() {
        fixed.maxMessagesPerRead(READS_A_TURN);
    }

    @Override
    public ExtendedHandle newHandle() {
        return new OfChannel((ExtendedHandle) fixed.newHandle());
    }

    private static final class OfChannel extends DelegatingHandle implements ExtendedHandle {

        private final ExtendedHandle counting;

        OfChannel(ExtendedHandle counting) {
            super(counting);
            this.counting = counting;
        }

        @Override
        public ByteBuf allocate(ByteBufAllocator allocator) {
            ByteBuf memory = OF_LOOP.get();
            if (memory.refCnt() > 1) {
                return counting.allocate(allocator);
            }
            return memory.clear().retainedDuplicate();
        }

        @Override
        public boolean continueReading(UncheckedBooleanSupplier maybeMore) {
            return counting.continueReading(maybeMore);
        }
    }
}
