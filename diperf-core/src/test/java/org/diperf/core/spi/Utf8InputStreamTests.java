package org.diperf.core.spi;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(30)
class Utf8InputStreamTests {

    @Test
    void textInUtf8IsPassedOnAsItIs() throws IOException {
        String text = "name,größe\n\u0001\u007f €,\uFFFD\uFFFF,😀\r\n";
        assertThat(Utf8InputStream.decode(text.getBytes(UTF_8))).isEqualTo(text);
        StringWriter read = new StringWriter();
        try (InputStreamReader in =
                new InputStreamReader(new Utf8InputStream(new ByteArrayInputStream(text.getBytes(UTF_8))), UTF_8)) {
            in.transferTo(read);
        }
        assertThat(read).hasToString(text);
    }

    @ParameterizedTest
    @CsvSource({
        "61 0A C3 B6 E9 0A,2,2,byte 0xE9", // the next line begins where a character should go on
        "61 0A C3 B6 62 80,2,3,byte 0x80",
        "C0 80,1,1,byte 0xC0",
        "E0 80 80,1,1,byte 0x80",
        "ED A0 80,1,1,byte 0xA0",
        "F4 90 80 80,1,1,byte 0x90",
        "61 00,1,2,byte 0x00",
        "FF FE 61 00,1,1,byte 0xFF",
        "61 E2 82,1,2,the end of the file",
        "FD 37 7A 58 5A 00,1,1,an xz file; unpack it first",
        "50 4B 03 04 14 00,1,6,a zip file; unpack it first",
    })
    void whatIsNoneIsRefusedWithItsPlace(String hex, int line, int column, String got) {
        byte[] bytes = HexFormat.ofDelimiter(" ").parseHex(hex);
        String what = got.equals("byte 0xE9") ? "byte 0x0A" : got;
        assertThatThrownBy(() -> Utf8InputStream.decode(bytes))
                .isInstanceOf(CharacterCodingException.class)
                .hasMessageStartingWith(
                        "line " + line + ", column " + column + ": expected text in UTF-8, got " + what);
        assertThatThrownBy(() -> new Utf8InputStream(new ByteArrayInputStream(bytes)).readAllBytes())
                .isInstanceOf(Utf8InputStream.NotUtf8.class);
    }

    /** But for NUL, which no text has. */
    @Test
    void itTakesWhatTheSystemsDecoderTakes() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        int[] likely = {0x41, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC2, 0xE0, 0xE1, 0xED, 0xEF, 0xF0, 0xF3, 0xF4};
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = new byte[1 + random.nextInt(5)];
            for (int k = 0; k < bytes.length; k++) {
                bytes[k] = (byte)
                        (random.nextInt(8) == 0 ? 1 + random.nextInt(255) : likely[random.nextInt(likely.length)]);
            }
            assertThat(passes(bytes))
                    .as("seed %d, %s", seed, HexFormat.of().formatHex(bytes))
                    .isEqualTo(decodes(bytes));
        }
    }

    private static boolean passes(byte[] bytes) {
        try {
            Utf8InputStream.check(bytes);
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    private static boolean decodes(byte[] bytes) {
        try {
            UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
