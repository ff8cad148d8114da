package org.diperf.plugins.lib.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersEncoder;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Blocks that are remembered, and what makes them be forgotten. */
@Timeout(60)
class HeaderReaderTests {

    private final HeaderReader reader = new HeaderReader();

    private @Nullable Fields read(byte[] block) throws ConnectionErrorException {
        return reader.read(1, Unpooled.wrappedBuffer(block), 0, block.length, false);
    }

    private String value(byte[] block, String name) throws ConnectionErrorException {
        Fields fields = read(block);
        return fields == null ? "malformed" : String.valueOf(fields.first(name));
    }

    @Test
    void theSameBlockIsTheSameObject() throws Exception {
        byte[] block = Frames.block(":status", "200", "a", "b");
        Fields first = read(block);
        assertThat(first).isNotNull().isSameAs(read(block.clone()));
        assertThat(read(Frames.block(":status", "200", "a", "c"))).isNotSameAs(first);
    }

    @Test
    void anyBlockThatChangesTheTableChangesWhatOthersMean() throws Exception {
        read(Frames.join(Frames.STATUS_200, Frames.block(0x40, "a", "1")));
        byte[] newest = Frames.bytes(0x88, 0xbe);
        assertThat(value(newest, "a")).isEqualTo("1");
        assertThat(value(newest, "a")).isEqualTo("1");
        // Trailers of another stream put something before it.
        byte[] trailers = Frames.block(0x40, "b", "2");
        reader.read(3, Unpooled.wrappedBuffer(trailers), 0, trailers.length, true);
        assertThat(value(newest, "a")).isEqualTo("null");
        assertThat(value(newest, "b")).isEqualTo("2");
    }

    @Test
    void aBlockThatEmptiesTheTableIsNotRemembered() throws Exception {
        read(Frames.join(Frames.STATUS_200, Frames.block(0x40, "a", "1")));
        byte[] emptying = Frames.bytes(0x20, 0x88);
        read(emptying);
        assertThat(HeaderReader.effect(Unpooled.wrappedBuffer(emptying), 0, emptying.length))
                .isEqualTo(HeaderReader.Effect.ANY);
    }

    @Test
    void manyBlocksOfAnEncoderWithATableAreReadAsTheyWereMeant() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        DefaultHttp2HeadersEncoder encoder = new DefaultHttp2HeadersEncoder(Http2HeadersEncoder.NEVER_SENSITIVE);
        int remembered = 0;
        Fields last = null;
        for (int i = 0; i < 20_000; i++) {
            Http2Headers meant = new DefaultHttp2Headers().status("200");
            // Few values, so that blocks come again; now and then one that evicts others.
            meant.set("a", "v" + random.nextInt(3));
            if (random.nextInt(50) == 0) {
                meant.set("b", "x".repeat(random.nextInt(3_000)));
            }
            ByteBuf block = Unpooled.buffer();
            encoder.encodeHeaders(1, meant, block);
            Fields read = reader.read(1, block, 0, block.readableBytes(), random.nextInt(5) == 0);
            assertThat(read).as("seed %d", seed).isNotNull();
            if (read != null) {
                assertThat(read.status()).isEqualTo(200);
                assertThat(read.first("a")).as("seed %d", seed).isEqualTo(String.valueOf(meant.get("a")));
                assertThat(read.first("b"))
                        .as("seed %d", seed)
                        .isEqualTo(
                                meant.get("b") == null ? null : meant.get("b").toString());
                remembered += read == last ? 1 : 0;
            }
            last = read;
        }
        assertThat(remembered).isPositive();
    }

    @Test
    void aBlockThatPutsTheSameIntoTheTableEachTimeIsReadOnceAndStillDoesSo() throws Exception {
        byte[] inserting = Frames.join(Frames.STATUS_200, Frames.block(0x40, "a", "1"));
        Fields first = read(inserting);
        for (int i = 0; i < 3; i++) {
            assertThat(read(inserting)).isSameAs(first);
        }
        read(Frames.join(Frames.STATUS_200, Frames.block(0x40, "b", "2")));
        assertThat(value(Frames.bytes(0x88, 0xbe), "b")).isEqualTo("2");
        for (int index = 0xbf; index < 0xc3; index++) {
            assertThat(value(Frames.bytes(0x88, index), "a")).isEqualTo("1");
        }
        assertThat(first).isNotNull();
        assertThatThrownBy(() -> read(Frames.bytes(0x88, 0xc3)))
                .as("no fifth one")
                .isInstanceOf(ConnectionErrorException.class);
    }

    /** Blocks of a few kinds in any order, as a reader that decodes each of them reads them. */
    @Test
    void whateverComesIsReadAsByOneThatRemembersNothing() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        DefaultHttp2HeadersDecoder plain = new DefaultHttp2HeadersDecoder(true, true, HeaderReader.MAX_LIST_BYTES);
        byte[][] kinds = {
            Frames.join(Frames.STATUS_200, Frames.block(0x40, "a", "1")),
            Frames.join(Frames.STATUS_200, Frames.block(0x40, "b", "x".repeat(100), "c", "3")),
            Frames.join(Frames.STATUS_200, Frames.block(0x40, "d", "x".repeat(900))),
            Frames.join(Frames.STATUS_200, Frames.block("e", "5")),
            Frames.bytes(0x88, 0xbe),
            Frames.bytes(0x88, 0xbf),
        };
        for (int i = 0; i < 600; i++) {
            byte[] block = i < 4 ? kinds[1] : kinds[random.nextInt(kinds.length)];
            for (int times = random.nextInt(10) == 0 ? random.nextInt(300) : 1; times > 0; times--) {
                Fields read = reader.read(1, Unpooled.wrappedBuffer(block), 0, block.length, random.nextInt(3) == 0);
                String meant = new Fields(plain.decodeHeaders(1, Unpooled.wrappedBuffer(block))).text();
                assertThat(read == null ? "malformed" : read.text())
                        .as("seed %d", seed)
                        .isEqualTo(meant);
            }
        }
    }

    @Test
    void whatIsNoBlockIsNotRemembered() {
        for (byte[] cut : new byte[][] {
            {0, 5, 'a'}, {(byte) 0xff}, {(byte) 0xff, (byte) 0x80}, {0, 1, 'a', 0x7f, (byte) 0xff}, {0x0f}
        }) {
            assertThat(HeaderReader.effect(Unpooled.wrappedBuffer(cut), 0, cut.length))
                    .isEqualTo(HeaderReader.Effect.ANY);
        }
    }

    @Test
    void whatABlockDoesToTheTableIsKnownBeforeItIsDecoded() {
        // The largest index of the static table, in each form, and the first of the other table.
        for (int[] block : new int[][] {{0xbd}, {0x0f, 61 - 15, 0}, {0x1f, 61 - 15, 0}}) {
            assertThat(effect(block)).isEqualTo(HeaderReader.Effect.NONE);
        }
        assertThat(effect(0x7d, 0)).isEqualTo(HeaderReader.Effect.INSERTS);
        for (int[] block : new int[][] {{0xbe}, {0x0f, 62 - 15, 0}, {0x1f, 62 - 15, 0}, {0x0f, 0x80, 1, 0}}) {
            assertThat(effect(block)).isEqualTo(HeaderReader.Effect.REFERS);
        }
        for (int[] block : new int[][] {{0x7e, 0}, {0x7f, 0, 0}, {0xbe, 0x7d, 0}, {0x20}, {0x3f, 0xe1, 0x1f}}) {
            assertThat(effect(block)).isEqualTo(HeaderReader.Effect.ANY);
        }
    }

    private static HeaderReader.Effect effect(int... block) {
        byte[] bytes = Frames.bytes(block);
        return HeaderReader.effect(Unpooled.wrappedBuffer(bytes), 0, bytes.length);
    }
}
