package org.diperf.plugins.lib.proc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a peer sends without end is not taken without end. */
@Timeout(30)
class BoundedInputTests {

    private static InputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void whatFitsIsReadWholeAndOneByteMoreFailsWithTheSender() throws IOException {
        assertThat(new BoundedInput(bytes("12345"), 5, "node1").readAllBytes()).hasSize(5);
        assertThatThrownBy(() -> new BoundedInput(bytes("123456"), 5, "node1").readAllBytes())
                .isInstanceOf(IOException.class)
                .hasMessage("expected at most 5 bytes from node1, got more; the rest was not read");
        BoundedInput byteByByte = new BoundedInput(bytes("12"), 1, "node1");
        assertThat(byteByByte.read()).isEqualTo('1');
        assertThatThrownBy(byteByByte::read).isInstanceOf(IOException.class);
    }

    @Test
    void anEndlessOneIsNotReadMuchBeyondTheLimit() {
        long[] read = new long[1];
        InputStream endless = new InputStream() {
            @Override
            public int read() {
                read[0]++;
                return 'x';
            }

            @Override
            public int read(byte[] into, int offset, int length) {
                Arrays.fill(into, offset, offset + length, (byte) 'x');
                read[0] += length;
                return length;
            }
        };
        assertThatThrownBy(() -> new BoundedInput(endless, 1 << 20, "node1").readAllBytes())
                .hasMessageContaining("1048576 bytes from node1");
        assertThat(read[0]).isLessThan(2 << 20);
    }
}
