package org.diperf.plugins.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.diperf.core.spi.Memory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 10, unit = TimeUnit.SECONDS)
class HeaderCacheTests {

    private static final String HEAD = "HTTP/1.1 200 OK\r\nDate: now\r\nContent-Length: 2\r\n\r\n";

    private final HeaderCache known = new HeaderCache();
    private final ResponseParser parser = new ResponseParser(known, false, new Memory(1 << 20));

    private static ByteBuf bytes(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII);
    }

    private void read(String response) {
        parser.reset(ResponseParser.Request.ORDINARY);
        assertThat(parser.read(bytes(response))).isTrue();
        assertThat(parser.fault()).isNull();
    }

    @Test
    void theHeadOfTheLastResponseIsKnownAndNoOther() {
        assertThat(known.begins(bytes(HEAD))).isFalse();
        read(HEAD + "ab");
        assertThat(known.begins(bytes(HEAD + "xy"))).isTrue();
        assertThat(known.begins(bytes(HEAD.substring(0, HEAD.length() - 1)))).isFalse();
        assertThat(known.begins(bytes(HEAD.replace("now", "new") + "xy"))).isFalse();
        read(HEAD.replace("now", "later").replace(": 2", ": 3") + "abc");
        assertThat(known.begins(bytes(HEAD + "xy"))).isFalse();
    }

    @Test
    void aKnownHeadMeansWhatItMeantBefore() {
        String chunked = "HTTP/1.1 404 Not Found\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n";
        for (int i = 0; i < 2; i++) {
            read(chunked + "3\r\nabc\r\n0\r\n\r\n");
            assertThat(known.begins(bytes(chunked))).isTrue();
            assertThat(parser.status()).isEqualTo(404);
            assertThat(parser.keepAlive()).isFalse();
            assertThat(parser.bodyBytes()).isEqualTo(3);
        }
        for (int i = 0; i < 2; i++) {
            read(HEAD + "ab");
            assertThat(parser.status()).isEqualTo(200);
            assertThat(parser.keepAlive()).isTrue();
            assertThat(parser.bodyBytes()).isEqualTo(2);
        }
    }

    @Test
    void aHeadWithoutALengthOrTooLongToKeepIsReadEachTime() {
        String endless = "HTTP/1.1 200 OK\r\n\r\n";
        parser.reset(ResponseParser.Request.ORDINARY);
        assertThat(parser.read(bytes(endless))).isFalse();
        assertThat(known.begins(bytes(endless))).isFalse();
        String big = "HTTP/1.1 200 OK\r\nX: " + "x".repeat(2_000) + "\r\nContent-Length: 0\r\n\r\n";
        read(big);
        assertThat(known.begins(bytes(big))).isFalse();
    }
}
