package org.diperf.plugins.lib.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is written is what another implementation reads. */
@Timeout(60)
class HeaderWriterTests {

    private final RequestHead.Family family = new RequestHead.Family();
    private final HeaderWriter writer = new HeaderWriter();
    private final DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(false, 1 << 20);

    private ByteBuf write(RequestHead head) {
        ByteBuf out = Unpooled.buffer();
        writer.write(head, out);
        return out;
    }

    private List<String> read(ByteBuf block) throws Exception {
        List<String> fields = new ArrayList<>();
        decoder.decodeHeaders(1, block.duplicate())
                .forEach(field -> fields.add(field.getKey() + "=" + field.getValue()));
        return fields;
    }

    private RequestHead.Builder get(String path) {
        return family.head()
                .fixed(":method", "GET")
                .fixed(":scheme", "http")
                .fixed(":authority", "a")
                .fixed(":path", path);
    }

    @Test
    void theFirstRequestFillsTheTableAndTheNextIsAFewBytes() throws Exception {
        RequestHead head = get("/x").fixed("User-Agent", "diperf").build();
        List<String> fields = List.of(":method=GET", ":scheme=http", ":authority=a", ":path=/x", "user-agent=diperf");
        assertThat(read(write(head))).isEqualTo(fields);
        for (int i = 0; i < 3; i++) {
            ByteBuf next = write(head);
            assertThat(next.readableBytes()).isEqualTo(5);
            assertThat(read(next)).isEqualTo(fields);
        }
    }

    @Test
    void requestsOfOneConnectionShareItsTable() throws Exception {
        RequestHead one = get("/1").build();
        RequestHead two = get("/2").fixed("x", "y").build();
        for (int i = 0; i < 3; i++) {
            assertThat(read(write(one))).contains(":path=/1");
            assertThat(read(write(two))).contains(":path=/2", "x=y");
        }
        assertThat(write(one).readableBytes()).isEqualTo(4);
    }

    @Test
    void whatChangesStaysOutOfTheTableAndMayBeLeftOut() throws Exception {
        RequestHead head = family.head()
                .fixed(":method", "POST")
                .varying(":path")
                .varying("x-id")
                .fixed("a", "b")
                .build();
        assertThat(read(write(head.with("/1", "one")))).containsExactly(":method=POST", ":path=/1", "x-id=one", "a=b");
        assertThat(read(write(head.with("/2", null)))).containsExactly(":method=POST", ":path=/2", "a=b");
    }

    @Test
    void credentialsAreNeverInATable() throws Exception {
        RequestHead head = get("/").fixed("Authorization", "Bearer x")
                .fixed("Cookie", "a=b")
                .build();
        int first = write(head).readableBytes();
        ByteBuf second = write(head);
        assertThat(second.readableBytes()).isGreaterThan(20).isLessThan(first);
        // Never indexed: authorization is 23 of the static table.
        assertThat(second.getByte(4)).isEqualTo((byte) 0x1f);
        assertThat(second.getByte(5)).isEqualTo((byte) 8);
    }

    @Test
    void aServerThatWantsNoTableGetsNoneAndOneThatChangesItsMindIsHeard() throws Exception {
        RequestHead head = get("/x").build();
        List<String> fields = read(write(head));
        for (int size : new int[] {0, 4096, 50, 1 << 30, 10}) {
            writer.peerTable(size);
            decoder.maxHeaderTableSize(size);
            for (int i = 0; i < 3; i++) {
                assertThat(read(write(head))).as("with a table of %d", size).isEqualTo(fields);
            }
        }
    }

    @Test
    void anyHeadsInAnyOrderAreReadAsTheyWereMeant() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<RequestHead> heads = new ArrayList<>();
        List<List<@Nullable String>> meant = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            RequestHead.Builder head = family.head();
            List<@Nullable String> fields = new ArrayList<>();
            for (int j = 0; j < 1 + random.nextInt(12); j++) {
                String name = "n" + "x".repeat(random.nextInt(200)) + random.nextInt(20);
                String value = "v".repeat(random.nextInt(300)) + random.nextInt(10);
                head.fixed(name, value);
                fields.add(name + "=" + value);
            }
            heads.add(head.build());
            meant.add(fields);
        }
        for (int i = 0; i < 5_000; i++) {
            if (random.nextInt(200) == 0) {
                int size = random.nextInt(6_000);
                writer.peerTable(size);
                decoder.maxHeaderTableSize(size);
            }
            int which = random.nextInt(heads.size());
            assertThat(read(write(heads.get(which)))).as("seed %d", seed).isEqualTo(meant.get(which));
        }
    }
}
