package org.diperf.plugins.lib.gridftp.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.diperf.core.fuzz.Fuzz;
import org.diperf.plugins.lib.gridftp.control.DataTransferException;
import org.junit.jupiter.params.provider.MethodSource;

/** What a server sends on one data channel in extended block mode. */
class BlockFuzzTests {

    private static final int PART_BASE = 10;
    private static final int PART_END = 1_000;

    /** A descriptor, the length of the block, its offset, and as much data as was given. */
    private static void block(ByteBuffer to, int descriptor, long count, long offset, int data) {
        to.put((byte) descriptor).putLong(count).putLong(offset).put(new byte[data]);
    }

    static Stream<byte[]> streams() {
        ByteBuffer whole = ByteBuffer.allocate(1_000).put((byte) 0);
        block(whole, 0, 100, 0, 100);
        block(whole, 0, 50, 100, 50);
        block(whole, ExtendedBlock.END_OF_DATA | ExtendedBlock.END_OF_FILE, 0, 1, 0);
        ByteBuffer striped = ByteBuffer.allocate(1_000).put((byte) 1);
        block(striped, 0, 20, 300, 20);
        block(striped, ExtendedBlock.END_OF_FILE, 0, 4, 0);
        block(striped, ExtendedBlock.END_OF_DATA, 20, 600, 20);
        block(striped, ExtendedBlock.END_OF_DATA, 0, 0, 0);
        ByteBuffer lying = ByteBuffer.allocate(1_000).put((byte) 0);
        block(lying, 0, Long.MAX_VALUE, 1, 30);
        return Stream.of(whole, striped, lying).map(made -> Arrays.copyOf(made.array(), made.position()));
    }

    /** Reads as the stream's reader does; gives each block, and why the rest was refused. */
    private static List<String> read(byte[] input, int piece) {
        boolean part = (input[0] & 1) != 0;
        long base = part ? PART_BASE : 0;
        long end = part ? PART_END : Long.MAX_VALUE;
        BlockHeaders blocks = new BlockHeaders(base, end);
        List<String> read = new ArrayList<>();
        long told = BlockHeaders.UNTOLD;
        long data = 0;
        try {
            for (int at = 1; at < input.length; at += piece) {
                ByteBuf in = Unpooled.wrappedBuffer(input, at, Math.min(piece, input.length - at));
                while (in.isReadable()) {
                    if (blocks.isExpected()) {
                        if (!blocks.read(in)) {
                            continue;
                        }
                        long channels = blocks.begin(told);
                        told = channels == BlockHeaders.UNTOLD ? told : channels;
                        assertThat(blocks.left()).isEqualTo(blocks.count()).isNotNegative();
                        assertThat(told)
                                .isBetween(BlockHeaders.UNTOLD, 1_000_000L)
                                .isNotZero();
                        if (blocks.count() > 0) {
                            assertThat(blocks.offset()).isBetween(base, end - blocks.count());
                        }
                        read.add(blocks.count() + " at " + blocks.offset() + ", told " + told);
                    }
                    int now = (int) Math.min(blocks.left(), in.readableBytes());
                    in.skipBytes(now);
                    blocks.skip(now);
                    data += now;
                    assertThat(blocks.isWithin()).isTrue();
                    if (blocks.left() == 0) {
                        boolean last = blocks.end();
                        read.add(last ? "last" : "end");
                        told = last ? BlockHeaders.UNTOLD : told;
                        assertThat(blocks.isWithin()).isFalse();
                    }
                }
            }
        } catch (DataTransferException refused) {
            read.add(String.valueOf(refused.getMessage()));
        }
        assertThat(data).isLessThan(input.length);
        read.add(data + " bytes, " + blocks.isWithin());
        return read;
    }

    @MethodSource("streams")
    @Fuzz
    void blocksAreReadOrRefusedTheSameHoweverTheyCome(byte[] input) {
        if (input.length == 0) {
            return;
        }
        List<String> whole = read(input, Math.max(1, input.length));
        for (int piece : new int[] {1, 7, 17}) {
            assertThat(read(input, piece)).as("in pieces of %d", piece).isEqualTo(whole);
        }
    }
}
