package org.diperf.plugins.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.diperf.core.fuzz.Fuzz;
import org.diperf.core.fuzz.Memory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.provider.MethodSource;

/** Responses that a server makes up: the first byte chooses the request, the others are what comes. */
class ResponseFuzzTests {

    private static final ResponseParser.Request[] REQUESTS = ResponseParser.Request.values();
    private static final long MAX_BYTES = 4 << 20;
    private static final byte[] OTHER =
            " HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    /** What a response was taken for. */
    private record Read(
            boolean ended,
            boolean endedByClose,
            @Nullable String fault,
            int status,
            boolean keepAlive,
            long bodyBytes,
            CacheStatus cache,
            int left) {}

    static Stream<byte[]> responses() {
        return ResponseParserTests.examples().stream()
                .map(example -> (" " + example.text()).getBytes(StandardCharsets.ISO_8859_1));
    }

    private static Read read(ResponseParser parser, byte[] input, int piece) {
        parser.reset(REQUESTS[Math.floorMod(input[0], REQUESTS.length)]);
        boolean ended = false;
        int at = 1;
        while (at < input.length && !ended) {
            int count = Math.min(piece, input.length - at);
            ByteBuf in = Unpooled.wrappedBuffer(input, at, count);
            ended = parser.read(in);
            at += count - in.readableBytes();
        }
        int left = input.length - at;
        boolean endedByClose = parser.readEnd();
        return new Read(
                ended,
                endedByClose,
                parser.fault(),
                parser.status(),
                parser.keepAlive(),
                parser.bodyBytes(),
                parser.cache(),
                parser.fault() == null ? left : 0);
    }

    @MethodSource("responses")
    @Fuzz
    void aResponseIsReadTheSameHoweverItComes(byte[] input) {
        if (input.length == 0) {
            return;
        }
        Memory.atMost(MAX_BYTES, () -> {
            HeaderCache known = new HeaderCache();
            ResponseParser parser = new ResponseParser(known, true, new org.diperf.core.spi.Memory(1 << 20));
            Read whole = read(parser, input, input.length);
            assertThat(read(parser, input, input.length))
                    .as("with a known head")
                    .isEqualTo(whole);
            read(parser, OTHER, OTHER.length);
            assertThat(read(parser, input, input.length))
                    .as("after another head")
                    .isEqualTo(whole);
            for (int piece : new int[] {1, 2, 7}) {
                assertThat(read(
                                new ResponseParser(new HeaderCache(), true, new org.diperf.core.spi.Memory(1 << 20)),
                                input,
                                piece))
                        .as("in pieces of %d", piece)
                        .isEqualTo(whole);
            }
        });
    }
}
