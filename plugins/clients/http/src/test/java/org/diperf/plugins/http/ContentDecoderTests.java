package org.diperf.plugins.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.diperf.core.spi.Memory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ContentDecoderTests {

    private static final byte[] TEXT =
            "a body that is said again and again. ".repeat(2_000).getBytes(StandardCharsets.UTF_8);

    private static byte[] packed(String encoding, byte[] plain) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (OutputStream packing = switch (encoding) {
            case "gzip" -> new GZIPOutputStream(out);
            case "deflate" -> new DeflaterOutputStream(out);
            default -> new DeflaterOutputStream(out, new Deflater(6, true));
        }) {
            packing.write(plain);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return out.toByteArray();
    }

    private static BufferedBody body(String encoding, byte[] came, int piece) {
        BufferedBody body = new BufferedBody(true, new Memory(4 << 20));
        body.encoding(encoding);
        for (int at = 0; at < came.length; at += piece) {
            body.take(Unpooled.wrappedBuffer(came), at, Math.min(piece, came.length - at));
        }
        body.end();
        return body;
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate", "bare"})
    void aBodyIsUnpackedHoweverItComes(String kind) {
        byte[] packed = packed(kind, TEXT);
        for (int piece : new int[] {1, 3, 1_000, packed.length}) {
            BufferedBody body = body(kind.equals("gzip") ? " GZip" : "deflate", packed, piece);
            assertThat(body.fault()).isNull();
            assertThat(body.text().getBytes(StandardCharsets.UTF_8)).isEqualTo(TEXT);
            assertThat(body.bytes()).isEqualTo(TEXT.length);
            assertThat(body.wireBytes()).isEqualTo(packed.length);
        }
    }

    @Test
    void aHeaderOfGzipMayHaveAllItsFieldsAndThereMayBeSeveralMembers() {
        byte[] plain = packed("gzip", TEXT);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(new byte[] {0x1f, (byte) 0x8b, 8, 2 | 4 | 8 | 16, 0, 0, 0, 0, 0, 0});
        all.writeBytes(new byte[] {2, 0, 'x', 'y', 'n', 0, 'c', 'o', 0, 7, 7});
        all.write(plain, 10, plain.length - 10);
        all.writeBytes(plain);
        BufferedBody body = body("x-gzip", all.toByteArray(), 5);
        assertThat(body.fault()).isNull();
        assertThat(body.bytes()).isEqualTo(2L * TEXT.length);
    }

    @Test
    void whatIsDamagedOrCutOffIsABadResponse() {
        byte[] packed = packed("gzip", TEXT);
        assertThat(body("gzip", TEXT, 9).fault()).isEqualTo("bad response: gzip body not gzip");
        assertThat(body("gzip", Arrays.copyOf(packed, packed.length - 1), 9).fault())
                .isEqualTo("bad response: gzip body cut off");
        assertThat(body("gzip", Arrays.copyOf(packed, 50), 9).fault()).isEqualTo("bad response: gzip body cut off");
        byte[] wrong = packed.clone();
        wrong[packed.length - 6] = (byte) (wrong[packed.length - 6] ^ 1);
        assertThat(body("gzip", wrong, 9).fault()).isEqualTo("bad response: gzip body damaged");
        byte[] broken = packed.clone();
        Arrays.fill(broken, 12, 40, (byte) 0xff);
        assertThat(body("gzip", broken, 9).fault()).isEqualTo("bad response: gzip body damaged");
    }

    @Test
    void aBodyOfNothingIsNotCutOffAndOneThatIsNotPackedStays() {
        assertThat(body("gzip", new byte[0], 1).fault()).isNull();
        assertThat(body("br", TEXT, 100).text().getBytes(StandardCharsets.UTF_8))
                .isEqualTo(TEXT);
    }

    @Test
    void aBombIsGivenUpAndNoMoreThanAMebibyteIsKept() {
        ByteArrayOutputStream bomb = new ByteArrayOutputStream();
        byte[] part = packed("gzip", new byte[30 << 20]);
        for (int i = 0; i < 10; i++) {
            bomb.writeBytes(part);
        }
        BufferedBody body = body("gzip", bomb.toByteArray(), 64 << 10);
        assertThat(body.fault()).isEqualTo("bad response: gzip body over 256 MiB");
        assertThat(body.text()).hasSize(1 << 20);
    }
}
