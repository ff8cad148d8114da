package org.diperf.plugins.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.diperf.core.spi.Memory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is kept of a response of HTTP/1.1, and found in it. */
class BufferedResponseTests {

    private final BufferedResponse answer = new BufferedResponse(true, new Memory(4 << 20));

    private void came(String... lines) {
        for (int i = 0; i < lines.length; i++) {
            byte[] line = lines[i].getBytes(ISO_8859_1);
            answer.line(line, line.length, i == 0);
        }
    }

    private void body(String text) {
        ByteBuf bytes = Unpooled.copiedBuffer(text, UTF_8);
        answer.body(bytes, bytes.readableBytes());
        bytes.release();
    }

    @Test
    void fieldsAreFoundByTheirNamesInWhateverCase() {
        came("HTTP/1.1 200 OK", "Content-Type: text/plain", "Set-Cookie: a=1", "SET-COOKIE :  b=2; Path=/ ", "Empty:");
        assertThat(answer.status()).isEqualTo("200");
        assertThat(answer.header("content-type")).isEqualTo("text/plain");
        assertThat(answer.headers("set-cookie")).containsExactly("a=1", "b=2; Path=/");
        assertThat(answer.header("Empty")).isEmpty();
        for (String none : new String[] {"Content", "Content-Type:", "Type", "HTTP/1.1 200 OK", "text/plain", "b=2"}) {
            assertThat(answer.header(none)).as(none).isNull();
        }
        assertThat(answer.head()).startsWith("HTTP/1.1 200 OK\r\nContent-Type").endsWith("Empty:\r\n\r\n");
    }

    @Test
    void anInterimResponseIsForgotten() {
        came("HTTP/1.1 103 Early Hints", "Link: </a.css>");
        came("HTTP/1.1 404", "Server: x");
        assertThat(answer.status()).isEqualTo("404");
        assertThat(answer.header("Link")).isNull();
        assertThat(answer.header("Server")).isEqualTo("x");
    }

    @Test
    void aLongHeadIsKeptWhole() {
        String value = "v".repeat(1_000);
        came("HTTP/1.1 200 OK", "One: " + value, "Two: " + value + "2");
        assertThat(answer.header("one")).isEqualTo(value);
        assertThat(answer.header("two")).isEqualTo(value + "2");
        assertThat(new BufferedResponse(true, new Memory(4 << 20)).header("one"))
                .isNull();
        assertThat(new BufferedResponse(true, new Memory(4 << 20)).status()).isEmpty();
    }

    @Test
    void aBodyIsReadAsItHasComeSoFar() {
        body("gr");
        assertThat(answer.body()).isEqualTo("gr");
        body("üß");
        assertThat(answer.body()).isEqualTo("grüß");
        body("x".repeat((1 << 20) + 5));
        assertThat(answer.body()).hasSize((1 << 20) - 2).startsWith("grüßx");
        assertThat(answer.size()).isEqualTo(6 + (1 << 20) + 5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"body", "head", "gzip"})
    void whatThereIsNoMemoryForFailsByTheGeneratorsFault(String of) {
        Memory memory = new Memory(60 << 10);
        BufferedResponse large = new BufferedResponse(true, memory);
        switch (of) {
            case "body" -> {
                ByteBuf bytes = Unpooled.wrappedBuffer(new byte[32 << 10]);
                large.body(bytes, 32 << 10);
                assertThat(large.keptBody().failure()).isNull();
                large.body(bytes, 32 << 10);
            }
            case "head" -> {
                byte[] line = ("Set-Cookie: " + "x".repeat(40_000)).getBytes(ISO_8859_1);
                large.line(line, line.length, false);
            }
            default -> {
                byte[] line = "Content-Encoding: gzip".getBytes(ISO_8859_1);
                large.line(line, line.length, true);
                large.line(line, line.length, false);
                large.bodyBegins();
            }
        }
        large.end();
        assertThat(large.keptBody().failure()).isEqualTo(Memory.FULL);
        large.keptBody().forget();
        assertThat(memory.kept()).isZero();
    }
}
