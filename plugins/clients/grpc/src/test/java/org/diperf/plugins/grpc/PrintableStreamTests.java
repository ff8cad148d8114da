package org.diperf.plugins.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages of gRPC as people read them. */
@Timeout(30)
class PrintableStreamTests {

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        Arrays.stream(parts).forEach(all::writeBytes);
        return all.toByteArray();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void metadataAndFieldsAreShownWithoutCredentials() {
        // 1: "Ann", 2: 300, 3: { 1: 7 }, 4: fixed32 1, 5: bytes that are no text and no message
        byte[] message = {
            0x0a,
            3,
            'A',
            'n',
            'n',
            0x10,
            (byte) 0xac,
            2,
            0x1a,
            2,
            8,
            7,
            0x25,
            1,
            0,
            0,
            0,
            0x2a,
            2,
            (byte) 0xff,
            (byte) 0xff
        };
        byte[] stretch = joined(
                ascii("POST /pkg.Greeter/Hello HTTP/2\r\nauthorization: Bearer abc.def\r\n\r\n"), Frame.of(message, 1));
        assertThat(PrintableStream.of(stretch))
                .isEqualTo("POST /pkg.Greeter/Hello HTTP/2\r\nauthorization: Bearer ***\r\n\r\n"
                        + "message of 21 bytes\n  1: \"Ann\"\n  2: 300\n  3 {\n    1: 7\n  }\n  4: 0x1\n  5: 0xffff\n");
    }

    @Test
    void aStreamOfMessagesIsShownUpToWhereItIsCutAndItsTrailersAreWords() {
        byte[] two = Frame.of(new byte[] {8, 1}, 2);
        assertThat(PrintableStream.of(joined(ascii("HTTP/2 200\r\n\r\n"), two, ascii("grpc-status: 0\r\n"))))
                .isEqualTo(
                        "HTTP/2 200\r\n\r\nmessage of 2 bytes\n  1: 1\nmessage of 2 bytes\n  1: 1\ngrpc-status: 0\r\n");
        assertThat(PrintableStream.of(Arrays.copyOf(two, two.length - 1)))
                .isEqualTo("message of 2 bytes\n  1: 1\nmessage of 2 bytes, cut\n");
        assertThat(PrintableStream.of(new byte[0])).isEmpty();
        assertThat(PrintableStream.of(Frame.of(new byte[] {(byte) 0xff}, 1))).isEqualTo("message of 1 bytes\n  0xff\n");
    }
}
