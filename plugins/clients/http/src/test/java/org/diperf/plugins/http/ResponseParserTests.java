package org.diperf.plugins.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.diperf.core.spi.Memory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class ResponseParserTests {

    /** A response and what must be read from it; a status of 0 stands for a bad response. */
    record Example(String text, int status, long bodyBytes, boolean keepAlive, boolean untilClose) {}

    static List<Example> examples() {
        return List.of(
                new Example("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", 200, 5, true, false),
                new Example("HTTP/1.1 200 OK\ncontent-LENGTH:5 \n\nhello", 200, 5, true, false),
                new Example("HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", 200, 0, true, false),
                new Example("HTTP/1.1 204 No\r\nContent-Length: 9\r\n\r\n", 204, 0, true, false),
                new Example("HTTP/1.1 304 Not\r\nTransfer-Encoding: chunked\r\n\r\n", 304, 0, true, false),
                new Example(
                        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\nA\r\n0123456789\r\n0\r\nT: r\r\n\r\n",
                        200,
                        15,
                        true,
                        false),
                new Example(
                        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, Chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",
                        200,
                        0,
                        true,
                        false),
                new Example("HTTP/1.1 200 OK\r\nConnection: Close\r\nContent-Length: 1\r\n\r\nx", 200, 1, false, false),
                new Example("HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx", 200, 1, false, false),
                new Example(
                        "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 1\r\n\r\nx", 200, 1, true, false),
                new Example("HTTP/1.1 200 OK\r\n\r\nuntil the end", 200, 13, false, true),
                new Example(
                        "HTTP/1.1 100 Continue\r\nConnection: close\r\n\r\nHTTP/1.1 103 H\r\n\r\nHTTP/1.1 404 No\r\nContent-Length: 1\r\n\r\nx",
                        404,
                        1,
                        true,
                        false),
                new Example("HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n", 101, 0, false, false),
                new Example("ICY 200 OK\r\n", 0, 0, false, false),
                new Example("HTTP/1.1 20x OK\r\n", 0, 0, false, false),
                new Example("HTTP/1.1 099 OK\r\n", 0, 0, false, false),
                new Example("HTTP/1.1 200 OK\r\nno colon\r\n", 0, 0, false, false),
                new Example("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n", 0, 0, false, false),
                new Example("HTTP/1.1 200 OK\r\nContent-Length: 9999999999999999999\r\n", 0, 0, false, false),
                new Example("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n", 0, 0, false, false),
                new Example("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", 0, 0, false, false),
                new Example("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxy\r\n", 0, 1, false, false),
                new Example(
                        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n",
                        0,
                        0,
                        false,
                        false));
    }

    private static void check(Example example, ResponseParser parser, boolean ended) {
        if (example.untilClose) {
            assertThat(ended).isFalse();
            assertThat(parser.readEnd()).isTrue();
        } else {
            assertThat(ended).as(example.text).isTrue();
        }
        if (example.status == 0) {
            assertThat(parser.fault()).startsWith("bad response: ");
        } else {
            assertThat(parser.fault()).isNull();
            assertThat(parser.status()).isEqualTo(example.status);
            assertThat(parser.keepAlive()).isEqualTo(example.keepAlive);
        }
        assertThat(parser.bodyBytes()).isEqualTo(example.bodyBytes);
    }

    private static boolean feed(ResponseParser parser, byte[] bytes, int from, int to) {
        return parser.read(Unpooled.wrappedBuffer(bytes, from, to - from));
    }

    @ParameterizedTest
    @MethodSource("examples")
    void aResponseIsReadTheSameHoweverItIsSplit(Example example) {
        byte[] bytes = example.text.getBytes(StandardCharsets.US_ASCII);
        ResponseParser parser = new ResponseParser(new HeaderCache(), false, new Memory(1 << 20));
        for (int at = 0; at <= bytes.length; at++) {
            parser.reset(ResponseParser.Request.ORDINARY);
            boolean ended = feed(parser, bytes, 0, at);
            ended = ended || feed(parser, bytes, at, bytes.length);
            check(example, parser, ended);
        }
        parser.reset(ResponseParser.Request.ORDINARY);
        boolean ended = false;
        for (int i = 0; i < bytes.length && !ended; i++) {
            ended = feed(parser, bytes, i, i + 1);
        }
        check(example, parser, ended);
    }

    @Test
    void whatFollowsTheResponseIsLeftInTheBuffer() {
        ByteBuf in =
                Unpooled.copiedBuffer("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nxHTTP", StandardCharsets.US_ASCII);
        assertThat(new ResponseParser(new HeaderCache(), false, new Memory(1 << 20)).read(in))
                .isTrue();
        assertThat(in.toString(StandardCharsets.US_ASCII)).isEqualTo("HTTP");
    }

    @Test
    void headersAndChunkLinesAreBoundedHoweverTheyArrive() {
        for (int piece : new int[] {1, 1_000, 100_000}) {
            ResponseParser header = new ResponseParser(new HeaderCache(), false, new Memory(1 << 20));
            feed(header, "HTTP/1.1 200 OK\r\n".getBytes(StandardCharsets.US_ASCII), 0, 17);
            assertThat(endless(header, piece)).isBetween(ResponseParser.MAX_HEADER_BYTES - 100, 165_536);
            assertThat(header.fault()).isEqualTo("bad response: header over 64 KiB");
            ResponseParser chunk = new ResponseParser(new HeaderCache(), false, new Memory(1 << 20));
            byte[] start =
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;".getBytes(StandardCharsets.US_ASCII);
            feed(chunk, start, 0, start.length);
            endless(chunk, piece);
            assertThat(chunk.fault()).isEqualTo("bad response: chunk line over 4 KiB");
        }
    }

    private static int endless(ResponseParser parser, int piece) {
        byte[] letters = "x".repeat(piece).getBytes(StandardCharsets.US_ASCII);
        int fed = piece;
        while (!feed(parser, letters, 0, piece)) {
            fed += piece;
        }
        return fed;
    }

    @Test
    void noMutatedResponseMakesItThrowOrReadWithoutEnd() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        List<Example> examples = examples();
        ResponseParser parser = new ResponseParser(new HeaderCache(), false, new Memory(1 << 20));
        for (int round = 0; round < 50_000; round++) {
            byte[] bytes = examples.get(random.nextInt(examples.size())).text.getBytes(StandardCharsets.US_ASCII);
            for (int i = random.nextInt(4); i >= 0; i--) {
                bytes[random.nextInt(bytes.length)] = random.nextBoolean()
                        ? (byte) random.nextInt(256)
                        : (byte) "\r\n:; 0Ff-".charAt(random.nextInt(9));
            }
            int cut = random.nextInt(bytes.length + 1);
            parser.reset(ResponseParser.Request.values()[random.nextInt(3)]);
            ByteBuf first = Unpooled.wrappedBuffer(bytes, 0, cut);
            ByteBuf rest = Unpooled.wrappedBuffer(bytes, cut, bytes.length - cut);
            boolean ended = parser.read(first) || parser.read(rest);
            String what = "seed " + seed + ", round " + round;
            assertThat(ended || (!first.isReadable() && !rest.isReadable()))
                    .as(what)
                    .isTrue();
            assertThat(ended && parser.fault() == null ? parser.status() : 100)
                    .as(what)
                    .isBetween(100, 999);
            assertThat(parser.bodyBytes()).as(what).isBetween(0L, (long) bytes.length);
        }
    }
}
